//! Predictions of every family on one task, bit for bit: they may change only together with the family's
//! `version()`, which is part of the key of stored results.
//!
//! `fingerprints.csv` names the variants and holds the hash of their predictions. After raising a version, or
//! adding a line whose hash is empty, run once with `TAILRANK_BLESS=1`: it prints what changed, rewrites the
//! table and fails. `scripts/check/fingerprints.sh` runs this test on emulated processors;
//! `TAILRANK_NATIVE_ONLY=1` leaves out the engines of other crates, whose `exp` is the C library's, another
//! one on a processor without fused operations.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed test is how it reports")]

use std::{collections::BTreeMap, env, fs, path::PathBuf};

use tailrank_models::{FitContext, Matrix, ParamValue, Params, TrainSet, families, family, fit_grid};

const BLESS: &str = "TAILRANK_BLESS";
const NATIVE_ONLY: &str = "TAILRANK_NATIVE_ONLY";
const HEADER: &str = "family;engine;version;variant;hash";

#[derive(Clone, Debug, PartialEq)]
struct Line {
    family: String,
    engine: String,
    version: u32,
    variant: String,
    hash: String,
}

impl Line {
    fn parse(text: &str) -> Self {
        let fields: Vec<&str> = text.split(';').collect();
        let [family, engine, version, variant, hash] = fields[..] else { panic!("'{text}': five fields") };
        Self {
            family: family.to_owned(),
            engine: engine.to_owned(),
            version: version.parse().unwrap(),
            variant: variant.to_owned(),
            hash: hash.to_owned(),
        }
    }

    fn print(&self) -> String {
        format!("{};{};{};{};{}", self.family, self.engine, self.version, self.variant, self.hash)
    }

    fn params(&self) -> Params {
        let mut params = Params::new();
        for pair in self.variant.split_whitespace() {
            let (name, value) = pair.split_once('=').unwrap();
            let value = match value {
                "true" | "false" => ParamValue::Flag(value == "true"),
                _ => value.parse().map(ParamValue::Int).unwrap_or_else(|_| {
                    value.parse().map_or_else(|_| ParamValue::Text(value.to_owned()), ParamValue::Real)
                }),
            };
            params.insert(name, value);
        }
        params
    }
}

fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fingerprints.csv")
}

/// 330 × 6, smooth with a step and noise, by exact arithmetic alone: a library's `sin` may differ between
/// processors.
fn task() -> (Matrix, Vec<f64>, Matrix) {
    let mut state = 2_024_u64;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let mut inputs =
        |rows: usize| -> Vec<[f64; 6]> { (0..rows).map(|_| [(); 6].map(|()| uniform())).collect() };
    let (x, test) = (inputs(330), inputs(90));
    let y = x
        .iter()
        .map(|r| {
            let step = if r[2] > 0.3 { 1.0 } else { 0.0 };
            2.0 * r[0] + r[1] * r[1] * r[1] + r[0] * r[3] + step + 0.3 * uniform()
        })
        .collect();
    (Matrix::from_rows(&x).unwrap(), y, Matrix::from_rows(&test).unwrap())
}

fn hash(predictions: &[f64]) -> String {
    let mut hasher = blake3::Hasher::new();
    predictions.iter().for_each(|p| _ = hasher.update(&p.to_le_bytes()));
    hasher.finalize().to_hex()[..16].to_owned()
}

/// The table with versions and hashes of this build.
fn computed(table: &[Line]) -> Vec<Line> {
    let (x, y, test) = task();
    let mut lines = Vec::new();
    for group in table.chunk_by(|a, b| (&a.family, &a.engine) == (&b.family, &b.engine)) {
        let family = family(&group[0].family, Some(&group[0].engine)).unwrap();
        let variants: Vec<Params> = group.iter().map(Line::params).collect();
        let train = TrainSet::new(x.view(), &y);
        let fits = fit_grid(family, train, test.view(), &variants, &FitContext::new(11)).unwrap();
        for (line, fit) in group.iter().zip(fits) {
            let fit = fit.unwrap_or_else(|e| panic!("{}: {e}", line.print()));
            lines.push(Line { version: family.version(), hash: hash(&fit.predictions), ..line.clone() });
        }
    }
    lines
}

