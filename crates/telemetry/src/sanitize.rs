//! Restricts log lines to visible characters: nothing that colours, reverses, hides or breaks the text beside it.
//!
//! Untrusted text is logged in few places, and each of them sanitises it. This writer is the second line of defence,
//! also for the lines of libraries.

use std::{
    borrow::Cow,
    io::{self, Write},
};

/// Replaces each invisible character, so that the text to its left and right does not become one word.
const MARK: char = '\u{fffd}';

/// Begins a colour code.
const ESCAPE: char = '\u{1b}';

/// Whether a character is visible as itself: no control character, nothing of Unicode's category Cf (text direction,
/// zero width), no space but U+0020. Beyond ASCII, these are the characters that Rust's `Debug` does not escape.
pub fn is_visible(c: char) -> bool {
    c == ' ' || c.is_ascii_graphic() || (!c.is_ascii() && c.escape_debug().len() == 1)
}

/// The format of a line as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFormat {
    Text,
    /// Text with colours, for a terminal.
    Coloured,
    Json,
}

/// A writer that sanitises lines. Each write has to be a whole line.
#[derive(Debug)]
pub struct SanitizingWriter<W> {
    to: W,
    format: LineFormat,
}

impl<W: Write> SanitizingWriter<W> {
    pub fn new(to: W, format: LineFormat) -> Self {
        Self { to, format }
    }
}

impl<W: Write> Write for SanitizingWriter<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.to.write_all(&sanitize(line, self.format))?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Replaces each invisible character, also as a JSON escape, with [`MARK`].
fn sanitize(line: &[u8], format: LineFormat) -> Cow<'_, [u8]> {
    let (text, end) = line.strip_suffix(b"\n").map_or((line, ""), |text| (text, "\n"));
    let is_unchanged = |&b: &u8| b == b' ' || (b.is_ascii_graphic() && (b != b'\\' || format != LineFormat::Json));
    if text.iter().all(is_unchanged) {
        return line.into();
    }
    let text = String::from_utf8_lossy(text);
    let (mut shown, mut rest) = (String::with_capacity(line.len()), text.chars());
    while let Some(c) = rest.next() {
        match c {
            '\\' if format == LineFormat::Json => shown.push_str(&escaped(&mut rest)),
            ESCAPE if format == LineFormat::Coloured => shown.push(c),
            _ => shown.push(if is_visible(c) { c } else { MARK }),
        }
    }
    (shown + end).into_bytes().into()
}

