//! Redacts secrets and documents from text and JSON for a log (design D9).

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;

use super::envelope::MAX_PARSED_CHARS;

/// Replaces each secret and each document.
pub(super) const MARK: &str = "[redacted]";

/// Longest secret, in characters: a token. Documents are shorter.
const MAX_SECRET_CHARS: usize = 2_048;

/// The next UUID, which is kept, or else what is redacted: a token by what precedes it or by its form, or a document. A
/// neighbouring letter or digit makes a UUID or a CNPJ with letters part of something longer, a digit the others.
static NEXT: LazyLock<Regex> = LazyLock::new(|| {
    let a = r"[\p{Alphabetic}\p{N}]";
    // Whatever is no letter or digit, also as URLs, HTML and JSON escape it.
    let loose = r"(?:[^\dA-Za-z]|%[0-9A-Fa-f]{2}|&#?[0-9A-Za-z]{1,8};|\\[nrt]|\\u[0-9A-Fa-f]{4}){0,4}";
    let groups = |sizes: &[u8], class: &str, between: &str| {
        sizes.iter().map(|size| format!("{class}{{{size}}}")).collect::<Vec<_>>().join(between)
    };
    let uuid = groups(&[8, 4, 4, 4, 12], "[0-9A-Fa-f]", "-");
    // Letters only with the official punctuation or none, else a row of words would match. The last two characters are
    // always digits.
    let cnpj_with_letters = groups(&[2, 3, 3, 4], "[0-9A-Za-z]", "[./-]?") + "[./-]?[0-9]{2}";
    // `\d` is a decimal digit of any script.
    let cnpj = groups(&[2, 3, 3, 4, 2], r"\d", loose);
    let cpf = groups(&[3, 3, 3, 2], r"\d", loose);
    let either = [
        format!("(?:^|[^{a}])(?:(?<uuid>{uuid})|(?<lettered>{cnpj_with_letters}))(?:[^{a}]|$)"),
        // The longest match first: a CNPJ may begin like a CPF. Brazil's 55 makes a telephone number of one.
        format!(r"(?:^|\D)(?<digits>(?:55)?(?:{cnpj}|{cpf}))(?:\D|$)"),
        r#"(?i:token(?:=|%3D|"\s*:\s*"))(?<token>[^\s&#"'<>]+)"#.into(),
        r"(?i:bearer)\s+(?<bearer>[A-Za-z0-9_.~+/=%-]{16,})".into(),
        r"(?<jwt>eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?)".into(),
    ];
    Regex::new(&either.join("|")).expect("the pattern is constant")
});

/// Redacts every string and number. Keys are kept.
pub fn json(value: &Value, secrets: &[&str]) -> Value {
    match value {
        Value::String(string) => text(string, secrets).into(),
        Value::Number(number) if text(&number.to_string(), &[]) == MARK => MARK.into(),
        Value::Array(items) => items.iter().map(|item| json(item, secrets)).collect(),
        Value::Object(fields) => fields.iter().map(|(key, field)| (key.clone(), json(field, secrets))).collect(),
        other => other.clone(),
    }
}

/// Redacts the secrets, and everything that looks like a token, a CPF or a CNPJ. Rather redacts too much: a telephone
/// number of 11 digits, too. UUIDs are kept.
pub fn text(text: &str, secrets: &[&str]) -> String {
    let mut secrets: Vec<&str> = secrets.iter().copied().filter(|secret| !secret.is_empty()).collect();
    // Longest first: a secret may begin with another.
    secrets.sort_unstable_by_key(|secret| std::cmp::Reverse(secret.len()));
    let cut = secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, MARK));
    without_tokens_and_documents(&cut)
}

/// The redacted beginning of a text. Redacts before it cuts: the first part of a secret cannot be recognised.
pub fn shortened(long: &str, secrets: &[&str], max_chars: usize) -> String {
    let searched: String = long.chars().take(MAX_PARSED_CHARS).collect();
    let clean = text(&searched, secrets);
    // A text of that length may have been cut inside a secret.
    let unsure = if searched.chars().count() < MAX_PARSED_CHARS { 0 } else { MAX_SECRET_CHARS };
    let sure = clean.chars().count().saturating_sub(unsure);
    clean.chars().take(sure.min(max_chars)).collect()
}

