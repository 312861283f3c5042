//! Thrift's compact protocol, which Parquet's metadata are written in.

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
pub(crate) const I32: u8 = 5;
pub(crate) const I64: u8 = 6;
const DOUBLE: u8 = 7;
pub(crate) const BINARY: u8 = 8;
const LIST: u8 = 9;
const SET: u8 = 10;
const MAP: u8 = 11;
pub(crate) const STRUCT: u8 = 12;

/// The format nests six deep.
const DEEPEST: usize = 12;

/// Writes the compact protocol: as much of it as our files need.
pub(crate) struct Compact<'a> {
    out: &'a mut Vec<u8>,
    /// The last field written, of every structure that is open.
    last: Vec<i16>,
}

impl<'a> Compact<'a> {
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, last: vec![0] }
    }

    pub(crate) fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.out.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.out.push(value as u8);
    }

    /// Fields come in rising order and less than 16 apart, so their distance fits the heading byte.
    fn heading(&mut self, field: i16, kind: u8) {
        let last = self.last.last_mut().map_or(0, |last| std::mem::replace(last, field));
        self.out.push(((field - last) as u8) << 4 | kind);
    }

    pub(crate) fn int(&mut self, field: i16, value: i64, kind: u8) {
        self.heading(field, kind);
        self.varint(((value << 1) ^ (value >> 63)) as u64);
    }

    pub(crate) fn bytes(&mut self, field: i16, bytes: &[u8]) {
        self.heading(field, BINARY);
        self.item(bytes);
    }

    /// Bytes inside a list.
    pub(crate) fn item(&mut self, bytes: &[u8]) {
        self.varint(bytes.len() as u64);
        self.out.extend_from_slice(bytes);
    }

    pub(crate) fn list(&mut self, field: i16, kind: u8, items: usize) {
        self.heading(field, LIST);
        if items < 15 {
            self.out.push((items as u8) << 4 | kind);
        } else {
            self.out.push(0xf0 | kind);
            self.varint(items as u64);
        }
    }

    pub(crate) fn begin(&mut self, field: i16) {
        self.heading(field, STRUCT);
        self.last.push(0);
    }

    pub(crate) fn end(&mut self) {
        self.stop();
        self.last.pop();
    }

    pub(crate) fn stop(&mut self) {
        self.out.push(0);
    }

    /// A structure inside a list.
    pub(crate) fn element(&mut self, fill: impl FnOnce(&mut Self)) {
        self.last.push(0);
        fill(self);
        self.end();
    }
}

