//! Reads Thrift's compact protocol, which Parquet's metadata are written in: as much of it as they use.

const TRUE: u8 = 1;
const FALSE: u8 = 2;
const BYTE: u8 = 3;
const I16: u8 = 4;
const I32: u8 = 5;
const I64: u8 = 6;
const DOUBLE: u8 = 7;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// The format nests six deep.
const DEEPEST: usize = 12;

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

    pub(crate) fn varint(&mut self) -> Option<u64> {
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

    pub(crate) fn integer(&mut self) -> Option<i64> {
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
            LIST => {
                let heading = self.byte()?;
                let items = if heading >> 4 == 15 { self.varint()? } else { u64::from(heading >> 4) };
                // Each item takes a byte at least, so a forged count ends at the end of the bytes.
                (0..items)
                    .map(|_| self.item(heading & 0x0f, depth + 1))
                    .collect::<Option<_>>()
                    .map(Value::List)
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
        // −7, a text, twenty numbers, and 300 inside a structure.
        let items: Vec<u8> = (0..20).collect();
        let good =
            [&[0x15, 13, 0x18, 4][..], b"name", &[0x19, 0xf6, 20], &items, &[0x1c, 0x16, 0xd8, 4, 0, 0]]
                .concat();
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
            0x19, 0x21, 1, 2,                         // a list of two truth values
            0x05, 180, 1, 8, 0,                       // field 90 is 4
        ];
        let found = Reader::new(&bytes).structure(0).unwrap();
        assert_eq!(
            (found.int(1), found.int(2), found.int(3), found.int(4)),
            (Some(1), Some(0), Some(-1), Some(-2))
        );
        assert_eq!(found.list(6).map(<[Value<'_>]>::len), Some(2));
        assert_eq!(found.int(90), Some(4));
    }
}
