//! The program's entry point. All code is in the library, so that this file compiles quickly.

// It has the library's dependencies.
#![allow(unused_crate_dependencies)]

use std::process::ExitCode;

/// Rendering a page makes hundreds of small allocations.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    vincula::main()
}
