//! UBL compatibility forms (in work).
