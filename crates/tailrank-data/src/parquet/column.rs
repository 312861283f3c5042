//! The values of a whole column, over all its row groups and pages.

use super::{
    Budget, Field, Fixed, Footer, Found, OrDamaged, Physical, bits,
    byte_arrays::{self, Dictionary},
    fixed, hybrid,
    page::{Data, PLAIN, Page, Pages, RLE, prefixed},
    thrift::Reader,
};

/// A column, and what it may take.
pub(crate) struct ColumnReader<'a> {
    pub(crate) file: &'a [u8],
    pub(crate) footer: &'a Footer,
    pub(crate) field: &'a Field,
    pub(crate) budget: &'a Budget,
}

impl<'a> ColumnReader<'a> {
    /// Values of a fixed size, each made into what is wanted.
    pub(crate) fn numbers<T: Fixed, U: Clone>(&self, missing: &U, convert: impl Fn(T) -> U) -> Found<Vec<U>> {
        let (mut out, mut values) = (Vec::new(), Vec::new());
        for mut pages in self.groups()? {
            let mut dictionary = Vec::new();
            while let Some(page) = pages.next()? {
                match page {
                    Page::Dictionary(count, bytes) => fixed::plain(&bytes, count, &mut dictionary)?,
                    Page::Data(data) => {
                        values.clear();
                        fixed::decode(&data, &dictionary, &mut values)?;
                        spread(&mut out, &data, values.iter().map(|value| convert(*value)), missing);
                    }
                }
            }
        }
        Ok(out)
    }

    /// Truth values as 1 and 0.
    pub(crate) fn booleans(&self) -> Found<Vec<f64>> {
        let (mut out, mut values) = (Vec::new(), Vec::new());
        for mut pages in self.groups()? {
            while let Some(page) = pages.next()? {
                let Page::Data(data) = page else { continue };
                values.clear();
                match data.encoding {
                    PLAIN => bits::unpack(data.bytes(), 1, data.values, |bit| values.push(bit as u32))?,
                    RLE => {
                        let runs =
                            prefixed(&mut Reader::new(data.bytes())).or_damaged("values are cut short")?;
                        hybrid::decode(runs, 1, data.values, &mut values)?;
                    }
                    other => return fixed::unknown(other),
                }
                spread(
                    &mut out,
                    &data,
                    values.iter().map(|value| f64::from(u8::from(*value != 0))),
                    &f64::NAN,
                );
            }
        }
        Ok(out)
    }

    /// Calls `each` with every byte array, or none where a value is missing.
    pub(crate) fn byte_arrays(&self, mut each: impl FnMut(Option<&[u8]>) -> Found<()>) -> Found<()> {
        let width = if let Physical::Fixed(width) = self.field.physical { Some(width) } else { None };
        for mut pages in self.groups()? {
            let mut dictionary = Dictionary::default();
            while let Some(page) = pages.next()? {
                match page {
                    Page::Dictionary(count, bytes) => dictionary = Dictionary::of(bytes, count, width)?,
                    Page::Data(data) => {
                        let Some(presence) = &data.presence else {
                            byte_arrays::decode(&data, &dictionary, width, |value| each(Some(value)))?;
                            continue;
                        };
                        let mut rows = presence.iter();
                        byte_arrays::decode(&data, &dictionary, width, |value| {
                            for _ in rows.by_ref().take_while(|is| !**is) {
                                each(None)?;
                            }
                            each(Some(value))
                        })?;
                        rows.try_for_each(|_| each(None))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The pages of every row group.
    fn groups(&self) -> Found<Vec<Pages<'a>>> {
        let pages = |group: &super::footer::Group| {
            let chunk = group.chunks.get(self.field.leaf).copied().or_damaged("a column has no pages")?;
            Ok(Pages::new(self.file, chunk, self.field.optional, group.rows, self.budget))
        };
        self.footer.groups.iter().map(pages).collect()
    }
}

/// Appends values, and `missing` between them where a row has none.
fn spread<U: Clone>(out: &mut Vec<U>, data: &Data<'_>, mut values: impl Iterator<Item = U>, missing: &U) {
    match &data.presence {
        None => out.extend(values),
        Some(presence) => {
            let value = |is: &bool| if *is { values.next() } else { None };
            let mut value = value;
            out.extend(presence.iter().map(|is| value(is).unwrap_or_else(|| missing.clone())));
        }
    }
}
