//! The program. Its code is in the library, because this file is compiled after that, at every edit.

use std::process::ExitCode;

/// Rendering a page allocates hundreds of short texts.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    vincula::cli::main()
}
