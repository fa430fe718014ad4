//! The program: everything it does is in the library, since what stands here is built after that, at every edit.

use std::process::ExitCode;

/// A page is put together out of hundreds of short texts: docs/performance.md, "What holds the server back".
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> anyhow::Result<ExitCode> {
    vincula::cli::run()
}
