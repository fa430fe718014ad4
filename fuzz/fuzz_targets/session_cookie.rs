//! See `src/fuzzing.rs`: the session cookie.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| vincula::fuzzing::session_cookie(bytes));
