//! A large CSV file, read in blocks of whole lines, so that it is never in memory as a whole.
//!
//! Blocks are for plain files: text of ASCII in the first lines, UTF-8 below, nothing in quotation marks, no row too long. Whatever goes
//! wrong in a block is an error without words, and the caller reads the file as a whole, which says what is wrong or reads it.

use std::{
    borrow::Cow,
    fs::File,
    io::{Read, Seek, SeekFrom},
    sync::{Mutex, OnceLock, PoisonError},
    time::SystemTime,
};

use memchr::memrchr;

use super::{guard::changed, head, ipc_claims, other, text};
use crate::{DataError, Result, Warning, plain_parquet::MAGIC};

/// Files from this size on are read in blocks.
const LARGE: u64 = 32 << 20;
/// Large enough for polars to share among threads, small enough for the caches of a processor.
const BLOCK: usize = 16 << 20;
/// The first lines, by which the layout is found.
const HEAD: u64 = 1 << 20;
/// The last bytes, among which the last row is looked for.
const TAIL: u64 = 1 << 16;

pub(super) struct LargeText {
    file: String,
    opened: Mutex<File>,
    size: u64,
    modified: Option<SystemTime>,
    pub(super) head: String,
    block: usize,
    /// The whole text, and what it was written in if not UTF-8, where it had to be read as a whole.
    whole: OnceLock<(String, Option<&'static str>)>,
}

impl LargeText {
    /// None where the file is small or its first lines are not plain.
    pub(super) fn of(file: &str, opened: &File) -> Option<Self> {
        Self::in_blocks(file, opened.try_clone().ok()?, LARGE, BLOCK)
    }

    pub(super) fn in_blocks(file: &str, mut opened: File, smallest: u64, block: usize) -> Option<Self> {
        let metadata = opened.metadata().ok()?;
        if metadata.len() < smallest || !metadata.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        opened.by_ref().take(HEAD.min(block as u64)).read_to_end(&mut bytes).ok()?;
        bytes.truncate(memrchr(b'\n', &bytes)? + 1);
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
        let is_binary = bytes.starts_with(MAGIC) || bytes.starts_with(ipc_claims::MAGIC);
        if is_binary || !bytes.iter().all(is_plain) || other::refuse(file, &bytes).is_err() {
            return None;
        }
        let head = String::from_utf8(bytes).ok()?;
        if head::by_blanks(&head).is_some() {
            return None;
        }
        let (size, modified) = (metadata.len(), metadata.modified().ok());
        let (file, opened, whole) = (file.to_owned(), Mutex::new(opened), OnceLock::new());
        Some(Self { file, opened, size, modified, head, block, whole })
    }

    /// Visits the rows, which begin at byte `body`, in blocks of whole lines, without blank lines and rows of empty cells at the end.
    pub(super) fn each_block(
        &self,
        body: usize,
        separator: u8,
        mut visit: impl FnMut(&str) -> Result<()>,
    ) -> Result<()> {
        if self.whole.get().is_some() {
            return Err(self.is_not_plain());
        }
        let not_plain = |_| self.is_not_plain();
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let end = self.end(&mut opened, separator).filter(|end| *end > body as u64);
        let end = end.ok_or_else(|| self.is_not_plain())?;
        opened.seek(SeekFrom::Start(body as u64)).map_err(not_plain)?;
        let mut rest = opened.by_ref().take(end - body as u64);
        let mut block = Vec::with_capacity(self.block);
        while rest.limit() > 0 {
            let room = self.block.saturating_sub(block.len()) as u64;
            if rest.by_ref().take(room).read_to_end(&mut block).map_err(not_plain)? == 0 {
                return Err(self.is_not_plain());
            }
            let lines = match rest.limit() {
                0 => block.len(),
                _ => memrchr(b'\n', &block).ok_or_else(|| self.is_not_plain())? + 1,
            };
            visit(std::str::from_utf8(&block[..lines]).map_err(|_| self.is_not_plain())?)?;
            block.drain(..lines);
        }
        if self.is_unchanged(&opened) { Ok(()) } else { Err(self.is_not_plain()) }
    }

    /// Where the last row ends.
    fn end(&self, opened: &mut File, separator: u8) -> Option<u64> {
        let start = self.size.saturating_sub(TAIL);
        opened.seek(SeekFrom::Start(start)).ok()?;
        let mut tail = Vec::new();
        opened.by_ref().take(self.size - start).read_to_end(&mut tail).ok()?;
        let last = tail.iter().rposition(|b| !b.is_ascii_whitespace() && *b != separator)?;
        let line = tail[last..].iter().position(|b| *b == b'\n');
        Some(start + line.map_or(tail.len(), |length| last + length + 1) as u64)
    }

    fn is_unchanged(&self, opened: &File) -> bool {
        opened.metadata().is_ok_and(|now| now.len() == self.size && now.modified().ok() == self.modified)
    }

    /// The text as a whole; `notes` is told if it is not UTF-8.
    pub(super) fn whole(&self, notes: &mut Vec<Warning>) -> Result<&str> {
        if self.whole.get().is_none() {
            let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
            let mut bytes = Vec::with_capacity(usize::try_from(self.size).unwrap_or(0));
            let read = opened.rewind().and_then(|()| opened.by_ref().take(self.size).read_to_end(&mut bytes));
            if read.is_err() || !self.is_unchanged(&opened) {
                return Err(changed(&self.file));
            }
            let (text, encoding) = text::decode(&self.file, Cow::Owned(bytes))?;
            self.whole.get_or_init(|| (text.into_owned(), encoding));
        }
        let (text, encoding) = self.whole.get().map_or(("", None), |(text, encoding)| (text, *encoding));
        let note = encoding.map(|encoding| Warning::Encoded { file: self.file.clone(), encoding });
        notes.extend(note.filter(|note| !notes.contains(note)));
        Ok(text)
    }

