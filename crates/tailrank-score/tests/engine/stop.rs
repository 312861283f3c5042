//! Scoring can be stopped as fitting can.

use tailrank_experiment::EngineError;
use tailrank_models::Cancel;
use tailrank_runner::store::Store;
use tailrank_score::score;

use crate::lab::{Lab, Unsynced, whole};

#[test]
fn scoring_stops_when_asked_and_can_go_on() {
    let lab = Lab::new();
    let plan = lab.six();
    whole(&plan, &lab.path("run"), &Unsynced, 2).unwrap();
    let (store, _) = Store::open_existing(&Unsynced, &lab.path("run")).unwrap();
    let cancel = Cancel::default();
    assert!(score::results_with(&cancel, &plan, &store, None).is_ok());
    cancel.cancel();
    let stopped = score::results_with(&cancel, &plan, &store, None);
    assert!(matches!(stopped, Err(EngineError::Interrupted)));
    assert!(score::results(&plan, &store).is_ok());
}
