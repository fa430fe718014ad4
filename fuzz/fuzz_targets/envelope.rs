//! See `src/fuzzing.rs`: the upstream's answers.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| vincula::fuzzing::envelope(bytes));
