//! What Arrow's writers (pyarrow, pandas, polars) know of a column beyond Parquet: the zone of its times, and that whole numbers are
//! durations. It stands in the note `ARROW:schema`: a message of Arrow's format in FlatBuffers, in base 64.

use std::collections::HashMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};

/// What a column is by its Arrow type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Hint {
    Time(Option<String>),
    Duration,
}

/// The hints by the columns' names; none where the note is missing or damaged, since the table can be read without.
pub(super) fn hints(notes: &[(String, String)]) -> HashMap<String, Hint> {
    let schema = notes.iter().find(|(key, _)| key == "ARROW:schema");
    schema
        .and_then(|(_, encoded)| STANDARD.decode(encoded).ok())
        .and_then(|bytes| of_message(&bytes))
        .unwrap_or_default()
}

fn of_message(bytes: &[u8]) -> Option<HashMap<String, Hint>> {
    const TIMESTAMP: u8 = 10;
    const DURATION: u8 = 18;
    // Newer writers mark the message and give its length.
    let message = if bytes.starts_with(&[0xff; 4]) { bytes.get(8..)? } else { bytes };
    let root = Table { bytes: message, at: offset(message, 0)? };
    let columns = root.table(2)?.field(1)?;
    let start = columns.checked_add(offset(message, columns)?)?;
    let count = offset(message, start)?;
    let mut found = HashMap::new();
    for i in 0..count {
        let at = start.checked_add(4)?.checked_add(i.checked_mul(4)?)?;
        let column = Table { bytes: message, at: at.checked_add(offset(message, at)?)? };
        let kind = message.get(column.field(2)?).copied()?;
        let hint = match kind {
            TIMESTAMP => Hint::Time(column.table(3)?.text(1).filter(|zone| !zone.is_empty())),
            DURATION => Hint::Duration,
            _ => continue,
        };
        found.insert(column.text(0)?, hint);
    }
    Some(found)
}

/// A table of FlatBuffers: its fields stand where its own table of places says.
struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Table<'_> {
    fn field(&self, id: usize) -> Option<usize> {
        let back = i32::from_le_bytes(*self.bytes.get(self.at..)?.first_chunk()?);
        let places = usize::try_from(i64::try_from(self.at).ok()?.checked_sub(i64::from(back))?).ok()?;
        let entry = 4 + 2 * id;
        if entry >= short(self.bytes, places)? {
            return None;
        }
        match short(self.bytes, places.checked_add(entry)?)? {
            0 => None,
            place => self.at.checked_add(place),
        }
    }

    fn table(&self, id: usize) -> Option<Self> {
        let at = self.field(id)?;
        Some(Self { bytes: self.bytes, at: at.checked_add(offset(self.bytes, at)?)? })
    }

    fn text(&self, id: usize) -> Option<String> {
        let at = self.field(id)?;
        let start = at.checked_add(offset(self.bytes, at)?)?;
        let text = self.bytes.get(start.checked_add(4)?..)?.get(..offset(self.bytes, start)?)?;
        String::from_utf8(text.to_vec()).ok()
    }
}

fn offset(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?)).ok()
}

fn short(bytes: &[u8], at: usize) -> Option<usize> {
    Some(usize::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)))
}
