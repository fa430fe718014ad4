//! Redacts secrets, and whatever may be a document, in free text for our log or the upstream's.

use std::sync::LazyLock;

use regex::{Captures, Regex};

pub(super) const REDACTED: &str = "[redacted]";

/// A UUID, which is kept; a CNPJ, maybe with letters; eight or more digits of any script, with up
/// to three other characters between them; or a token, by what precedes it or by its form.
static UUID_OR_SECRET: LazyLock<Regex> = LazyLock::new(|| {
    let either = [
        r"\b(?<uuid>[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})\b",
        r"\b[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}/?[0-9A-Za-z]{4}-?[0-9]{2}\b",
        r"\d(?:[^\p{Alphabetic}\d]{0,3}\d){7,}",
        r#"(?<before>(?i:token(?:=|%3D|"\s*:\s*")|bearer\s+))[^\s&#"'<>]+"#,
        r"eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_.-]*",
    ];
    Regex::new(&either.join("|")).expect("the pattern is constant")
});

/// Redacts these secrets, and everything that looks like a token, a CPF or a CNPJ. Telephone
/// numbers and dates are also redacted. UUIDs are kept.
pub fn text(text: &str, secrets: &[&str]) -> String {
    let mut secrets: Vec<&str> = secrets
        .iter()
        .copied()
        .filter(|secret| !secret.is_empty())
        .collect();
    // Longest first: a secret may begin with another.
    secrets.sort_unstable_by_key(|secret| std::cmp::Reverse(secret.len()));
    let text = secrets.iter().fold(text.to_owned(), |text, secret| {
        text.replace(secret, REDACTED)
    });
    let redacted =
        UUID_OR_SECRET.replace_all(&text, |found: &Captures<'_>| match found.name("uuid") {
            Some(uuid) => uuid.as_str().to_owned(),
            None => format!(
                "{}{REDACTED}",
                found.name("before").map_or("", |before| before.as_str())
            ),
        });
    redacted.into_owned()
}

/// The redacted beginning of a text. Redacts before it cuts: the first part of a secret cannot be
/// recognised.
pub fn shortened(long: &str, secrets: &[&str], max_chars: usize) -> String {
    text(long, secrets).chars().take(max_chars).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_secret_that_begins_with_another_leaves_nothing() {
        assert_eq!(text("x abcdef y", &["abc", "abcdef"]), "x [redacted] y");
    }

    #[test]
    fn documents_are_redacted_however_they_are_written() {
        for document in [
            "52998224725",
            "529.982.247-25",
            "529. 982. 247 - 25",
            "529.982.247–25",
            "529\u{a0}982\u{a0}247\u{a0}25",
            "12345678000195",
            "12.345.678/0001-95",
            "12 345 678 0001 95",
            "12ABC34501DE35",
            "12.ABC.345/01DE-35",
            "12.abc.345/01de-35",
            "５２９９８２２４７２５",
            "٥٢٩.٩٨٢.٢٤٧-٢٥",
            "529,982,247,25",
            "529...982...247...25",
            "529\u{200b}982\u{202e}247\u{ad}25",
            "+55 (11) 98765-4321",
            "0001 / 12345-6",
        ] {
            for (before, after) in [("", ""), ("CPF: ", "."), ("\"", "\""), ("cpf=", "&x=y")] {
                let bare = document.strip_prefix('+').unwrap_or(document);
                let plus = &document[..document.len() - bare.len()];
                let redacted = text(&format!("{before}{document}{after}"), &[]);
                assert_eq!(
                    redacted,
                    format!("{before}{plus}{REDACTED}{after}"),
                    "{document:?}"
                );
            }
        }
        for glued in ["cpf52998224725cpf", "cpf529.982.247-25cpf"] {
            assert_eq!(text(glued, &[]), format!("cpf{REDACTED}cpf"));
        }
    }

    #[test]
    fn keeps_short_numbers_and_uuids() {
        for innocent in [
            "",
            "Não houve alterações",
            "6f4e0ccb-6ea3-4cf3-8e55-7f6a3e3f7d2a",
            "item 12345678-1234-1234-1234-123456789012 failed",
            "00000000-0000-0000-0000-000000000000",
            "GET /api/list_accounts 503 in 12.345 s, 3 of 10",
            "R$ 1.234,56",
            "token expired",
            "the token=",
            "eyJust a word",
        ] {
            assert_eq!(text(innocent, &[]), innocent);
        }
    }

    #[test]
    fn secrets_are_redacted_whole() {
        assert_eq!(
            text("Bearer abc.def", &["abc", "abc.def", ""]),
            format!("Bearer {REDACTED}")
        );
        assert_eq!(text("abcabc", &["abc"]), format!("{REDACTED}{REDACTED}"));
        assert_eq!(shortened("no abc", &["abc"], 6), "no [re");
        let long = format!("{} {}", "é".repeat(5_000), "52998224725");
        assert_eq!(
            shortened(&long, &[], 5_100),
            format!("{} {REDACTED}", "é".repeat(5_000))
        );
    }

    #[test]
    fn tokens_are_redacted_even_if_the_caller_does_not_know_them() {
        for (found, redacted) in [
            (
                "at https://vincula.example/?token=abc&of-success",
                "at https://vincula.example/?token=[redacted]&of-success",
            ),
            ("?x=1&accessToken=abc#a", "?x=1&accessToken=[redacted]#a"),
            ("to=%2F%3Ftoken%3Dabc", "to=%2F%3Ftoken%3D[redacted]"),
            (
                r#"{"token": "a b", "code": 7}"#,
                r#"{"token": "[redacted] b", "code": 7}"#,
            ),
            (
                "authorization: bearer 0123456789abcdef",
                "authorization: bearer [redacted]",
            ),
            (
                "failed: eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2ln",
                "failed: [redacted]",
            ),
        ] {
            assert_eq!(text(found, &[]), redacted);
        }
    }

    proptest! {
        #[test]
        fn no_document_survives_and_redacting_twice_is_redacting_once(
            before in "([a-z ,:\"]{0,12}[ ,:\"])?", document in "[0-9]{3}\\.?[0-9]{3}\\.?[0-9]{3}-?[0-9]{2}", after in "([ ,:\"][a-z ,:\"]{0,12})?",
        ) {
            let redacted = text(&format!("{before}{document}{after}"), &[]);
            prop_assert_eq!(&redacted, &format!("{before}{REDACTED}{after}"));
            prop_assert_eq!(&text(&redacted, &[]), &redacted);
        }

        #[test]
        fn no_secret_survives(before in "\\PC*", secret in "[a-z0-9]{9,40}", after in "\\PC*") {
            let redacted = text(&[before, secret.clone(), after].concat(), &[&secret]);
            prop_assert!(!redacted.contains(&secret));
        }
    }
}
