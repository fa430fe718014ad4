//! What is logged of a panic. Its message may contain any data (slicing a text at a wrong index
//! repeats the text), so it is never logged.

use std::panic::{PanicHookInfo, set_hook};

/// Sets a panic hook that logs the location in the code, without the message.
pub fn install_hook() {
    set_hook(Box::new(log_location));
}

/// The panic hook. It runs in the span of the request, so its line has the support code.
pub fn log_location(panic: &PanicHookInfo<'_>) {
    let location = panic
        .location()
        .map_or_else(|| "unknown".to_owned(), ToString::to_string);
    tracing::error!(place = location, "panicked");
}
