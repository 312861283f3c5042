//! How a run stands, told from its folder.

use tailrank_experiment::EngineError;
use tailrank_runner::{
    status::{Status, list_plan, status},
    store::{Event, Store, host_name},
};

use crate::lab::{FRAME, Lab, SIX, Unsynced, part, whole};

fn look(root: &std::path::Path) -> Status {
    status(&Store::open_existing(&Unsynced, root).unwrap().0).unwrap()
}

fn counts(s: &Status) -> [usize; 5] {
    [s.cells, s.done, s.running.len(), s.left, s.failed.len()]
}

#[test]
fn a_half_finished_run_with_failures() {
    let lab = Lab::new();
    let faulty = SIX.replace("id = [0, 1, 2]", "fault = [\"none\", \"error\", \"nan\"], sleep_ms = 20");
    let plan = lab.plan(&format!("{FRAME}{faulty}"));
    let root = lab.path("run");
    part(&plan, &root, vec![0, 1, 3]).unwrap();
    let half = look(&root);
    assert_eq!(counts(&half), [6, 3, 0, 3, 1]);
    let failed = &half.failed[0];
    assert_eq!((failed.task.as_str(), failed.variants), ("a", 1));
    assert!(failed.reason.contains("failed on demand"), "{failed:?}");
    assert_eq!(half.forecast.timed, 3);
    assert_eq!(half.forecast.seconds, None, "nothing runs, so there is no pace");
    // Three fits of 20 ms are left, and the timed ones took that long at least.
    assert!((0.055..30.0).contains(&half.forecast.fit_seconds), "{:?}", half.forecast);
    assert!(!half.tables);

    whole(&plan, &root, &Unsynced, 2).unwrap();
    let end = look(&root);
    assert_eq!(counts(&end), [6, 6, 0, 0, 4]);
    assert_eq!(end.forecast.fit_seconds, 0.0);
    assert!(end.tables);
}

#[test]
fn what_workers_have_started_is_running_until_it_is_stored() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    let open = || Store::open(&Unsynced, &root, &plan.text, "lab").unwrap();
    list_plan(&plan, &open()).unwrap();
    assert_eq!(counts(&look(&root)), [6, 0, 0, 6, 0]);

    let here = |host: String| Event::Opened { cells: 6, finished: 0, host, process: String::new() };
    let started = |c: usize| Event::Started { cell: plan.cells[c].key.as_str().to_owned() };
    let (one, two) = (open().as_worker("slurm-7-1").unwrap(), open().as_worker("slurm-7-2").unwrap());
    one.events().append(here(host_name())).unwrap();
    one.events().append(started(4)).unwrap();
    two.events().append(here("node2".to_owned())).unwrap();
    two.events().append(started(5)).unwrap();
    let busy = look(&root);
    assert_eq!(counts(&busy), [6, 0, 2, 4, 0]);
    let who: Vec<(&str, &str)> = busy.running.iter().map(|r| (r.worker.as_str(), r.host.as_str())).collect();
    assert_eq!(who, [("slurm-7-1", host_name().as_str()), ("slurm-7-2", "node2")]);
    assert!(busy.forecast.seconds.is_some());

    // The cell of the second is stored by someone else; the first is requeued and starts anew.
    part(&plan, &root, vec![5]).unwrap();
    one.events().append(here(host_name())).unwrap();
    assert_eq!(counts(&look(&root)), [6, 1, 0, 5, 0]);
}

