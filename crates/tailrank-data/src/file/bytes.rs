//! The bytes of a file that is not text: all of them in memory, or read where they are needed.

use std::{
    borrow::Cow,
    fs::{File, Metadata},
    io::{self, ErrorKind, Read, Seek, SeekFrom},
    ops::Range,
    sync::{Mutex, PoisonError},
};

pub(super) enum Bytes {
    Held(Vec<u8>),
    /// An open file, and what it was when it was opened.
    Stored(Mutex<File>, Metadata),
}

impl Bytes {
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Held(bytes) => bytes.len(),
            Self::Stored(_, then) => usize::try_from(then.len()).unwrap_or(usize::MAX),
        }
    }

    /// These bytes; an error where the file has changed since it was opened.
    pub(super) fn range(&self, range: Range<usize>) -> io::Result<Cow<'_, [u8]>> {
        if let Self::Held(bytes) = self {
            return bytes.get(range).map(Cow::Borrowed).ok_or_else(|| ErrorKind::UnexpectedEof.into());
        }
        let mut bytes = Vec::new();
        self.read(range, &mut bytes)?;
        Ok(Cow::Owned(bytes))
    }

    /// As [`Bytes::range`], into a buffer that is used again.
    pub(super) fn read(&self, range: Range<usize>, bytes: &mut Vec<u8>) -> io::Result<()> {
        bytes.clear();
        let Self::Stored(file, then) = self else {
            bytes.extend_from_slice(&self.range(range)?);
            return Ok(());
        };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.reserve_exact(range.len());
        file.seek(SeekFrom::Start(range.start as u64))?;
        file.by_ref().take(range.len() as u64).read_to_end(bytes)?;
        let now = file.metadata()?;
        let is_same = now.len() == then.len() && now.modified().ok() == then.modified().ok();
        if is_same && bytes.len() == range.len() { Ok(()) } else { Err(ErrorKind::UnexpectedEof.into()) }
    }
}