fn without_tokens_and_documents(mut text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    while let Some(found) = NEXT.captures(text) {
        // Exactly one of the groups matches.
        let Some(next) = found.iter().skip(1).flatten().next() else { break };
        kept.push_str(&text[..next.start()]);
        kept.push_str(if found.name("uuid").is_some() { next.as_str() } else { MARK });
        // A redacted document is no neighbour that hides the start of the next one.
        text = &text[next.end()..];
    }
    kept + text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn documents_are_cut_out_however_they_are_written() {
        for document in [
            "52998224725",
            "529.982.247-25",
            "529 982 247 25",
            "529.982.247/25",
            "529982247-25",
            "529. 982. 247 - 25",
            "529.982.247–25",
            "529\u{a0}982\u{a0}247\u{a0}25",
            "11111111111",
            "12345678000195",
            "12.345.678/0001-95",
            "12345678/0001-95",
            "12 345 678 0001 95",
            "12ABC34501DE35",
            "12.ABC.345/01DE-35",
            "12.abc.345/01de-35",
            "12ABC345/01DE-35",
            "ABCDEFGHIJKL80",
            "00000000000A00",
            "５２９９８２２４７２５",
            "٥٢٩.٩٨٢.٢٤٧-٢٥",
            "529:982:247:25",
            "529,982,247,25",
            "529·982·247·25",
            "529+982+247+25",
            "529....982....247....25",
            "529%2E982%2e247%2D25",
            "529&#46;982&middot;247&#x2d;25",
            r"529\n982\n247\u002d25",
            "529\u{200b}982\u{202e}247\u{ad}25",
            "5552998224725",
            "12%2E345%2E678%2F0001%2D95",
        ] {
            for (before, after) in [("", ""), ("CPF: ", "."), ("\"", "\""), ("(", ")"), ("cpf=", "&x=1"), ("é ", "\né")]
            {
                let cut = text(&format!("{before}{document}{after}"), &[]);
                assert_eq!(cut, format!("{before}{MARK}{after}"), "{document:?}");
            }
        }
        assert_eq!(text("cpf52998224725, 52998224725cpf", &[]), format!("{MARK}, {MARK}cpf"), "glued to a word");
        assert_eq!(text("529.982.247-25;12ABC34501DE35", &[]), format!("{MARK};{MARK}"));
        assert_eq!(text("52998224725u5555555555555", &[]), format!("{MARK}{MARK}"), "glued to each other");
    }

    #[test]
    fn what_is_no_document_stays() {
        for innocent in [
            "",
            "Não houve alterações",
            "6f4e0ccb-6ea3-4cf3-8e55-7f6a3e3f7d2a",
            "item 12345678-1234-1234-1234-123456789012 failed",
            "12345678-9012-3456-7890-12345678901a",
            "00000000-0000-0000-0000-000000000000",
            "6F4E0CCB6EA34CF38E557F6A3E3F7D2A",
            "2026-08-14T10:00:00.000Z",
            "14/08/2026 10:00:00",
            "1786701600000",
            "0001 / 12345-6",
            "to the new item 10",
            "authentication",
            "GET /api/list_accounts 503 in 12.345 s, 3 of 10",
            "R$ 1.234.567,89",
            "token expired",
            "the token=",
            "bearer token missing",
            "eyJust a word",
            "5299822472",
            "529982247251",
        ] {
            assert_eq!(text(innocent, &[]), innocent);
        }
    }

    #[test]
    fn secrets_are_cut_out_whole() {
        assert_eq!(text("Bearer abc.def", &["abc", "abc.def", ""]), format!("Bearer {MARK}"));
        assert_eq!(text("abcabc", &["abc"]), format!("{MARK}{MARK}"));
        assert_eq!(text("t=52998224725x", &["52998224725x"]), format!("t={MARK}"));
    }

    #[test]
    fn what_opens_something_is_cut_out_even_if_the_caller_does_not_know_it() {
        for (found, cut) in [
            (
                "at https://vincula.example/?token=abc&of-success",
                "at https://vincula.example/?token=[redacted]&of-success",
            ),
            ("?x=1&accessToken=abc#a", "?x=1&accessToken=[redacted]#a"),
            ("to=%2F%3Ftoken%3Dabc", "to=%2F%3Ftoken%3D[redacted]"),
            (r#"{"token": "a b", "code": 7}"#, r#"{"token": "[redacted] b", "code": 7}"#),
            ("authorization: bearer 0123456789abcdef", "authorization: bearer [redacted]"),
            ("failed: eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ.c2ln", "failed: [redacted]"),
            ("x=eyJhbGciOiJIUzI1NiJ9.eyJhIjoxfQ", "x=[redacted]"),
        ] {
            assert_eq!(text(found, &[]), cut);
        }
    }

    #[test]
    fn every_value_is_searched_and_keys_stay() {
        let value = json!({
            "52998224725": {"token": ["tok", {"deep": "a tok b 529.982.247-25"}]},
            "cpf": 52_998_224_725_u64, "cnpj": 12_345_678_000_195_u64,
            "status": 404, "at": 1_786_701_600_000_u64, "ok": true, "none": null, "ratio": 0.5, "below": -5,
            "item": "6f4e0ccb-6ea3-4cf3-8e55-7f6a3e3f7d2a",
        });
        let clean = json!({
            "52998224725": {"token": [MARK, {"deep": format!("a {MARK} b {MARK}")}]},
            "cpf": MARK, "cnpj": MARK,
            "status": 404, "at": 1_786_701_600_000_u64, "ok": true, "none": null, "ratio": 0.5, "below": -5,
            "item": "6f4e0ccb-6ea3-4cf3-8e55-7f6a3e3f7d2a",
        });
        assert_eq!(json(&value, &["tok"]), clean);
    }

    proptest! {
        #[test]
        fn no_document_survives_and_cutting_twice_is_cutting_once(
            before in "[a-z ,:\"]{0,12}[ ,:\"]", document in "[0-9]{3}\\.?[0-9]{3}\\.?[0-9]{3}-?[0-9]{2}|[A-Z0-9]{2}\\.?[A-Z0-9]{3}\\.?[A-Z0-9]{3}/?[A-Z0-9]{4}-?[0-9]{2}",
            after in "[ ,:\"][a-z ,:\"]{0,12}",
        ) {
            let cut = text(&format!("{before}{document}{after}"), &[]);
            prop_assert_eq!(&cut, &format!("{before}{MARK}{after}"));
            prop_assert_eq!(&text(&cut, &[]), &cut);
        }

        #[test]
        fn uuids_stay(uuid in "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}") {
            prop_assert_eq!(&text(&uuid, &[]), &uuid);
        }

        #[test]
        fn no_secret_survives(before in "\\PC*", secret in "[a-z0-9]{9,40}", after in "\\PC*") {
            let cut = text(&[before, secret.clone(), after].concat(), &[&secret]);
            prop_assert!(!cut.contains(&secret));
        }
    }
}
