#!/usr/bin/env python3
"""Puts known defects into the source, one at a time, and shows which test sees each.

    python3 scripts/planted_defects.py [NAME …] [--save]

A defect counts as seen only if the test that is named for it fails, and only if that test passes without it. Files are changed in place and put
back; the tree must be clean. With --save the table goes to results/mutants/planted.md.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Name: what is wrong, file, line as it is, line with the defect, test target, test.
DEFECTS = {
    "fence": (
        "the low fence of the box-plot rule takes one range, not one and a half",
        "tailrank-metrics/src/relevance/box_plot.rs",
        "Ok((q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)))",
        "Ok((q1 - 1.0 * (q3 - q1), q3 + 1.5 * (q3 - q1)))",
        "oracle_base_r", "automatic_centres_are_rs_quantiles_and_one_and_a_half_ranges"),
    "monotone": (
        "slopes of a cubic φ are never corrected",
        "tailrank-metrics/src/relevance/pchip.rs",
        "            monotone(secant, &mut m, i);",
        "            let _ = (secant, i, monotone as fn(f64, &mut [f64], usize));",
        "oracle_base_r", "slopes_that_need_it_are_corrected_as_r_corrects_them"),
    "table": (
        "φ of kind \"table\" leans to the wrong neighbour",
        "tailrank-metrics/src/relevance/table.rs",
        "(phi0 * (1.0 - w) + phi1 * w)",
        "(phi0 * w + phi1 * (1.0 - w))",
        "oracle_base_r", "table_relevance_between_its_points"),
    "loess": (
        "UBL's local fit is never a number",
        "tailrank-metrics/src/utility/ubl/loess.rs",
        "least_norm(columns, &target)[0] / scales[0]",
        "least_norm(columns, &target)[0] * f64::NAN",
        "oracle_ubl", "c_ubl_util_interpol_bilinear"),
    "extra_trees": (
        "random cuts are compared by another criterion",
        "tailrank-models/src/forest/split.rs",
        "        let (gain, spread) = (left_sum * left_sum, left_count * (total - left_count));\n        let better",
        "        let (gain, spread) = (left_sum * left_sum, left_count);\n        let better",
        "forest_sklearn", "extra_trees_equal_scikit_learn_in_distribution"),
    "midpoint": (
        "a forest cuts at the lower value, not halfway",
        "tailrank-models/src/forest/grow.rs",
        "    if middle < above { middle.max(below) } else { below }",
        "    if middle < below { middle } else { below }",
        "forest_sklearn", "a_deterministic_tree_equals_scikit_learn_on_test_rows"),
    "decay": (
        "another default `decay`",
        "tailrank-models/src/nnet/settings.rs",
        '.decay(params.real("decay", 0.0))',
        '.decay(params.real("decay", 0.001))',
        "every_family", "defaults_are_those_of_the_parameter_table"),
    "minsplit": (
        "another default `minsplit`",
        "tailrank-models/src/cart/mod.rs",
        "(None, None) => (20, 7),",
        "(None, None) => (10, 7),",
        "every_family", "defaults_are_those_of_the_parameter_table"),
}


def passes(target, test):
    """Whether the test passes; a test that did not run at all ends the script."""
    done = subprocess.run(
        ["cargo", "test", "--locked", "--workspace", "--test", target, "--", "--exact", test],
        cwd=ROOT, capture_output=True, text=True)
    if f"test {test} ... ok" in done.stdout and done.returncode == 0:
        return True
    if f"test {test} ... FAILED" in done.stdout:
        return False
    sys.exit(f"{target} {test} did not run:\n{done.stdout[-2000:]}{done.stderr[-4000:]}")


def main():
    chosen = [a for a in sys.argv[1:] if not a.startswith("-")] or list(DEFECTS)
    if subprocess.run(["git", "diff", "--quiet", "HEAD", "--", "crates"], cwd=ROOT).returncode:
        sys.exit("crates/ has changes that are not committed")
    rows, unseen = [], []
    for name in chosen:
        what, file, right, wrong, target, test = DEFECTS[name]
        path = ROOT / "crates" / file
        text = path.read_text()
        if text.count(right) != 1:
            sys.exit(f"{file}: the line of defect '{name}' is there {text.count(right)} times; write the script anew")
        if not passes(target, test):
            sys.exit(f"{target} {test} fails without any defect")
        try:
            path.write_text(text.replace(right, wrong))
            seen = not passes(target, test)
        finally:
            path.write_text(text)
        print(f"{'seen' if seen else 'NOT SEEN'}: {what} ({target}::{test})", flush=True)
        rows.append(f"| {what} | `{file}` | `{target}::{test}` | {'fails' if seen else 'PASSES'} |\n")
        unseen += [] if seen else [name]
    if "--save" in sys.argv:
        out = ROOT / "results/mutants/planted.md"
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text("# Defects put in, and the test that sees each\n\nMade by `python3 scripts/planted_defects.py --save`.\n\n"
                       "| defect | file | test | with the defect |\n|---|---|---|---|\n" + "".join(rows))
    sys.exit(f"not seen: {', '.join(unseen)}" if unseen else 0)


main()
