//! See `src/fuzzing.rs`: `X-Forwarded-For`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| vincula::fuzzing::forwarded_for(bytes));
