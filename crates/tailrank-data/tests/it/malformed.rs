//! Every file of `tests/malformed` is refused with the message beside it.

use std::{fs, path::Path};

use tailrank_data::{SeriesOptions, read_series_bytes};

#[test]
fn each_malformed_file_gets_its_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/malformed");
    let mut names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    let (messages, files): (Vec<String>, Vec<String>) =
        names.into_iter().partition(|n| n.ends_with(".message"));
    let paired: Vec<String> = files.iter().map(|f| format!("{f}.message")).collect();
    assert_eq!(messages, paired, "every file has a message and every message a file");
    assert!(!files.is_empty());
    for name in files {
        let path = folder.join(&name);
        let expected = fs::read_to_string(path.with_file_name(format!("{name}.message"))).unwrap();
        match read_series_bytes(&name, &fs::read(&path).unwrap(), &SeriesOptions::default()) {
            Ok(_) => panic!("{name} was read"),
            Err(e) => assert_eq!(e.to_string(), expected.trim_end(), "{name}"),
        }
    }
}