/// Sanitises the JSON escape after a backslash (RFC 8259, section 7). Every escape stands for a control character,
/// except those of the quotation mark, the slashes and, by `\u`, of visible characters.
fn escaped(rest: &mut std::str::Chars<'_>) -> Cow<'static, str> {
    match rest.next() {
        Some('"') => r#"\""#.into(),
        Some('\\') => r"\\".into(),
        Some('/') => "/".into(),
        Some('u') => {
            let digits: String = rest.take(4).collect();
            let c = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
            c.filter(|&c| is_visible(c) && !c.is_ascii()).unwrap_or(MARK).to_string().into()
        }
        _ => MARK.to_string().into(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;
    use tracing::{Dispatch, subscriber::with_default};
    use tracing_subscriber::{layer::SubscriberExt, registry};

    use super::*;
    use crate::{
        lines::Lines,
        log::{LogFormat, layer, line_format},
    };

    /// Hostile text for the log: control characters, text direction, zero width, line ends, quotes.
    const ANYTHING: &str =
        "([\\p{Cf}\\p{Cc}\\p{Zl}\\p{Zp}]|[\"\\\\{}u/:,\\[\\]]|[a-z0-9 ]|\\PC|\\\\u202e|\u{1b}\\[31m){0,24}";

    /// The log lines of an event with this text in its message and its fields.
    fn logged(format: LogFormat, text: &str) -> String {
        let lines = Lines::default();
        let (writer, written) = (lines.clone(), line_format(format, false));
        let log = registry().with(layer(format, written, move || SanitizingWriter::new(writer.clone(), written)));
        // With a single dispatcher, `tracing` caches the first thread's interest in a callsite for all threads.
        let _another = Dispatch::new(registry());
        with_default(log, || tracing::warn!(a = text, b = %text, c = ?text, "island {text}"));
        lines.take()
    }

    proptest! {
        #[test]
        fn whatever_is_logged_is_one_line_of_visible_characters(text in ANYTHING) {
            for format in [LogFormat::Text, LogFormat::Json] {
                let line = logged(format, &text);
                let line = line.strip_suffix('\n').unwrap();
                prop_assert!(line.chars().all(is_visible), "{line:?}");
                if format == LogFormat::Json {
                    // A log viewer shows the decoded JSON.
                    let event: Value = serde_json::from_str(line).unwrap();
                    let shown: String = text.chars().map(|c| if is_visible(c) { c } else { MARK }).collect();
                    prop_assert_eq!(&event["a"], &shown);
                    prop_assert_eq!(&event["b"], &shown);
                    prop_assert_eq!(&event["message"], &format!("island {shown}"));
                    prop_assert!(event["c"].as_str().unwrap().chars().all(is_visible));
                }
            }
        }

        #[test]
        fn no_format_character_is_visible(c in "[\\p{Cf}\\p{Cc}\\p{Zl}\\p{Zp}\\p{Co}]") {
            prop_assert!(!c.chars().any(is_visible), "{c:?}");
        }

        #[test]
        fn letters_of_any_language_stay(text in "[\\p{L}\\p{Nd}\\p{Sc} ]{0,20}") {
            // Combining marks are not visible as themselves; precomposed letters contain none.
            prop_assume!(text.chars().all(|c| c.escape_debug().len() == 1));
            prop_assert_eq!(sanitize(text.as_bytes(), LineFormat::Json), text.as_bytes());
        }

        #[test]
        fn any_bytes_are_a_line(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            for format in [LineFormat::Text, LineFormat::Coloured, LineFormat::Json] {
                let line = String::from_utf8(sanitize(&bytes, format).into_owned()).unwrap();
                let line = line.strip_suffix('\n').unwrap_or(&line);
                let is_allowed = |c| is_visible(c) || (format == LineFormat::Coloured && c == ESCAPE);
                prop_assert!(line.chars().all(is_allowed), "{line:?}");
            }
        }
    }

    #[test]
    fn common_lines_are_not_copied() {
        for line in [&b"2026-11-22T10:00:00Z  INFO vincula: listening address=127.0.0.1:3000\n"[..], b"", b"\n"] {
            assert!(matches!(sanitize(line, LineFormat::Text), Cow::Borrowed(_)));
        }
        let json = br#"{"level":"INFO","status":200}"#;
        assert!(matches!(sanitize(json, LineFormat::Json), Cow::Borrowed(_)));
    }

    #[test]
    fn json_escapes_are_replaced_and_the_rest_of_the_json_stays() {
        let line = br#"{"a":"\u001b[31m\n\t\r\b\f\\u202e\"\/\u00e9","b":"Jos\u00c9"}"#;
        let shown = String::from_utf8(sanitize(line, LineFormat::Json).into_owned()).unwrap();
        assert_eq!(
            shown,
            "{\"a\":\"\u{fffd}[31m\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\\\\u202e\\\"/é\",\"b\":\"JosÉ\"}"
        );
    }

    #[test]
    fn colours_are_for_terminals() {
        let line = "\u{1b}[33m WARN\u{1b}[0m a\u{202e}b\n".as_bytes();
        assert_eq!(sanitize(line, LineFormat::Coloured), "\u{1b}[33m WARN\u{1b}[0m a\u{fffd}b\n".as_bytes());
        assert_eq!(sanitize(line, LineFormat::Text), "\u{fffd}[33m WARN\u{fffd}[0m a\u{fffd}b\n".as_bytes());
    }
}
