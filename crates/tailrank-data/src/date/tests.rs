//! Dates as people write them.

use jiff::civil::{Date, Time};

use super::{clock::*, column::*, format::*, frequency::*};

#[test]
fn every_form_of_one_day() {
    let day = Date::constant(2008, 7, 11);
    for text in [
        "2008-07-11",
        "2008/7/11",
        "2008-07-11 00:00:00-05:00",
        "2008-07-11T16:00",
        "20080711",
        "11-Jul-2008",
        "11 July 2008",
        "Jul 11, 2008",
        " 2008-07-11 ",
        "20080711 160000",
        "11-Jul-2008 16:00",
        "11 JUL 2008 16:00:00.5",
        "Jul 11, 2008, 4:00 PM",
        "July 11 2008T16:00 America/New_York",
    ] {
        assert_eq!(DateFormat::Auto.parse(text), Some(day), "{text}");
    }
    for text in [
        "2008-13-01",
        "2008-02-30",
        "20081301",
        "",
        "July",
        "1/2/3/4",
        "11-Jux-2008",
        "٢٠٠٨-٠٧-١١",
        "+008-07-11",
        "2001-01-01 about",
        "2001-01-01 about 5:00",
        "2001-01-01Tomorrow",
        "Jul 11, 2008 later",
    ] {
        assert_eq!(DateFormat::Auto.parse(text), None, "{text}");
    }
}

#[test]
fn times_follow_the_other_forms_too() {
    let day = Some(Date::constant(2008, 7, 11));
    assert_eq!(DateFormat::DayFirst.parse("11/07/2008 16:00"), day);
    assert_eq!(DateFormat::MonthFirst.parse("7/11/2008 4:00:00 PM"), day);
}

#[test]
fn a_pattern_that_cannot_read_a_day_is_blamed() {
    for good in ["%d.%m.%Y", "%d-%b-%y", "%Y-%m-%d %H:%M", "%A, %B %d %Y"] {
        assert_eq!(DateFormat::from(good).check(), Ok(()), "{good}");
    }
    for bad in ["%Y-%m", "%Q", "dayfirst", "", "%"] {
        let message = DateFormat::from(bad).check().unwrap_err().to_string();
        assert!(message.starts_with(&format!("date_format = {bad:?} is not allowed")), "{message}");
    }
}