/// A value of the compact protocol.
pub(crate) enum Value<'a> {
    Int(i64),
    Bytes(&'a [u8]),
    List(Vec<Value<'a>>),
    Struct(Vec<(i16, Value<'a>)>),
}

impl<'a> Value<'a> {
    pub(crate) fn field(&self, id: i16) -> Option<&Value<'a>> {
        match self {
            Self::Struct(fields) => fields.iter().find(|(i, _)| *i == id).map(|(_, value)| value),
            _ => None,
        }
    }

    pub(crate) fn int(&self, id: i16) -> Option<i64> {
        if let Self::Int(value) = self.field(id)? { Some(*value) } else { None }
    }

    pub(crate) fn text(&self, id: i16) -> Option<String> {
        let Self::Bytes(bytes) = self.field(id)? else { return None };
        String::from_utf8(bytes.to_vec()).ok()
    }

    pub(crate) fn list(&self, id: i16) -> Option<&[Value<'a>]> {
        if let Self::List(items) = self.field(id)? { Some(items) } else { None }
    }
}

/// Reads the compact protocol; none wherever bytes are missing. Nothing is set aside for what a damaged file only announces.
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    place: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, place: 0 }
    }

    /// How many bytes were read.
    pub(crate) fn place(&self) -> usize {
        self.place
    }

    pub(crate) fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let found = self.bytes.get(self.place..self.place.checked_add(n)?)?;
        self.place += n;
        Some(found)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|b| b[0])
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn integer(&mut self) -> Option<i64> {
        let raw = self.varint()?;
        Some((raw >> 1) as i64 ^ -((raw & 1) as i64))
    }

    pub(crate) fn structure(&mut self, depth: usize) -> Option<Value<'a>> {
        let mut fields = Vec::new();
        let mut id: i16 = 0;
        loop {
            let heading = self.byte()?;
            if heading == 0 {
                return Some(Value::Struct(fields));
            }
            // A field that is far from the last one has its number behind the heading.
            id = match heading >> 4 {
                0 => i16::try_from(self.integer()?).ok()?,
                distance => id.checked_add(i16::from(distance))?,
            };
            fields.push((id, self.value(heading & 0x0f, depth + 1)?));
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<Value<'a>> {
        if depth > DEEPEST {
            return None;
        }
        match kind {
            // A truth value is part of its heading.
            TRUE | FALSE => Some(Value::Int(i64::from(kind == TRUE))),
            BYTE => self.byte().map(|b| Value::Int(i64::from(b as i8))),
            I16 | I32 | I64 => self.integer().map(Value::Int),
            DOUBLE => self.take(8).map(Value::Bytes),
            BINARY => {
                let length = usize::try_from(self.varint()?).ok()?;
                self.take(length).map(Value::Bytes)
            }
            LIST | SET => {
                let heading = self.byte()?;
                let items = if heading >> 4 == 15 { self.varint()? } else { u64::from(heading >> 4) };
                // Each item takes a byte at least, so a forged count ends at the end of the bytes.
                (0..items)
                    .map(|_| self.item(heading & 0x0f, depth + 1))
                    .collect::<Option<_>>()
                    .map(Value::List)
            }
            MAP => {
                let items = self.varint()?;
                let kinds = if items == 0 { 0 } else { self.byte()? };
                let mut found = Vec::new();
                for _ in 0..items {
                    found.push(self.item(kinds >> 4, depth + 1)?);
                    found.push(self.item(kinds & 0x0f, depth + 1)?);
                }
                Some(Value::List(found))
            }
            STRUCT => self.structure(depth),
            _ => None,
        }
    }

    /// A value in a list: there a truth value has a byte of its own.
    fn item(&mut self, kind: u8, depth: usize) -> Option<Value<'a>> {
        if matches!(kind, TRUE | FALSE) {
            self.byte().map(|b| Value::Int(i64::from(b)))
        } else {
            self.value(kind, depth)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_whole(bytes: &[u8]) -> bool {
        Reader::new(bytes).structure(0).is_some()
    }

    #[test]
    fn what_is_announced_must_be_there() {
        let mut good = Vec::new();
        let mut t = Compact::new(&mut good);
        t.int(1, -7, I32);
        t.bytes(2, b"name");
        t.list(3, I64, 20);
        (0..20).for_each(|i| t.varint(i));
        t.begin(4);
        t.int(1, 300, I64);
        t.end();
        t.stop();
        assert!((0..good.len()).all(|n| !is_whole(&good[..n])));
        let found = Reader::new(&good).structure(0).unwrap();
        assert_eq!((found.int(1), found.text(2).as_deref()), (Some(-7), Some("name")));
        assert_eq!(found.list(3).map(<[Value<'_>]>::len), Some(20));
        let forged = [0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0];
        assert!(!is_whole(&forged), "more structures than bytes");
        assert!(!is_whole(&[0x1c].repeat(100_000)), "deeper than any format");
    }

    #[test]
    fn every_kind_is_read() {
        #[rustfmt::skip]
        let bytes = [
            0x11, 0x12, 0x13, 0xff, 0x14, 3,          // true, false, the byte −1, −2
            0x17, 0, 0, 0, 0, 0, 0, 0, 0,             // a number
            0x1a, 0x21, 1, 2,                         // a set of two truth values
            0x1b, 1, 0x53, 4, 5,                      // a map of one item
            0x05, 180, 1, 8, 0,                       // field 90 is 4
        ];
        let found = Reader::new(&bytes).structure(0).unwrap();
        assert_eq!(
            (found.int(1), found.int(2), found.int(3), found.int(4)),
            (Some(1), Some(0), Some(-1), Some(-2))
        );
        assert_eq!(found.list(6).map(<[Value<'_>]>::len), Some(2));
        assert_eq!(found.list(7).map(<[Value<'_>]>::len), Some(2));
        assert_eq!(found.int(90), Some(4));
    }
}
