//! Texts that change.

use leptos::prelude::*;
use web_sys::Element;

/// A directive for an element whose text changes: `<p use:text=line>{line.get_untracked()}</p>`. The
/// child is the first text, which the server renders. A changed text is set on the element, because a
/// translator replaces text nodes: Leptos would write into a node that is no longer in the document.
pub fn text(element: Element, text: Memo<String>) {
    // Another effect may change the text before this one runs.
    let first = text.get_untracked();
    Effect::new(move |shown: Option<String>| {
        let now = text.get();
        if shown.as_ref().unwrap_or(&first) != &now {
            element.set_text_content(Some(&now));
        }
        now
    });
}
