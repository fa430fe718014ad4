//! The program's entry point. All code is in the library, so that this file compiles quickly.

// The program has the dependencies of its library.
#![allow(unused_crate_dependencies)]

use std::process::ExitCode;

fn main() -> ExitCode {
    vincula::main()
}