#[test]
fn predictions_change_only_with_the_version() {
    let text = fs::read_to_string(path()).unwrap();
    assert_eq!(text.lines().next(), Some(HEADER));
    let mut table: Vec<Line> = text.lines().skip(1).map(Line::parse).collect();
    if env::var_os(NATIVE_ONLY).is_some() {
        table.retain(|line| line.engine == "native");
    }
    let now = computed(&table);
    let changed: Vec<(&Line, &Line)> = table.iter().zip(&now).filter(|(old, new)| old != new).collect();
    if changed.is_empty() {
        return;
    }
    let mut message = String::new();
    for (old, new) in &changed {
        message += &format!("- {}\n+ {}\n", old.print(), new.print());
    }
    let silent = changed.iter().any(|(old, new)| old.version == new.version && !old.hash.is_empty());
    if silent {
        panic!(
            "{message}predictions changed, but version() of the family did not: raise it, for stored results"
        );
    }
    if env::var_os(BLESS).is_none() || env::var_os(NATIVE_ONLY).is_some() {
        panic!("{message}new versions: look at the change, then run the test once with {BLESS}=1");
    }
    let lines: Vec<String> = now.iter().map(Line::print).collect();
    fs::write(path(), format!("{HEADER}\n{}\n", lines.join("\n"))).unwrap();
    panic!("{message}{} of {} lines rewritten; run the test again without {BLESS}", changed.len(), now.len());
}

/// Many rows are fitted from one pass over them, where the task of the table is too small for it.
#[test]
fn linear_models_on_many_rows() {
    let (small, y, test) = task();
    let value =
        |i: usize, j: usize| small.view().at((i * 7 + j * 31) % 330, j % 6) + (i * j % 1009) as f64 / 64.0;
    let x: Vec<f64> = (0..27_000 * 20).map(|k| value(k / 20, k % 20)).collect();
    let y: Vec<f64> = (0..27_000).map(|i| y[i % 330] + (i % 13) as f64).collect();
    let (x, rows) = (Matrix::new(27_000, 20, x).unwrap(), test.view().rows());
    let test = Matrix::new(rows, 20, (0..rows * 20).map(|k| value(k / 20 * 3, k % 20)).collect()).unwrap();
    let family = family("linear", None).unwrap();
    let grid =
        ["none", "ridge", "lasso", "elastic_net"].map(|penalty| Params::new().with("penalty", penalty));
    let fits =
        fit_grid(family, TrainSet::new(x.view(), &y), test.view(), &grid, &FitContext::new(1)).unwrap();
    let hashes: Vec<String> = fits.into_iter().map(|fit| hash(&fit.unwrap().predictions)).collect();
    assert_eq!(family.version(), 4);
    assert_eq!(hashes, ["99c784a543ca3f96", "a15ec01ded0e2579", "f1368a55accb26cb", "a70029de22ef5f2e"]);
}

#[test]
fn every_family_is_in_the_table_with_its_defaults() {
    let text = fs::read_to_string(path()).unwrap();
    let mut variants: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for line in text.lines().skip(1).map(Line::parse) {
        variants.entry((line.family, line.engine)).or_default().push(line.variant);
    }
    for family in families() {
        let key = (family.name().to_owned(), family.engine().to_owned());
        let own = variants.get(&key).unwrap_or_else(|| panic!("{key:?} has no fingerprints"));
        assert!(own.iter().any(String::is_empty), "{key:?}: the defaults are missing");
        // A native family is fingerprinted in every parameter it has.
        if family.engine() == "native" {
            for parameter in family.parameters().iter().filter(|p| !UNSEEN.contains(&p.name)) {
                let named =
                    |v: &String| v.split_whitespace().any(|p| p.starts_with(&format!("{}=", parameter.name)));
                assert!(own.iter().any(named), "{key:?}: no variant sets {}", parameter.name);
            }
        }
    }
    assert_eq!(variants.len(), families().len());
}

/// Limits that only refuse or end a fit.
const UNSEEN: &[&str] = &["max_weights", "max_iter"];
