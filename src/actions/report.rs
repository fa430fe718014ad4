//! The report of an island that failed, which any page can send.

use leptos::{prelude::*, server_fn::codec::Json};
use vincula_upstream::redact;

use super::{ActionContext, ActionError, BrowserSession, respond};
use crate::{
    failure::Failure,
    wire::{Done, ReportIslandInput},
};

/// Longest name or reason that is logged, in characters.
const MAX_REASON_CHARS: usize = 200;

/// Logs an island that failed. Needs no session, because it changes nothing.
#[server(endpoint = "report_island", input = Json)]
pub async fn report_island(input: ReportIslandInput) -> Result<Done, Failure> {
    respond(report, input).await
}

async fn report(
    _: &ActionContext,
    _: &mut BrowserSession,
    input: ReportIslandInput,
) -> Result<Done, ActionError> {
    // Anybody can send a report, and a library's message may repeat typed text.
    let plain = |text: &str| {
        let visible: String = text.chars().filter(|&c| is_visible(c)).collect();
        redact::shortened(&visible, &[], MAX_REASON_CHARS)
    };
    tracing::warn!(
        island = plain(&input.island),
        reason = plain(&input.reason),
        "island failed"
    );
    Ok(Done {})
}

/// Whether a character is visible as itself: no control character, nothing of Unicode's category Cf
/// (text direction, zero width), no space but U+0020. Beyond ASCII, these are the characters that
/// Rust's `Debug` does not escape. A report is logged
/// without the rest, which could hide a document from the redaction.
fn is_visible(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic() || (!c.is_ascii() && c.escape_debug().len() == 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::is_visible;

    proptest! {
        #[test]
        fn escapes_every_format_character(c in "[\\p{Cf}\\p{Cc}\\p{Zl}\\p{Zp}\\p{Co}]") {
            prop_assert!(!c.chars().any(is_visible), "{c:?}");
        }

        #[test]
        fn letters_of_any_language_are_visible(text in "[\\p{L}\\p{Nd}\\p{Sc} ]{0,20}") {
            // Combining marks are not visible as themselves; precomposed letters contain none.
            prop_assume!(text.chars().all(|c| c.escape_debug().len() == 1));
            prop_assert!(text.chars().all(is_visible));
        }
    }
}
