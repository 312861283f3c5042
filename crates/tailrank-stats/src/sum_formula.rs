//! How a draw is written down so that sums of per-case terms over it cost little.

/// Cases whose tile (32 KiB) stays in the first cache while all draws of a batch pass over it.
pub(crate) const STRETCH: usize = 128;

/// How a draw is written down for summing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum SumFormula {
    /// The counts of the cases drawn.
    #[default]
    Counts,
    /// Where the counts change, to be multiplied with running sums.
    Steps,
}

impl SumFormula {
    /// The shorter form of a draw.
    pub(crate) fn of(counts: &[u32]) -> Self {
        let length = |form: Self| {
            let mut entries = Vec::new();
            counts.chunks(STRETCH).for_each(|stretch| form.write(stretch, &mut entries));
            entries.len()
        };
        if length(Self::Steps) < length(Self::Counts) { Self::Steps } else { Self::Counts }
    }

    /// Appends the entries of one stretch.
    pub(crate) fn write(self, counts: &[u32], entries: &mut Vec<Entry>) {
        let mut push = |row: usize, mut weight: i64| {
            while weight != 0 {
                let part = weight.clamp(Entry::LEAST, Entry::MOST);
                entries.push(Entry::new(row, part));
                weight -= part;
            }
        };
        match self {
            Self::Counts => counts.iter().enumerate().for_each(|(row, &c)| push(row, i64::from(c))),
            Self::Steps => {
                for (row, pair) in counts.windows(2).enumerate() {
                    push(row, i64::from(pair[0]) - i64::from(pair[1]));
                }
                push(counts.len() - 1, counts.last().map_or(0, |&c| i64::from(c)));
            }
        }
    }
}

/// A row of a stretch's tile (seven bits) and its factor (nine bits); larger factors take several entries.
#[derive(Clone, Copy)]
pub(crate) struct Entry(i16);

impl Entry {
    const LEAST: i64 = -256;
    const MOST: i64 = 255;

    fn new(row: usize, factor: i64) -> Self {
        Self((factor as i16) << 7 | row as i16)
    }

    #[inline(always)]
    pub(crate) fn row(self) -> usize {
        (self.0 & 127) as usize
    }

    #[inline(always)]
    pub(crate) fn factor(self) -> f64 {
        f64::from(self.0 >> 7)
    }
}
