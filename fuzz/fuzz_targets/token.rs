//! See `src/fuzzing.rs`: a link's token.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| vincula::fuzzing::token(bytes));