#[test]
fn a_requeued_task_is_counted_once_and_a_duplicate_beside_it() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    let open = || Store::open(&Unsynced, &root, &plan.text, "lab").unwrap();
    list_plan(&plan, &open()).unwrap();
    let begin = |worker: &str, host: &str, cell: usize| {
        let log = open().as_worker(worker).unwrap().events();
        log.append(Event::Opened { cells: 6, finished: 0, host: host.to_owned(), process: String::new() })
            .unwrap();
        log.append(Event::Started { cell: plan.cells[cell].key.as_str().to_owned() }).unwrap();
    };
    begin("slurm-7-1-r0-node1-50", "node1", 0);
    begin("slurm-7-1-r0-node2-50", "node2", 1);
    let twice = look(&root);
    assert_eq!(counts(&twice), [6, 0, 2, 4, 0]);
    assert!(twice.running.iter().all(|r| r.worker == "slurm-7-1"), "{:?}", twice.running);

    // Requeued on a third node: what it had started before is left, and nobody is missed.
    begin("slurm-7-1-r1-node3-50", "node3", 2);
    let again = look(&root);
    assert_eq!(counts(&again), [6, 0, 1, 5, 0]);
    assert_eq!((again.running[0].host.as_str(), again.lost.len()), ("node3", 0));
}

#[test]
fn a_lost_worker_is_named_until_the_run_is_over() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    let open = || Store::open(&Unsynced, &root, &plan.text, "lab").unwrap();
    list_plan(&plan, &open()).unwrap();
    let log = open().as_worker("gone").unwrap().events();
    log.append(Event::Opened { cells: 6, finished: 0, host: host_name(), process: String::new() }).unwrap();
    // The process of this test lives, so the log must speak of another.
    let path = root.join("log/workers/gone.events.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let own = format!("\"pid\":{}", std::process::id());
    std::fs::write(&path, text.replace(&own, &format!("\"pid\":{}", i32::MAX))).unwrap();
    assert_eq!(look(&root).lost.len(), 1);
    whole(&plan, &root, &Unsynced, 2).unwrap();
    assert_eq!(look(&root).lost.len(), 0);
}

#[test]
fn a_cell_fitted_again_is_judged_by_its_last_fit() {
    let lab = Lab::new();
    let plan = lab.six();
    let root = lab.path("run");
    part(&plan, &root, vec![0]).unwrap();
    let store = Store::open(&Unsynced, &root, &plan.text, "lab").unwrap();
    let stored = |failed, reason: Option<&str>| Event::Stored {
        cell: plan.cells[0].key.as_str().to_owned(),
        failed,
        reason: reason.map(ToOwned::to_owned),
        micros: None,
    };
    store.events().append(stored(1, Some("bad luck"))).unwrap();
    assert_eq!(look(&root).failed.len(), 1);
    store.events().append(stored(0, None)).unwrap();
    assert_eq!(look(&root).failed.len(), 0);
}

#[test]
fn a_folder_that_is_no_run_is_refused() {
    let lab = Lab::new();
    let root = lab.path("run");
    let refused = Store::open_existing(&Unsynced, &root).err();
    assert!(matches!(refused, Some(EngineError::NotARun { .. })));
    let store = Store::open(&Unsynced, &root, "name = \"x\"\n", "x").unwrap();
    let said = status(&store).unwrap_err().to_string();
    assert!(said.contains("log/plan.jsonl"), "{said}");
}

#[test]
fn a_listing_that_was_cut_is_no_smaller_plan() {
    let lab = Lab::new();
    let root = lab.path("run");
    part(&lab.six(), &root, vec![0]).unwrap();
    let path = root.join("log/plan.jsonl");
    let good = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    for kept in 0..lines.len() {
        let mut cut = lines[..kept].join("\n");
        cut.push('\n');
        std::fs::write(&path, &cut).unwrap();
        let store = Store::open_existing(&Unsynced, &root).unwrap().0;
        let said = status(&store).unwrap_err().to_string();
        assert!(said.contains("plan.jsonl is damaged") && said.contains("`tailrank run`"), "{kept}: {said}");
    }
    std::fs::write(&path, good.replacen("debug 1", "debug 7", 1)).unwrap();
    let store = Store::open_existing(&Unsynced, &root).unwrap().0;
    assert!(status(&store).unwrap_err().to_string().contains("checksum"));
    part(&lab.six(), &root, vec![0]).unwrap();
    assert_eq!(counts(&look(&root)), [6, 1, 0, 5, 0]);
}
