//! The program's entry point. All code is in the library, so that this file compiles quickly.

use std::process::ExitCode;

fn main() -> ExitCode {
    vincula::main()
}
