//! The bytes of a file that is not text: all of them in memory, or read where they are needed.

use std::{
    borrow::Cow,
    fs::{File, Metadata},
    io::{self, Read, Seek, SeekFrom},
    ops::Range,
    sync::{Mutex, PoisonError},
};

pub(super) enum Bytes<'a> {
    Held(Cow<'a, [u8]>),
    /// An open file, and what it was when it was opened.
    Stored(Mutex<File>, Metadata),
}

impl Bytes<'_> {
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Held(bytes) => bytes.len(),
            Self::Stored(_, then) => usize::try_from(then.len()).unwrap_or(usize::MAX),
        }
    }

    /// These bytes; an error where the file has changed since it was opened.
    pub(super) fn range(&self, range: Range<usize>) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Held(bytes) => {
                bytes.get(range).map(Cow::Borrowed).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            }
            Self::Stored(file, then) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let mut bytes = Vec::with_capacity(range.len());
                file.seek(SeekFrom::Start(range.start as u64))?;
                file.by_ref().take(range.len() as u64).read_to_end(&mut bytes)?;
                let now = file.metadata()?;
                let is_same = now.len() == then.len() && now.modified().ok() == then.modified().ok();
                if is_same && bytes.len() == range.len() {
                    Ok(Cow::Owned(bytes))
                } else {
                    Err(io::ErrorKind::UnexpectedEof.into())
                }
            }
        }
    }
}
