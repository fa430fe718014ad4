//! See `src/fuzzing.rs`: the whole `Cookie` header.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| vincula::fuzzing::cookies(bytes));
