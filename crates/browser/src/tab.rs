//! A number that the browser's tab remembers from page to page.

use web_sys::Storage;

/// The number kept under a name, if the tab remembers one of the same `owner`.
pub fn remembered(name: &str, owner: &str) -> Option<usize> {
    let kept = storage()?.get_item(name).ok()??;
    kept.strip_prefix(owner)?.strip_prefix(':')?.parse().ok()
}

/// Keeps a number in the place of an earlier one. A browser that keeps nothing is no failure.
pub fn remember(name: &str, owner: &str, number: usize) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(name, &[owner, ":", &number.to_string()].concat());
    }
}

fn storage() -> Option<Storage> {
    web_sys::window()?.session_storage().ok()?
}
