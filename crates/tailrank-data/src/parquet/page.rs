//! The pages of a column, one after the other.

use std::borrow::Cow;

use super::{Budget, Found, OrDamaged, codec, damaged, footer::Chunk, hybrid, thrift::Reader, thrift::Value};

/// Encodings, as the format numbers them.
pub(super) const PLAIN: i64 = 0;
pub(super) const PLAIN_DICTIONARY: i64 = 2;
pub(super) const RLE: i64 = 3;
pub(super) const DELTA_BINARY_PACKED: i64 = 5;
pub(super) const DELTA_LENGTH_BYTE_ARRAY: i64 = 6;
pub(super) const DELTA_BYTE_ARRAY: i64 = 7;
pub(super) const RLE_DICTIONARY: i64 = 8;
pub(super) const BYTE_STREAM_SPLIT: i64 = 9;

pub(super) enum Page<'a> {
    /// As many values as it says, plainly written.
    Dictionary(usize, Cow<'a, [u8]>),
    Data(Data<'a>),
}

/// Values of a page, unpacked and not yet decoded.
pub(super) struct Data<'a> {
    /// Which of the rows have a value; none if all have.
    pub(super) presence: Option<Vec<bool>>,
    /// Rows with a value.
    pub(super) values: usize,
    pub(super) encoding: i64,
    bytes: Cow<'a, [u8]>,
    start: usize,
}

impl Data<'_> {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[self.start..]
    }
}

/// Reads pages until `rows` rows have been read.
pub(super) struct Pages<'a> {
    file: &'a [u8],
    at: usize,
    codec: i64,
    optional: bool,
    rows: usize,
    budget: &'a Budget,
}

impl<'a> Pages<'a> {
    pub(super) fn new(file: &'a [u8], chunk: Chunk, optional: bool, rows: usize, budget: &'a Budget) -> Self {
        Self { file, at: chunk.start, codec: chunk.codec, optional, rows, budget }
    }

    /// The next page; none after the last.
    pub(super) fn next(&mut self) -> Found<Option<Page<'a>>> {
        const DICTIONARY: i64 = 2;
        while self.rows > 0 {
            let mut reader = Reader::new(self.file.get(self.at..).or_damaged("a page is missing")?);
            let header = reader.structure(0).or_damaged("the header of a page is damaged")?;
            let size = |field: i16| {
                header.int(field).and_then(|n| usize::try_from(n).ok()).or_damaged("a page has no size")
            };
            let packed = reader.take(size(3)?).or_damaged("a page is cut short")?;
            self.at = self.file.len() - reader.rest().len();
            let size = size(2)?;
            match header.int(1) {
                Some(0) => return self.first_version(&header, packed, size).map(Page::Data).map(Some),
                Some(3) => return self.second_version(&header, packed, size).map(Page::Data).map(Some),
                Some(DICTIONARY) => {
                    let values = count(&header, 7, 1)?;
                    self.budget.take(size)?;
                    return codec::unpack(self.codec, packed, size)
                        .map(|bytes| Some(Page::Dictionary(values, bytes)));
                }
                // An index, which nobody needs.
                _ => {}
            }
        }
        Ok(None)
    }

    /// Levels stand packed with the values, their length before them.
    fn first_version(&mut self, header: &Value<'_>, packed: &'a [u8], size: usize) -> Found<Data<'a>> {
        let rows = self.part(count(header, 5, 1)?)?;
        let encoding = header.field(5).and_then(|page| page.int(2)).or_damaged("a page has no encoding")?;
        self.budget.take(size)?;
        let bytes = codec::unpack(self.codec, packed, size)?;
        if !self.optional {
            return Ok(Data { presence: None, values: rows, encoding, bytes, start: 0 });
        }
        if header.field(5).and_then(|page| page.int(3)) != Some(RLE) {
            return damaged("its levels are not written in runs");
        }
        let mut reader = Reader::new(&bytes);
        let levels = prefixed(&mut reader).or_damaged("levels are cut short")?;
        let presence = hybrid::presence(levels, rows)?;
        let start = bytes.len() - reader.rest().len();
        Ok(Data { values: present(presence.as_deref(), rows), presence, encoding, bytes, start })
    }

    /// Levels stand before the values and are not packed.
    fn second_version(&mut self, header: &Value<'_>, packed: &'a [u8], size: usize) -> Found<Data<'a>> {
        let rows = self.part(count(header, 8, 1)?)?;
        let page = header.field(8).or_damaged("a page has no header")?;
        let encoding = page.int(4).or_damaged("a page has no encoding")?;
        let (levels, repeated) = (count(header, 8, 5)?, count(header, 8, 6)?);
        let before = levels.checked_add(repeated).or_damaged("levels are cut short")?;
        let (front, packed) = packed.split_at_checked(before).or_damaged("levels are cut short")?;
        let size = size.checked_sub(before).or_damaged("levels are longer than their page")?;
        let presence = if self.optional { hybrid::presence(&front[repeated..], rows)? } else { None };
        self.budget.take(size)?;
        let is_packed = page.int(7).unwrap_or(1) == 1;
        let bytes = codec::unpack(if is_packed { self.codec } else { 0 }, packed, size)?;
        Ok(Data { values: present(presence.as_deref(), rows), presence, encoding, bytes, start: 0 })
    }

    /// Takes the rows of a page off those still to be read.
    fn part(&mut self, rows: usize) -> Found<usize> {
        match self.rows.checked_sub(rows) {
            Some(left) => self.rows = left,
            None => return damaged(format!("a page claims {rows} values where {} are left", self.rows)),
        }
        Ok(rows)
    }
}

/// Bytes of the length before a byte array.
pub(super) const PREFIX: usize = 4;

/// Bytes with their length before them.
pub(super) fn prefixed<'a>(reader: &mut Reader<'a>) -> Option<&'a [u8]> {
    let length = u32::from_le_bytes(*reader.take(PREFIX)?.first_chunk()?);
    reader.take(usize::try_from(length).ok()?)
}

fn count(header: &Value<'_>, page: i16, field: i16) -> Found<usize> {
    let number =
        header.field(page).and_then(|page| page.int(field)).or_damaged("a page has no count of values")?;
    usize::try_from(number).or(damaged(format!("a page claims {number} values")))
}

fn present(presence: Option<&[bool]>, rows: usize) -> usize {
    presence.map_or(rows, |presence| presence.iter().filter(|is| **is).count())
}
