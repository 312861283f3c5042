//! What an Arrow IPC file claims of itself, held against its size: polars sets memory aside for what is
//! claimed.
//!
//! The footer and every batch of rows are described by FlatBuffers (Arrow columnar format 1.5, "IPC File
//! Format").

use polars_arrow_format::ipc::{FooterRef, MessageHeaderRef, MessageRef, planus::ReadAsRoot};

use super::guard::Refusal;
use crate::plain_parquet::footer;

/// The first and last bytes of a file.
pub(super) const MAGIC: &[u8] = b"ARROW1";

const FOOTER: Refusal = Refusal::Damaged("its footer is damaged");
const BATCH: Refusal = Refusal::Damaged("a batch of rows is damaged");

/// Goes through all batches of rows and all dictionaries.
pub(super) fn check(file: &[u8], max_bytes: u64) -> Result<(), Refusal> {
    let last = file.strip_suffix(MAGIC).and_then(footer).ok_or(FOOTER)?;
    let footer = FooterRef::read_as_root(last).map_err(|_| FOOTER)?;
    let mut left = max_bytes;
    for blocks in [footer.dictionaries(), footer.record_batches()] {
        for block in blocks.map_err(|_| FOOTER)?.into_iter().flatten() {
            let (offset, described) =
                (size(block.offset(), FOOTER)?, size(block.meta_data_length(), FOOTER)?);
            let end = offset.checked_add(described).filter(|end| *end <= file.len()).ok_or(FOOTER)?;
            let last = end.checked_add(size(block.body_length(), FOOTER)?).ok_or(FOOTER)?;
            check_block(&file[offset..end], file.get(end..last).ok_or(FOOTER)?, &mut left)?;
        }
    }
    Ok(())
}

fn size(n: impl TryInto<usize>, wrong: Refusal) -> Result<usize, Refusal> {
    n.try_into().map_err(|_| wrong)
}

fn check_block(described: &[u8], body: &[u8], left: &mut u64) -> Result<(), Refusal> {
    // Newer writers mark the description before its length.
    let described = described.strip_prefix(&[0xff; 4]).unwrap_or(described);
    let message = MessageRef::read_as_root(described.get(4..).ok_or(BATCH)?).map_err(|_| BATCH)?;
    let batch = match message.header() {
        Ok(Some(MessageHeaderRef::RecordBatch(batch))) => batch,
        Ok(Some(MessageHeaderRef::DictionaryBatch(words))) => words.data().ok().flatten().ok_or(BATCH)?,
        _ => return Err(BATCH),
    };
    let mut take = |bytes: usize| {
        *left = left.checked_sub(bytes as u64).ok_or(Refusal::TooLarge)?;
        Ok(())
    };
    let rows = size(batch.length().map_err(|_| BATCH)?, BATCH)?;
    for node in batch.nodes().map_err(|_| BATCH)?.into_iter().flatten() {
        // A column takes a bit a row at least, and one without values nothing at all.
        let values = size(node.length(), BATCH)?;
        if values > 8 * body.len() && values > rows {
            return Err(BATCH);
        }
        take(values)?;
    }
    let is_packed = batch.compression().map_err(|_| BATCH)?.is_some();
    for buffer in batch.buffers().map_err(|_| BATCH)?.into_iter().flatten() {
        let (start, length) = (size(buffer.offset(), BATCH)?, size(buffer.length(), BATCH)?);
        let bytes = start.checked_add(length).and_then(|end| body.get(start..end)).ok_or(BATCH)?;
        match bytes.first_chunk::<8>() {
            // Packed bytes begin with their length once unpacked, or −1 where they are not packed after all.
            Some(told) if is_packed && *told != [0xff; 8] => take(size(i64::from_le_bytes(*told), BATCH)?)?,
            None if is_packed && !bytes.is_empty() => return Err(BATCH),
            _ => take(bytes.len())?,
        }
    }
    Ok(())
}
