//! No table, page or report outlives what it was made from.

use std::{
    fs,
    os::unix::fs::symlink,
    path::PathBuf,
    process::Stdio,
    thread::sleep,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::{BASELINES, Desk, desk_with, files, outputs, table_csv, text};

fn report_folders(desk: &Desk) -> Vec<String> {
    let entries = fs::read_dir(desk.path("runs/try")).unwrap();
    let names = entries.map(|e| e.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("report-")).collect()
}

/// Folders that were not as they had been written, and are kept.
pub(crate) fn kept_folders(desk: &Desk, below: &str) -> Vec<String> {
    let entries = fs::read_dir(desk.path(below)).unwrap();
    let names = entries.map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut kept: Vec<String> =
        names.filter(|name| name.contains("-kept-")).map(|name| format!("{below}/{name}")).collect();
    kept.sort();
    kept
}

fn cells(desk: &Desk) -> Vec<PathBuf> {
    let folder = desk.path("runs/try/cells");
    files(&folder).into_keys().map(|file| folder.join(file)).collect()
}

/// A run that is suspended between its cells and its tables, and goes on when the folder is another's.
#[test]
fn a_run_that_was_overtaken_leaves_the_tables_alone() {
    const CELLS: usize = 150;
    let ids: Vec<String> = (0..CELLS).map(|i| i.to_string()).collect();
    let desk =
        desk_with(&format!("[[models]]\nfamily = \"debug\"\ngrid = {{ id = [{}] }}\n", ids.join(", ")));
    let plain = desk.read("e.toml");
    // Permutations that take seconds hold the first run where everything is fitted and nothing is written.
    desk.write("e.toml", plain.replace("[compare]", "[compare]\npermutations = 1_000_000"));
    let mut slow =
        desk.tailrank(&["run", "e.toml"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    let stored = || {
        fs::read_to_string(desk.path("runs/try/log/events.jsonl"))
            .is_ok_and(|e| e.matches("\"closed\"").count() == 1)
    };
    while !stored() {
        assert!(started.elapsed() < Duration::from_secs(60));
        sleep(Duration::from_millis(5));
    }
    let pid = Pid::from_raw(i32::try_from(slow.id()).unwrap());
    kill(pid, Signal::SIGSTOP).unwrap();
    desk.write("e.toml", plain.replace("t_l = 0.5", "t_l = 0.4"));
    desk.stdout(&["run", "e.toml"], 0);
    let now = outputs(&desk.path("runs/try"));
    let page = files(&desk.path("runs/try/report"));
    kill(pid, Signal::SIGCONT).unwrap();
    assert_eq!(slow.wait().unwrap().code(), Some(1));
    let said = std::io::read_to_string(slow.stderr.take().unwrap()).unwrap();
    let said = said.replace('\n', " ");
    assert!(said.contains("taken this folder over"), "{said}");
    assert!(outputs(&desk.path("runs/try")) == now);
    assert!(files(&desk.path("runs/try/report")) == page);
}

/// Two runs that end at the same moment leave the tables of one of them, whole.
#[test]
fn two_at_once_do_not_mix_their_tables() {
    let desk = desk_with(BASELINES);
    let plain = desk.read("e.toml");
    desk.write("other.toml", plain.replace("t_l = 0.5", "t_l = 0.4"));
    let alone = |file: &str, out: &str| {
        desk.stdout(&["run", file, "--no-report", "--out", out], 0);
        outputs(&desk.path(out))
    };
    let expected = [alone("e.toml", "a"), alone("other.toml", "b")];
    for _ in 0..8 {
        let start = |file: &str| {
            let mut run = desk.tailrank(&["run", file, "--no-report"]);
            run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        // Once the folder is one experiment's, the other is refused: the race is for a new one.
        _ = fs::remove_dir_all(desk.path("runs"));
        let mut runs = [start("e.toml"), start("other.toml")];
        let codes = runs.each_mut().map(|run| run.wait().unwrap().code());
        assert!(codes.iter().all(|code| matches!(code, Some(0..=2))), "{codes:?}");
        let settings = desk.read("runs/try/experiment.toml");
        let of = usize::from(settings.contains("t_l = 0.4"));
        let found = outputs(&desk.path("runs/try"));
        let tables_are_there = found.contains_key(std::path::Path::new("results/files.json"));
        assert!(!tables_are_there || found == expected[of], "{codes:?}: tables of another experiment");
    }
}

#[test]
fn a_report_under_changed_settings_goes_with_its_data() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml"], 0);
    desk.stdout(&["report", "runs/try", "--t-e", "0.6"], 0);
    let [report] = report_folders(&desk).try_into().unwrap();
    let path = format!("runs/try/{report}");
    desk.stdout(&["compare", "runs/try", &path], 0);
    fs::rename(desk.path(&path), desk.path("kept")).unwrap();
    desk.stdout(&["report", "runs/try", "--t-e", "0.6"], 0);
    desk.write(&format!("{path}/notes.md"), "mine");
    desk.write("table.csv", table_csv(220));
    let said = desk.stderr(&["run", "e.toml"], 0);
    assert!(said.contains("notes.md"), "{said}");
    assert!(!desk.path(&path).exists());
    let [kept] = kept_folders(&desk, "runs/try").try_into().unwrap();
    assert_eq!(desk.read(&format!("{kept}/notes.md")), "mine");
    let shown = desk.stdout(&["compare", "runs/try", "kept"], 0);
    assert!(shown.contains("Different data"), "{shown}");
}

#[test]
fn tables_of_other_settings_are_not_read() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    let record = desk.read("runs/try/results/files.json");
    let settings = record.split("\"settings\": \"").nth(1).unwrap()[..32].to_owned();
    desk.write("runs/try/results/files.json", record.replace(&settings, &"0".repeat(32)));
    let said = desk.stderr(&["compare", "runs/try", "runs/try"], 1).replace('\n', " ");
    assert!(said.contains("other settings"), "{said}");
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    desk.stdout(&["compare", "runs/try", "runs/try"], 0);
}

#[test]
fn cells_that_vanished_are_counted_by_reading_and_leave_the_tables() {
    let desk = desk_with(BASELINES);
    desk.stdout(&["run", "e.toml"], 0);
    let tables = desk.read("runs/try/results/scores.csv");
    let cell = cells(&desk).remove(0);
    let bytes = fs::read(&cell).unwrap();
    fs::remove_file(&cell).unwrap();
    symlink("nowhere", &cell).unwrap();
    let output = crate::ends_with(3, &mut desk.tailrank(&["report", "runs/try"]));
    assert!(text(&output.stderr).contains("1 of 2 groups of fits are missing"), "{}", text(&output.stderr));
    assert_eq!(desk.read("runs/try/results/scores.csv"), tables);
    // Another file under the name of this cell, with a checksum that fits.
    let _ = fs::remove_file(&cell);
    let other = cells(&desk).remove(0);
    let key = cell.file_name().unwrap().to_str().unwrap().split('.').next().unwrap().to_owned();
    let sum = other.file_name().unwrap().to_str().unwrap().split('.').nth(1).unwrap().to_owned();
    fs::copy(&other, cell.with_file_name(format!("{key}.{sum}.parquet"))).unwrap();
    assert_eq!(desk.fits(&["run", "e.toml"], 0), (1, 1));
    assert_eq!(fs::read(&cell).unwrap(), bytes);
    assert_eq!(desk.read("runs/try/results/scores.csv"), tables);
}

/// Two cells of the same shape and parameters: only the key inside tells them apart.
#[test]
fn a_cell_under_a_forged_name_is_set_aside() {
    let desk = desk_with("[[models]]\nfamily = \"debug\"\n");
    desk.stdout(&["run", "e.toml", "--no-report", "--out", "other"], 0);
    let folder = desk.path("other/cells");
    let foreign = folder.join(files(&folder).into_keys().next().unwrap());
    desk.write("e.toml", desk.read("e.toml").replace("seed = 7", "seed = 8"));
    desk.stdout(&["run", "e.toml", "--no-report"], 0);
    let cell = cells(&desk).remove(0);
    let key = cell.file_name().unwrap().to_str().unwrap().split('.').next().unwrap().to_owned();
    let sum = foreign.file_name().unwrap().to_str().unwrap().split('.').nth(1).unwrap().to_owned();
    fs::remove_file(&cell).unwrap();
    fs::copy(&foreign, cell.with_file_name(format!("{key}.{sum}.parquet"))).unwrap();
    assert_eq!(desk.fits(&["run", "e.toml", "--no-report"], 0), (1, 0));
}
