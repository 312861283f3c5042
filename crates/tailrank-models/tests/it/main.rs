//! The models from outside: one program, so that it links once.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "a failed test is how it reports"
)]

mod boost_reference;
mod cart_grid;
mod cart_rpart;
mod classification;
mod compare;
mod engines;
mod every_family;
mod facts;
mod forecasts;
mod forest_grid;
mod forest_r;
mod forest_sklearn;
mod knn_properties;
mod limits;
mod mars_properties;
mod mars_reference;
mod mars_stress;
mod nnet_properties;
mod nnet_reference;
mod parameter_tables;
mod peers_reference;
mod reference;
mod steps;
mod steps_ubl;
mod svm_behaviour;
mod svm_ko;
mod svm_oracle;
mod tables;
mod tasks;
mod weights_reference;
mod weights_repeats;
