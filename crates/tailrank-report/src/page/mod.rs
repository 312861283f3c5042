//! The HTML report: one folder that opens offline.
