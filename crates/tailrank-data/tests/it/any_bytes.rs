//! Any bytes at all: the loader answers with a sound series or an error. `fuzz/` goes further with coverage.

use proptest::prelude::*;
use tailrank_data::{
    Missing, OpenFile, SeriesOptions, TableOptions, Warning, read_series_bytes, read_table_bytes,
};

/// A valid file to be damaged: one of the layouts people have.
fn whole() -> impl Strategy<Value = Vec<u8>> {
    prop::sample::select(vec![
        &b"Date,Open,High,Low,Close,Adj Close,Volume\n2008-07-10,1,1,1,50,25,1000\n2008-07-11,1,1,1,52,26,900\n"[..],
        b"<TICKER>,<PER>,<DATE>,<TIME>,<CLOSE>,<VOL>\nKO,D,20080710,000000,50,1000\nKO,D,20080711,000000,52,9\n",
        b"date;price\r\n10.07.2008;50\r\n13.07.2008;52\r\n",
        b"\xef\xbb\xbf\"Date\",\"Close\"\n\"Jul 10, 2008\",\"50\"\n\"Jul 11, 2008\",\"5\"\"2\"\n",
        b"Date,Close,Note\n2008-07-09,1,a 5\" pipe\n2008-07-10,2,b\n2008-07-11,3,6\" c\n2008-07-14,4,\"d, e\"\n",
        b"Date,A,B\n2008-07-09,1,\n2008-07-10,2,20\n2008-07-11,,21\n",
        b"symbol;date;Close\nKO;2008-07-10 09:30;50,5\nPEP;2008-07-10 09:30;1.060,5\nKO;2008-07-10 10:30;51\n",
        b"\xff\xfed\x00a\x00t\x00e\x00,\x00C\x00l\x00o\x00s\x00e\x00\n\x002\x000\x000\x008\x00-\x000\x007\x00,\x005\x00\n\x00",
    ])
    .prop_map(<[u8]>::to_vec)
}

/// Where, what and how: replace, insert, delete, repeat the rest.
fn damage() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, u8)>> {
    let signs = prop_oneof![any::<u8>(), prop::sample::select(b"\n\r\",;\t \0-.0".to_vec())];
    prop::collection::vec((any::<prop::sample::Index>(), signs, 0u8..4), 0..6)
}

/// Lines that are a session when they stand alone: none may vanish. A quotation mark may join lines, but not
/// such ones.
fn sessions_alone(bytes: &[u8], options: &SeriesOptions) -> usize {
    let mut lines = bytes.split(|b| *b == b'\n');
    let Some(header) = lines.next().filter(|h| !h.contains(&b'"') && !h.contains(&b'\r')) else { return 0 };
    let count = |line: &[u8], sign: u8| line.iter().filter(|b| **b == sign).count();
    let separator = *b",;\t|".iter().rev().max_by_key(|sign| count(header, **sign)).unwrap();
    let cells = count(header, separator) + 1;
    lines
        .filter(|line| cells > 2 && !line.contains(&b'"') && count(line, separator) + 1 == cells)
        .filter(|line| {
            let alone = [header, b"\n", line].concat();
            read_series_bytes("S.csv", &alone, options).is_ok_and(|loaded| loaded.value.len() == 1)
        })
        .count()
}

fn dropped(warnings: &[Warning]) -> usize {
    let rows = |w: &Warning| match w {
        Warning::DuplicateDropped { rows, .. } | Warning::MissingDropped { rows, .. } => *rows,
        _ => 0,
    };
    warnings.iter().map(rows).sum()
}

fn check(bytes: &[u8], missing: Missing) {
    let options = SeriesOptions { missing, max_bytes: Some(1 << 16), ..Default::default() };
    let sound = |series: &tailrank_data::PriceSeries| {
        match series.times() {
            None => assert!(series.dates().windows(2).all(|w| w[0] < w[1])),
            Some(times) => assert!(times.windows(2).all(|w| w[0] < w[1]) && series.dates().is_sorted()),
        }
        assert!(series.prices().iter().all(|p| p.is_finite() && *p > 0.0));
    };
    let told = |message: String| assert!(!message.contains("gave up"), "the CSV reader panicked: {bytes:?}");
    match read_series_bytes("S.csv", bytes, &options) {
        Ok(loaded) => {
            sound(&loaded.value);
            let read = loaded.value.len() + dropped(&loaded.warnings);
            assert!(read >= sessions_alone(bytes, &options), "rows are lost: {bytes:?}");
        }
        Err(e) => told(e.to_string()),
    }
    match OpenFile::of_bytes("W.csv", bytes, None).and_then(|file| file.wide(&[], &options)) {
        Ok(loaded) => loaded.value.iter().for_each(sound),
        Err(e) => told(e.to_string()),
    }
    let table = TableOptions { missing, ..TableOptions::new("Close") };
    match read_table_bytes("T.csv", bytes, &table) {
        Ok(loaded) => {
            assert!(loaded.value.targets().iter().all(|t| t.is_finite()));
            assert!(
                loaded
                    .value
                    .times()
                    .is_none_or(|times| times.is_sorted() && times.len() == loaded.value.rows())
            );
        }
        Err(e) => told(e.to_string()),
    }
    match OpenFile::of_bytes("L.csv", bytes, None).and_then(|file| file.long(&[], &options)) {
        Ok(loaded) => loaded.value.iter().for_each(sound),
        Err(e) => told(e.to_string()),
    }
    if let Ok(profile) = OpenFile::of_bytes("P.csv", bytes, 1 << 16)
        .and_then(|file| file.profile(Default::default(), &Default::default()))
    {
        let columns = &profile.value.columns;
        assert!(
            columns.iter().all(|c| c.missing + c.distinct <= profile.value.rows.max(c.missing)),
            "{bytes:?}"
        );
    }
}

proptest! {
    #[test]
    fn damaged_files_are_read_or_refused(mut bytes in whole(), damage in damage(), drop in any::<bool>()) {
        for (place, sign, how) in damage {
            if bytes.is_empty() {
                break;
            }
            let at = place.index(bytes.len());
            match how {
                0 => bytes[at] = sign,
                1 => bytes.insert(at, sign),
                2 => { bytes.remove(at); }
                _ => bytes.extend_from_within(at..),
            }
        }
        check(&bytes, if drop { Missing::Drop } else { Missing::Refuse });
    }

    /// Whatever a remark holds, written bare or quoted: every session is read, or the file is refused.
    #[test]
    fn remarks_cost_no_session(remarks in prop::collection::vec("[a \",;\n]{0,6}", 1..30), quote in any::<bool>()) {
        let mut csv = String::from("Date,Close,Note\n");
        let first = tailrank_data::Date::constant(2008, 1, 1);
        for (day, remark) in first.series(jiff::Span::new().days(1)).zip(&remarks) {
            let note = if quote {
                format!("\"{}\"", remark.replace('"', "\"\""))
            } else {
                remark.replace('\n', " ")
            };
            csv += &format!("{day},5,{note}\n");
        }
        match read_series_bytes("S.csv", csv.as_bytes(), &SeriesOptions::default()) {
            Ok(loaded) => prop_assert_eq!(loaded.value.len(), remarks.len()),
            // Bare separators make cells without a name, and bare marks may open a cell.
            Err(e) => prop_assert!(!quote && remarks.iter().any(|r| r.contains([',', '"'])), "{e}: {csv:?}"),
        }
    }

    #[test]
    fn noise_is_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes, Missing::Refuse);
    }
}
