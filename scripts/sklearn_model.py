"""A scikit-learn regressor as a model of an experiment (family = "command").

    python3 sklearn_model.py REGRESSOR TRAIN TEST OUT SEED [name=value ...]

TRAIN has the inputs and the target y, TEST the inputs; OUT gets one prediction per row of TEST. Categories are coded and gaps filled here.
REGRESSOR is a name below; name=value sets its parameters. experiments/external.toml shows the other side.
"""

import ast
import sys

import pandas as pd
from sklearn.compose import TransformedTargetRegressor, make_column_selector, make_column_transformer
from sklearn.ensemble import ExtraTreesRegressor, GradientBoostingRegressor, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.impute import SimpleImputer
from sklearn.linear_model import HuberRegressor, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVR

REGRESSORS = {
    "extra_trees": ExtraTreesRegressor,
    "gradient_boosting": GradientBoostingRegressor,
    "hist_boosting": HistGradientBoostingRegressor,
    "huber": HuberRegressor,
    "knn": KNeighborsRegressor,
    "random_forest": RandomForestRegressor,
    "ridge": Ridge,
    "svr": SVR,
}


def value(text):
    """A number, a flag or a word."""
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def read(path):
    return pd.read_parquet(path) if path.endswith(".parquet") else pd.read_csv(path)


def main():
    if len(sys.argv) < 6 or sys.argv[1] not in REGRESSORS:
        sys.exit(f"usage: sklearn_model.py {'|'.join(REGRESSORS)} TRAIN TEST OUT SEED [name=value ...]")
    name, train, test, out, seed = sys.argv[1:6]
    settings = {key: value(text) for key, text in (pair.split("=", 1) for pair in sys.argv[6:])}
    model = REGRESSORS[name]()
    if "random_state" in model.get_params():
        settings.setdefault("random_state", int(seed))
    model.set_params(**settings)
    # Learned from the training rows only; scaled, so that distances and penalties treat all inputs alike.
    columns = make_column_transformer(
        (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), make_column_selector(dtype_include="number")),
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), make_column_selector(dtype_exclude="number")),
    )
    model = TransformedTargetRegressor(make_pipeline(columns, model), transformer=StandardScaler())
    train, test = read(train), read(test)
    model.fit(train.drop(columns="y"), train["y"])
    result = pd.DataFrame({"prediction": model.predict(test)})
    result.to_parquet(out) if out.endswith(".parquet") else result.to_csv(out, index=False)


if __name__ == "__main__":
    main()
