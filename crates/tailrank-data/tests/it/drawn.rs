//! Splits of rows of no series.

use tailrank_data::{
    ByDate, Date, Day, KFold, Leak, Result, Scheme, Split, SplitRows, Timeline, draw_splits,
};

pub(crate) trait Drawn {
    fn splits(&self, timeline: &Timeline, leak: Leak) -> Result<Vec<Split>>;
}

impl<S: Scheme> Drawn for S {
    fn splits(&self, timeline: &Timeline, leak: Leak) -> Result<Vec<Split>> {
        draw_splits(self, &SplitRows::new(timeline, 1), leak)
    }
}

impl Drawn for dyn Scheme + '_ {
    fn splits(&self, timeline: &Timeline, leak: Leak) -> Result<Vec<Split>> {
        draw_splits(self, &SplitRows::new(timeline, 1), leak)
    }
}

pub(crate) fn by_date(at: Date) -> ByDate {
    ByDate { at: Day(at), until: None, validation_at: None }
}

pub(crate) fn kfold(folds: usize, repeats: usize, shuffle: bool) -> KFold {
    KFold { folds, repeats, shuffle: Some(shuffle), stratify: None, validation_fold: false }
}
