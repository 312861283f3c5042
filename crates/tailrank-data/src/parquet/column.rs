//! The values of a whole column, over all its row groups and pages.

use super::{
    Budget, Field, Fixed, Footer, Found, OrDamaged, Physical, bits,
    byte_arrays::{self, Dictionary},
    fixed::{self, Sink as _},
    hybrid,
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
    pub(crate) fn numbers<T: Fixed, U: Clone>(&self, missing: U, convert: impl Fn(T) -> U) -> Found<Vec<U>> {
        let mut out = Vec::new();
        for mut pages in self.groups()? {
            let mut dictionary = Vec::new();
            while let Some(page) = pages.next()? {
                match page {
                    Page::Dictionary(count, bytes) => fixed::plain(&bytes, count, &mut dictionary)?,
                    Page::Data(data) => {
                        let mut rows = Rows::new(&mut out, &data, &missing, &convert);
                        fixed::decode(&data, &dictionary, &mut rows)?;
                        rows.finish();
                    }
                }
            }
        }
        Ok(out)
    }

    /// Truth values as 1 and 0.
    pub(crate) fn booleans(&self) -> Found<Vec<f64>> {
        let mut out = Vec::new();
        for mut pages in self.groups()? {
            while let Some(page) = pages.next()? {
                let Page::Data(data) = page else { continue };
                let mut rows = Rows::new(&mut out, &data, &f64::NAN, &|bit| f64::from(u8::from(bit)));
                let mut add = |bit: bool, times: usize| {
                    rows.add(std::iter::repeat_n(bit, times));
                    Ok(())
                };
                match data.encoding {
                    PLAIN => bits::unpack(data.bytes(), 1, data.values, |bit| add(bit == 1, 1))?,
                    RLE => {
                        let runs =
                            prefixed(&mut Reader::new(data.bytes())).or_damaged("values are cut short")?;
                        hybrid::decode(runs, 1, data.values, |bit, times| add(bit != 0, times))?;
                    }
                    other => return fixed::unknown(other),
                }
                rows.finish();
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

/// The rows of a page: values made into what is wanted, and `missing` between them where a row has none.
struct Rows<'a, U, F> {
    out: &'a mut Vec<U>,
    presence: Option<std::slice::Iter<'a, bool>>,
    missing: &'a U,
    convert: &'a F,
}

impl<'a, U: Clone, F> Rows<'a, U, F> {
    fn new(out: &'a mut Vec<U>, data: &'a Data<'_>, missing: &'a U, convert: &'a F) -> Self {
        Self { out, presence: data.presence.as_ref().map(|presence| presence.iter()), missing, convert }
    }

    /// The missing values behind the last one.
    fn finish(self) {
        let behind = self.presence.map_or(0, |rest| rest.len());
        self.out.extend(std::iter::repeat_n(self.missing.clone(), behind));
    }
}

impl<T, U: Clone, F: Fn(T) -> U> fixed::Sink<T> for Rows<'_, U, F> {
    fn add(&mut self, values: impl ExactSizeIterator<Item = T>) {
        let values = values.map(self.convert);
        let Some(presence) = &mut self.presence else { return self.out.extend(values) };
        for value in values {
            let before = presence.by_ref().take_while(|is| !**is).count();
            self.out.extend(std::iter::repeat_n(self.missing.clone(), before));
            self.out.push(value);
        }
    }
}
