//! See `src/fuzzing.rs`: CPF and CNPJ.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| vincula::fuzzing::tax_id(bytes));
