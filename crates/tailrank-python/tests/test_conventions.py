"""The checks that scikit-learn and imbalanced-learn make of their own estimators; every exception has its reason."""

import inspect
import warnings

import numpy as np
import pytest

import tailrank as tr

pytest.importorskip("sklearn")
pytest.importorskip("imblearn")

from imblearn.utils import estimator_checks as imblearn_checks  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

if "expected_failed_checks" not in inspect.signature(parametrize_with_checks).parameters:
    pytest.skip("exceptions are named since scikit-learn 1.6", allow_module_level=True)

# Of their classes 0, 1 and 2 the first, which is the rarest, is made the rare value.
RARE = tr.Relevance.table([(0.0, 1.0), (0.4, 0.0), (3.0, 0.0)])
COPIES = [tr.UnderSampler, tr.OverSampler, tr.WERCS]
SAMPLERS = [*COPIES, tr.SMOTER, tr.NoiseSampler, tr.SMOGN]

# Not asked: `check_target_type` wants continuous targets refused, which are what these samplers are for; `check_samplers_one_label` wants an
# error where there is one class, and these return the rows with a warning; `check_samplers_fit` and `…_sampling_strategy_fit_resample` ask for
# `sampling_strategy`, numbers of rows by class; `check_samplers_multiclass_ova` codes classes as columns; `check_samplers_sample_indices` reads
# a tag of imbalanced-learn's base class. Rows between others need numbers without gaps, so `check_samplers_nan` is for copies alone.
CHECKS = [
    "check_samplers_fit_resample",
    "check_samplers_sparse",
    "check_samplers_pandas",
    "check_samplers_pandas_sparse",
    "check_samplers_string",
    "check_samplers_list",
    "check_samplers_preserve_dtype",
    "check_samplers_2d_target",
]
FEATURES = ["check_sampler_get_feature_names_out", "check_sampler_get_feature_names_out_pandas"]


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("check", [*CHECKS, *FEATURES, "check_samplers_nan"])
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_imbalanced_learns_checks(sampler, check, monkeypatch):
    if check == "check_samplers_nan" and sampler not in COPIES:
        with pytest.raises(tr.TailrankError, match="has gaps, between which no rows are made"):
            sampler(relevance=RARE).fit_resample(np.array([[0.0], [np.nan]]), np.array([0.0, 1.0]))
        return
    getattr(imblearn_checks, check)(sampler.__name__, sampler(relevance=RARE, random_state=0))


# `fit` looks at nothing but the names of the inputs; `fit_resample` reads the values, and the tests of inputs hold it to more than this.
LAZY = "fit learns nothing and reads no values; fit_resample does"
EXPECTED = dict.fromkeys(["check_complex_data", "check_dtype_object", "check_estimators_empty_data_messages", "check_estimators_nan_inf"], LAZY)


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks([s() for s in SAMPLERS], expected_failed_checks=lambda estimator: EXPECTED)
def test_scikit_learns_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)
