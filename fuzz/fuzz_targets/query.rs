//! See `src/fuzzing.rs`: a link's query string.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| vincula::fuzzing::query(bytes));