    /// The error for a block that is not plain.
    pub(super) fn is_not_plain(&self) -> DataError {
        DataError::file(&self.file, "cannot be read in blocks", "read it as a whole")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        NumberFormat,
        file::{Column, ReadAs, Source, csv},
    };

    const KINDS: [ReadAs; 3] = [ReadAs::Number, ReadAs::Text, ReadAs::Plain];

    /// The columns of a source, each read as every kind, with the notes; or the error.
    fn columns(source: &Source<'_>) -> String {
        let mut all = Vec::new();
        for kind in KINDS {
            let wanted: Vec<(usize, ReadAs)> = (0..source.own().len()).map(|i| (i, kind)).collect();
            let mut notes = source.notes.clone();
            let read = source.read(&wanted, NumberFormat::Auto, &mut notes).map(|columns| {
                let shown = |column: &Column| match column {
                    Column::Numbers(values) => {
                        format!("{:?}", values.iter().map(|v| v.to_bits()).collect::<Vec<_>>())
                    }
                    Column::Text(texts) => format!("{:?}", texts.iter().collect::<Vec<_>>()),
                    Column::Stamps(_) => "times".to_owned(),
                };
                columns.iter().map(shown).collect::<Vec<String>>()
            });
            all.push(format!("{:?} {notes:?}", read.map_err(|e| e.to_string())));
        }
        all.join("\n")
    }

    /// The same file read in blocks and as a whole, and whether blocks were enough.
    fn both(bytes: &[u8], block: usize) -> (String, String, bool) {
        let mut file = tempfile::tempfile().unwrap();
        std::io::Write::write_all(&mut file, bytes).unwrap();
        file.rewind().unwrap();
        let text = LargeText::in_blocks("t", file, 0, block).unwrap();
        let layout = csv::Layout::of("t", &text.head).unwrap();
        let names = layout.names.clone();
        let large =
            Source::of_columns("t", names, super::super::Content::LargeCsv(layout, text), None).unwrap();
        let found = columns(&large);
        let super::super::Content::LargeCsv(_, text) = &large.content else { panic!("a large file") };
        let in_blocks = text.whole.get().is_none();
        (found, columns(&Source::from_bytes("t", bytes, None).unwrap()), in_blocks)
    }

    fn file(row: impl Fn(usize) -> String) -> Vec<u8> {
        let rows: String = (0..200).map(|i| row(i) + "\n").collect();
        format!("a,b,c\n{rows}").into_bytes()
    }

    #[test]
    fn blocks_hold_what_the_whole_file_holds() {
        let plain = |i: usize| format!("{}.5,x^{i},{}", i * 7, i % 3);
        let gap = |i: usize| if i % 9 == 4 { "NA".to_owned() } else { format!("-{i}e-3") };
        let late = |i: usize| if i < 150 { i.to_string() } else { format!("word {i}") };
        for (name, bytes) in [
            ("plain", file(plain)),
            ("gaps", file(|i| format!("{},{},{}", gap(i), if i % 5 == 0 { "" } else { "1.0" }, gap(i + 1)))),
            ("late words", file(|i| format!("{},{},NaN", late(i), late(i + 30)))),
            ("line ends", String::from_utf8(file(plain)).unwrap().replace('\n', "\r\n").into_bytes()),
            ("blank end", [file(plain), b",,\n\n , ,\n".to_vec()].concat()),
            ("no line end", file(plain)[..2000].to_vec()),
            ("blank and short rows", file(|i| if i % 20 == 3 { String::new() } else { format!("{i}") })),
            ("letters", file(|i| format!("{i},{},ok", if i > 150 { "größe" } else { "x" }))),
            ("marks for thousands", file(|i| format!("{i},1 {i:03},2"))),
        ] {
            for block in [64, 300, 1000] {
                let (found, expected, in_blocks) = both(&bytes, block);
                assert_eq!(found, expected, "{name} in blocks of {block}");
                assert!(in_blocks, "{name} in blocks of {block}");
            }
        }
    }

    #[test]
    fn what_is_not_plain_is_read_as_a_whole() {
        let at = |i: usize, odd: &str| if i == 120 { odd.to_owned() } else { format!("{i},x,2") };
        for (name, bytes) in [
            ("quoted", file(|i| at(i, "1,\"a,b\",3"))),
            ("too long", file(|i| at(i, "1,2,3,4"))),
            ("blank cells behind", file(|i| at(i, "1,2,3,,"))),
            ("a row longer than a block", file(|i| at(i, &format!("1,{},3", "y".repeat(500))))),
            ("decimal comma or not", file(|i| at(i, "1.234,x,5"))),
        ] {
            let (found, expected, in_blocks) = both(&bytes, 128);
            assert_eq!(found, expected, "{name}");
            assert_eq!(in_blocks, name.starts_with("decimal"), "{name}");
        }
        let mut latin = file(|i| format!("{i},x,2"));
        let place = latin.len() - 4;
        latin[place] = 0xe9;
        let (found, expected, in_blocks) = both(&latin, 128);
        assert!(found == expected && !in_blocks && found.contains("Windows-1252"), "{found}");
    }

    #[test]
    fn a_file_that_changes_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, file(|i| format!("{i},x,2"))).unwrap();
        let text = LargeText::in_blocks("t", File::open(&path).unwrap(), 0, 128).unwrap();
        std::fs::write(&path, b"a,b,c\n1,2,3\n").unwrap();
        assert!(text.each_block(6, b',', |_| Ok(())).is_err());
        let said = text.whole(&mut Vec::new()).unwrap_err().to_string();
        assert_eq!(said, "t: changed while it was read; let the program that writes it finish first");
    }
}
