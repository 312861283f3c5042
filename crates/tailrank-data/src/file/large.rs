//! A large CSV file, read in blocks of whole lines, so that it is never in memory as a whole.
//!
//! Blocks are for plain files: text of ASCII in the first lines, UTF-8 below, nothing in quotation marks, no
//! row too long. Whatever goes wrong in a block is an error without words, and the caller reads the file as a
//! whole, which says what is wrong or reads it.

use std::{
    fs::File,
    sync::{Mutex, OnceLock},
};

use memchr::memrchr;

use super::{bytes::Bytes, guard::changed, head, ipc_claims, other, text};
use crate::{DataError, Result, Warning, plain_parquet::MAGIC};

/// Files from this size on are read in blocks.
const LARGE: u64 = 32 << 20;
/// Large enough for polars to share among threads, small enough for the caches of a processor.
const BLOCK: usize = 16 << 20;
/// The first lines, by which the layout is found.
const HEAD: usize = 1 << 20;
/// The last bytes, among which the last row is looked for.
const TAIL: usize = 1 << 16;

pub(super) struct LargeText {
    file: String,
    bytes: Bytes,
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

    pub(super) fn in_blocks(file: &str, opened: File, smallest: u64, block: usize) -> Option<Self> {
        let metadata = opened.metadata().ok()?;
        if metadata.len() < smallest || !metadata.is_file() {
            return None;
        }
        let bytes = Bytes::Stored(Mutex::new(opened), metadata);
        let mut first = bytes.range(0..HEAD.min(block).min(bytes.size())).ok()?.into_owned();
        first.truncate(memrchr(b'\n', &first)? + 1);
        let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
        let is_binary = first.starts_with(MAGIC) || first.starts_with(ipc_claims::MAGIC);
        if is_binary || !first.iter().all(is_plain) || other::refuse(file, &first).is_err() {
            return None;
        }
        let head = String::from_utf8(first).ok()?;
        if head::by_blanks(&head).is_some() {
            return None;
        }
        Some(Self { file: file.to_owned(), bytes, head, block, whole: OnceLock::new() })
    }

    /// Visits the rows, which begin at byte `body`, in blocks of whole lines, without blank lines and rows of
    /// empty cells at the end.
    pub(super) fn each_block(
        &self,
        body: usize,
        separator: u8,
        mut visit: impl FnMut(&str) -> Result<()>,
    ) -> Result<()> {
        if self.whole.get().is_some() {
            return Err(self.is_not_plain());
        }
        let not_plain = || self.is_not_plain();
        let end = self.end(separator).filter(|end| *end > body).ok_or_else(not_plain)?;
        let (mut start, mut block) = (body, Vec::with_capacity(self.block));
        while start < end {
            let next = end.min(start + self.block);
            self.bytes.read(start..next, &mut block).map_err(|_| not_plain())?;
            let lines =
                if next == end { block.len() } else { memrchr(b'\n', &block).ok_or_else(not_plain)? + 1 };
            visit(std::str::from_utf8(&block[..lines]).map_err(|_| not_plain())?)?;
            start += lines;
        }
        Ok(())
    }

    /// Where the last row ends.
    fn end(&self, separator: u8) -> Option<usize> {
        let start = self.bytes.size().saturating_sub(TAIL);
        let tail = self.bytes.range(start..self.bytes.size()).ok()?;
        let last = tail.iter().rposition(|b| !b.is_ascii_whitespace() && *b != separator)?;
        let line = tail[last..].iter().position(|b| *b == b'\n');
        Some(start + line.map_or(tail.len(), |length| last + length + 1))
    }

    /// The text as a whole; `notes` is told if it is not UTF-8.
    pub(super) fn whole(&self, notes: &mut Vec<Warning>) -> Result<&str> {
        let (text, encoding) = match self.whole.get() {
            Some(known) => known,
            None => {
                let all = self.bytes.range(0..self.bytes.size()).map_err(|_| changed(&self.file))?;
                let decoded = text::decode(&self.file, all.into_owned())?;
                self.whole.get_or_init(|| decoded)
            }
        };
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
    fn columns(source: &Source) -> String {
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
