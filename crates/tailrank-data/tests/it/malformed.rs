//! Every file of `tests/malformed` is refused with the message beside it.

use std::{fs, path::Path};

use tailrank_data::{SeriesOptions, read_series_bytes};

#[test]
fn each_malformed_file_gets_its_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/malformed");
    let mut checked = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.ends_with(".message") {
            continue;
        }
        let expected = fs::read_to_string(path.with_file_name(format!("{name}.message"))).unwrap();
        match read_series_bytes(&name, &fs::read(&path).unwrap(), &SeriesOptions::default()) {
            Ok(_) => panic!("{name} was read"),
            Err(e) => assert_eq!(e.to_string(), expected.trim_end(), "{name}"),
        }
        checked += 1;
    }
    assert!(checked >= 24, "only {checked} files");
}