#[test]
fn a_column_decides_between_day_first_and_month_first() {
    let read = |cells: &[&'static str]| read_dates(&DateFormat::Auto, || cells.iter().copied());
    let Dates::Read(dates) = read(&["01/02/2008", "13/02/2008"]) else { panic!("day first fits") };
    assert_eq!(dates[0].map(|s| s.date), Some(Date::constant(2008, 2, 1)));
    let Dates::Read(dates) = read(&["01/02/2008", "02/13/2008"]) else { panic!("month first fits") };
    assert_eq!(dates[0].map(|s| s.date), Some(Date::constant(2008, 1, 2)));
    assert!(matches!(read(&["01/01/2008", "01/02/2008"]), Dates::Ambiguous(1)));
    assert!(matches!(read(&["13/01/2008", "01/13/2008"]), Dates::Unreadable(1)));
}

#[test]
fn months_quarters_weeks_and_years() {
    let first = |y, m| Some(Date::constant(y, m, 1));
    for text in [
        "2008-07",
        "2008/7",
        "2008M07",
        "07/2008",
        "Jul 2008",
        "July, 2008",
        "2008 Juli",
        "juil. 2008",
        "Jul-2008",
    ] {
        assert_eq!(DateFormat::Auto.parse(text), first(2008, 7), "{text}");
    }
    for text in ["2008Q3", "2008-Q3", "2008 q3", "Q3 2008", "2008:Q3"] {
        assert_eq!(DateFormat::Auto.parse(text), first(2008, 7), "{text}");
    }
    for text in ["2008-W28", "2008W28", "2008-W28-1"] {
        assert_eq!(DateFormat::Auto.parse(text), Some(Date::constant(2008, 7, 7)), "{text}");
    }
    // Numbers are not dates unless a column is known to hold them.
    for text in
        ["2008", "200807", "12.2008", "2008.07", "1215734400", "2008-13", "Q5 2008", "2008-W60", "may"]
    {
        assert_eq!(DateFormat::Auto.parse(text), None, "{text}");
    }
    let read = |cells: &[&'static str]| match read_dates(&DateFormat::Auto, || cells.iter().copied()) {
        Dates::Read(dates) => dates.into_iter().flatten().map(|s| s.date).collect::<Vec<_>>(),
        _ => Vec::new(),
    };
    assert_eq!(read(&["2007", "2008"]), [Date::constant(2007, 1, 1), Date::constant(2008, 1, 1)]);
    assert_eq!(read(&["200712", "200801"]), [Date::constant(2007, 12, 1), Date::constant(2008, 1, 1)]);
    assert_eq!(
        read(&["1215734400", "1215820800"]),
        [Date::constant(2008, 7, 11), Date::constant(2008, 7, 12)]
    );
    assert_eq!(read(&["1215734400000"]), [Date::constant(2008, 7, 11)]);
}

#[test]
fn months_in_four_languages() {
    for (text, month) in [
        ("11 März 2008", 3),
        ("11. Dez. 2008", 12),
        ("11 août 2008", 8),
        ("11 févr. 2008", 2),
        ("11 juin 2008", 6),
        ("11 dic 2008", 12),
        ("11-ene-2008", 1),
    ] {
        assert_eq!(DateFormat::Auto.parse(text), Some(Date::constant(2008, month, 11)), "{text}");
    }
    assert_eq!(DateFormat::Auto.parse("11 jui 2008"), None);
}

#[test]
fn times_of_day_and_their_distance_from_utc() {
    let read = |text: &str| DateFormat::Auto.stamp(text).map(|s| (s.time, s.offset));
    let time = |h, m, s, n| Some(Time::constant(h, m, s, n));
    for (text, expected) in [
        ("2008-07-11", (None, None)),
        ("2008-07-11 16:05", (time(16, 5, 0, 0), None)),
        ("2008-07-11T16:05:09.25Z", (time(16, 5, 9, 250_000_000), Some(0))),
        ("20080711 160509", (time(16, 5, 9, 0), None)),
        ("11 Jul 2008 4:05 PM", (time(16, 5, 0, 0), None)),
        ("11 Jul 2008 12:05 am", (time(0, 5, 0, 0), None)),
        ("2008-07-11 09:30:00-04:00", (time(9, 30, 0, 0), Some(-4 * 3600))),
        ("2008-07-11 09:30:00+0530", (time(9, 30, 0, 0), Some(5 * 3600 + 1800))),
        ("2008-07-11 16:00 America/New_York", (time(16, 0, 0, 0), Some(-4 * 3600))),
        ("2008-01-11 16:00[America/New_York]", (time(16, 0, 0, 0), Some(-5 * 3600))),
    ] {
        assert_eq!(read(text), Some(expected), "{text}");
    }
    let stamp = DateFormat::Auto.stamp("2008-07-11 22:30:00-04:00").unwrap();
    assert_eq!(stamp.instant(), Date::constant(2008, 7, 12).at(2, 30, 0, 0));
    assert_eq!(stamp.to_string(), "2008-07-11 22:30:00");
}

#[test]
fn a_clock_that_is_wrong_is_an_error() {
    for text in ["25:00", "16:61", "24:01", "24:00:01", "12:00:99", "13:00 PM", "0:30 am", "1:2:3:4", "2500"]
    {
        let text = format!("2008-07-11 {text}");
        assert_eq!(DateFormat::Auto.stamp(&text), None, "{text}");
        assert_eq!(clock_fault(&text), Some(NO_TIME), "{text}");
    }
    for zone in ["EST", "CEST", "Mars/Olympus", "local time"] {
        let text = format!("2008-07-11 16:00 {zone}");
        assert_eq!(DateFormat::Auto.stamp(&text), None, "{text}");
        assert_eq!(clock_fault(&text), Some(NO_ZONE), "{text}");
    }
    assert_eq!(clock_fault("later 25:00"), None);
    // Years of two digits that could be of either century.
    assert!(["1/1/57", "01.02.69", "57-02-01 10:00", "1-Feb-57"].iter().all(|day| clock_fault(day).is_some()));
    assert!(["1/1/48", "1/1/71", "57", "1/57"].iter().all(|day| clock_fault(day).is_none()));
    for text in ["2008-07-31 24:00", "20080731 240000", "31.07.2008 24:00:00", "2008-07-31T24:00Z"] {
        let stamp =
            [DateFormat::Auto, DateFormat::DayFirst].iter().find_map(|form| form.stamp(text)).unwrap();
        assert_eq!(stamp.shown(), Date::constant(2008, 8, 1).at(0, 0, 0, 0), "{text}");
    }
    let shown =
        |text: &str| read_clock(text).ok().and_then(|clock| clock.on(Date::constant(2008, 7, 11))?.time);
    assert_eq!(shown("930"), Some(Time::constant(9, 30, 0, 0)));
    assert_eq!(shown("93000"), Some(Time::constant(9, 30, 0, 0)));
    assert_eq!(shown("9"), Some(Time::constant(9, 0, 0, 0)));
}

#[test]
fn columns_that_are_known_to_hold_dates_may_write_them_in_more_ways() {
    let read = |format: &str, cells: &[&'static str]| {
        let format = if format.is_empty() { DateFormat::Auto } else { DateFormat::from(format) };
        match read_dates(&format, || cells.iter().copied()) {
            Dates::Read(dates) => Ok(dates
                .iter()
                .flatten()
                .map(|stamp| stamp.shown().to_string())
                .collect::<Vec<_>>()
                .join(" ")),
            Dates::Ambiguous(row) => Err((row, true)),
            Dates::Unreadable(row) => Err((row, false)),
        }
    };
    let day =
        |text: &str| Ok(text.split(' ').map(|day| format!("{day}T00:00:00")).collect::<Vec<_>>().join(" "));
    for (format, cells, expected) in [
        ("", &["199706011928", "199706011929"][..], Ok("1997-06-01T19:28:00 1997-06-01T19:29:00".to_owned())),
        ("", &["19970601192805"], Ok("1997-06-01T19:28:05".to_owned())),
        (
            "",
            &["1960.000", "1960.083", "1960.917", "1961"],
            day("1960-01-01 1960-02-01 1960-12-01 1961-01-01"),
        ),
        ("", &["1960", "1960.25", "1960.5", "1960.75"], day("1960-01-01 1960-04-01 1960-07-01 1960-10-01")),
        ("decimal-year", &["1960.1"], day("1960-02-07")),
        // Months behind a point, or January in hundredths?
        ("", &["1960.01", "1960.02", "1960.12"], Err((0, false))),
        ("", &["2008-193", "2008-366"], day("2008-07-11 2008-12-31")),
        ("", &["2008193", "2009001"], day("2008-07-11 2009-01-01")),
        ("", &["2009-366"], Err((0, false))),
        ("", &["25/12/97", "01/02/03"], day("1997-12-25 2003-02-01")),
        ("", &["12/25/97", "01/02/03"], day("1997-12-25 2003-01-02")),
        ("", &["97-12-25", "98-01-02"], day("1997-12-25 1998-01-02")),
        ("", &["11-Jul-08"], day("2008-07-11")),
        ("", &["01/02/03", "02/02/03"], Err((0, true))),
        ("day-first", &["01/02/03"], day("2003-02-01")),
        ("month-first", &["01/02/03"], day("2003-01-02")),
        ("year-first", &["01/02/03"], day("2001-02-03")),
        // 1955 or 2055?
        ("", &["25/12/55"], Err((0, false))),
        // Months of a year, or the first days of January?
        ("", &["1/1/1957", "2/1/1957", "3/1/1957"], Err((1, true))),
        (
            "",
            &["2008-07-11 23:00", "2008-07-11 24:00"],
            Ok("2008-07-11T23:00:00 2008-07-12T00:00:00".to_owned()),
        ),
        ("", &["2008-07-11 23:00", "2008-07-11 25:00"], Err((1, false))),
    ] {
        assert_eq!(read(format, cells), expected, "{format} {cells:?}");
    }
}

#[test]
fn distances_of_days_have_names() {
    let every = |days: i32| {
        let start = Date::constant(2008, 1, 1);
        frequency(&start.series(jiff::Span::new().days(days)).take(9).collect::<Vec<_>>())
    };
    assert_eq!((every(1), every(7), every(91)), (Frequency::Daily, Frequency::Weekly, Frequency::Quarterly));
    let months: Vec<Date> = Date::constant(2008, 1, 1).series(jiff::Span::new().months(1)).take(12).collect();
    assert_eq!(frequency(&months), Frequency::Monthly);
    assert_eq!(frequency(&months[..2]), Frequency::Irregular);
}
