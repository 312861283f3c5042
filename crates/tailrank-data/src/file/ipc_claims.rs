//! What an Arrow IPC file claims of itself, held against its size: polars sets memory aside for what is claimed.
//!
//! The footer and every batch of rows are described by FlatBuffers (Arrow columnar format 1.5, "IPC File Format"): tables whose fields
//! stand where the table's own list of places says.

/// The first and last bytes of a file.
pub(super) const MAGIC: &[u8] = b"ARROW1";

/// Why a file is not handed over.
#[derive(Debug, PartialEq)]
pub(super) enum Wrong {
    /// It does not hold what it announces.
    Damaged(&'static str),
    /// It unpacks to more than is allowed.
    TooLarge,
}

const FOOTER: Wrong = Wrong::Damaged("its footer is damaged");
const BATCH: Wrong = Wrong::Damaged("a batch of rows is damaged");

/// Goes through all batches of rows and all dictionaries.
pub(super) fn check(file: &[u8], max_bytes: u64) -> Result<(), Wrong> {
    let body = file.strip_suffix(MAGIC).ok_or(FOOTER)?;
    let (rest, length) = body.split_last_chunk::<4>().ok_or(FOOTER)?;
    let start = rest.len().checked_sub(u32::from_le_bytes(*length) as usize).ok_or(FOOTER)?;
    let footer = Table::root(&rest[start..]).ok_or(FOOTER)?;
    let mut left = max_bytes;
    // Dictionaries, then batches: blocks of an offset, the length of a description and the length of a body.
    for field in [2, 3] {
        for block in footer.structures::<24>(field).ok_or(FOOTER)? {
            let (offset, described) = (long(&block[..8]).ok_or(FOOTER)?, short(&block[8..12]).ok_or(FOOTER)?);
            let end = offset.checked_add(described).filter(|end| *end <= file.len()).ok_or(FOOTER)?;
            let body = long(&block[16..])
                .and_then(|length| file.get(end..end.checked_add(length)?))
                .ok_or(FOOTER)?;
            check_block(&file[offset..end], body, &mut left)?;
        }
    }
    Ok(())
}

fn check_block(described: &[u8], body: &[u8], left: &mut u64) -> Result<(), Wrong> {
    const DICTIONARY: u8 = 2;
    // Newer writers mark the description before its length.
    let described = described.strip_prefix(&[0xff; 4]).unwrap_or(described);
    let message = Table::root(described.get(4..).ok_or(BATCH)?).ok_or(BATCH)?;
    let mut batch = message.table(2).ok_or(BATCH)?;
    if message.byte(1) == Some(DICTIONARY) {
        batch = batch.table(1).ok_or(BATCH)?;
    }
    let mut take = |bytes: usize| {
        *left = left.checked_sub(bytes as u64).ok_or(Wrong::TooLarge)?;
        Ok(())
    };
    let rows = batch.long(0).unwrap_or(0);
    for node in batch.structures::<16>(1).ok_or(BATCH)? {
        // A column takes a bit a row at least, and one without values nothing at all.
        let values = long(&node[..8]).ok_or(BATCH)?;
        if values > 8 * body.len() && values > rows {
            return Err(BATCH);
        }
        take(values)?;
    }
    let packed = batch.field(3).is_some();
    for buffer in batch.structures::<16>(2).ok_or(BATCH)? {
        let (start, length) = (long(&buffer[..8]).ok_or(BATCH)?, long(&buffer[8..]).ok_or(BATCH)?);
        let bytes = start.checked_add(length).and_then(|end| body.get(start..end)).ok_or(BATCH)?;
        match bytes.first_chunk::<8>() {
            // Packed bytes begin with their length once unpacked, or −1 where they are not packed after all.
            Some(told) if packed && *told != [0xff; 8] => take(long(told).ok_or(BATCH)?)?,
            None if packed && !bytes.is_empty() => return Err(BATCH),
            _ => take(bytes.len())?,
        }
    }
    Ok(())
}

/// A table of FlatBuffers.
struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Table<'a> {
    fn root(bytes: &'a [u8]) -> Option<Self> {
        Some(Self { bytes, at: short(bytes)? })
    }

    /// Where a field stands; none where the table has none.
    fn field(&self, id: usize) -> Option<usize> {
        let back = i32::from_le_bytes(*self.bytes.get(self.at..)?.first_chunk()?);
        let places = usize::try_from(i64::try_from(self.at).ok()?.checked_sub(i64::from(back))?).ok()?;
        let entry = |at: usize| {
            let place = u16::from_le_bytes(*self.bytes.get(places.checked_add(at)?..)?.first_chunk()?);
            Some(usize::from(place))
        };
        let at = 4 + 2 * id;
        if at >= entry(0)? {
            None
        } else {
            entry(at).filter(|place| *place > 0).and_then(|place| self.at.checked_add(place))
        }
    }

    fn byte(&self, id: usize) -> Option<u8> {
        self.bytes.get(self.field(id)?).copied()
    }

    fn long(&self, id: usize) -> Option<usize> {
        long(self.bytes.get(self.field(id)?..)?)
    }

    fn table(&self, id: usize) -> Option<Self> {
        let at = self.field(id)?;
        Some(Self { bytes: self.bytes, at: at.checked_add(short(self.bytes.get(at..)?)?)? })
    }

    /// The items of a list of structures of `N` bytes; a list that is not there is empty.
    fn structures<const N: usize>(&self, id: usize) -> Option<&'a [[u8; N]]> {
        let Some(at) = self.field(id) else { return Some(&[]) };
        let start = at.checked_add(short(self.bytes.get(at..)?)?)?;
        let items = short(self.bytes.get(start..)?)?;
        let bytes = self.bytes.get(start + 4..)?.get(..items.checked_mul(N)?)?;
        Some(bytes.as_chunks::<N>().0)
    }
}

fn short(bytes: &[u8]) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*bytes.first_chunk()?)).ok()
}

fn long(bytes: &[u8]) -> Option<usize> {
    usize::try_from(i64::from_le_bytes(*bytes.first_chunk()?)).ok()
}
