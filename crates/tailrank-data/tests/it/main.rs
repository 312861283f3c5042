//! Tests through the public door, in one binary: polars is linked once.

mod bundled;
mod embedding;
mod malformed;
mod series;
mod splits;
mod tables;
