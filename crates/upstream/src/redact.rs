//! Redacts secrets and documents from text and JSON for a log (design D9).

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use vincula_domain::bank::Cpf;

/// Replaces each secret and each document.
pub(super) const MARK: &str = "[redacted]";

/// Numbers of up to two digits fewer than a CPF may be one without its leading zeros.
const SHORTEST_CPF: u64 = 100_000_000;

/// The next UUID, which is kept, or document. A neighbouring letter or digit makes a UUID or a CNPJ with letters part of
/// something longer, a digit the others.
static NEXT: LazyLock<Regex> = LazyLock::new(|| {
    let alphanumeric = r"[\p{Alphabetic}\p{N}]";
    // People write up to three separators between groups.
    let loose = r"[\s./_\-–—−\u{2010}\u{2011}]{0,3}";
    let groups = |sizes: &[u8], class: &str, between: &str| {
        sizes.iter().map(|size| format!("{class}{{{size}}}")).collect::<Vec<_>>().join(between)
    };
    let uuid = groups(&[8, 4, 4, 4, 12], "[0-9A-Fa-f]", "-");
    // Letters only with the official punctuation or none, else a row of words would match. The last two characters are
    // always digits.
    let cnpj_with_letters = groups(&[2, 3, 3, 4], "[0-9A-Za-z]", "[./-]?") + "[./-]?[0-9]{2}";
    let cnpj = groups(&[2, 3, 3, 4, 2], "[0-9]", loose);
    let cpf = groups(&[3, 3, 3, 2], "[0-9]", loose);
    // The longest match first: a CNPJ may begin like a CPF.
    Regex::new(&format!(
        "(?:^|[^{a}])(?:(?<uuid>{uuid})|(?<lettered>{cnpj_with_letters}))(?:[^{a}]|$)\
         |(?:^|[^0-9])(?<digits>{cnpj}|{cpf})(?:[^0-9]|$)",
        a = alphanumeric
    ))
    .expect("the pattern is constant")
});

/// Redacts the secrets and everything that looks like a CPF or CNPJ in every string and number. Keys are kept.
pub fn json(value: &Value, secrets: &[&str]) -> Value {
    match value {
        Value::String(string) => text(string, secrets).into(),
        Value::Number(number) if number.as_u64().is_some_and(is_document) => MARK.into(),
        Value::Array(items) => items.iter().map(|item| json(item, secrets)).collect(),
        Value::Object(fields) => fields.iter().map(|(key, field)| (key.clone(), json(field, secrets))).collect(),
        other => other.clone(),
    }
}

/// Redacts the secrets and everything that looks like a CPF or CNPJ. Rather redacts too much: a telephone number of
/// 11 digits, too. UUIDs are kept.
pub fn text(text: &str, secrets: &[&str]) -> String {
    let mut secrets: Vec<&str> = secrets.iter().copied().filter(|secret| !secret.is_empty()).collect();
    // Longest first: a secret may begin with another.
    secrets.sort_unstable_by_key(|secret| std::cmp::Reverse(secret.len()));
    let cut = secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, MARK));
    without_documents(&cut)
}

fn without_documents(mut text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    while let Some(found) = NEXT.captures(text) {
        let uuid = found.name("uuid");
        let Some(next) = uuid.or_else(|| found.name("lettered")).or_else(|| found.name("digits")) else { break };
        kept.push_str(&text[..next.start()]);
        kept.push_str(if uuid.is_some() { next.as_str() } else { MARK });
        // A redacted document is no neighbour that hides the start of the next one.
        text = &text[next.end()..];
    }
    kept + text
}

/// Whether a number is a CPF or CNPJ. A CPF without its leading zeros counts only if its check digits are right.
fn is_document(number: u64) -> bool {
    let digits = number.to_string();
    matches!(digits.len(), 11 | 14) || (number >= SHORTEST_CPF && Cpf::parse(&format!("{number:011}")).is_ok())
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
    fn every_value_is_searched_and_keys_stay() {
        let value = json!({
            "52998224725": {"token": ["tok", {"deep": "a tok b 529.982.247-25"}]},
            "cpf": 52_998_224_725_u64, "cnpj": 12_345_678_000_195_u64, "without_left_zero": 1_234_567_890,
            "status": 404, "at": 1_786_701_600_000_u64, "ok": true, "none": null, "ratio": 0.5, "below": -5,
            "item": "6f4e0ccb-6ea3-4cf3-8e55-7f6a3e3f7d2a",
        });
        let clean = json!({
            "52998224725": {"token": [MARK, {"deep": format!("a {MARK} b {MARK}")}]},
            "cpf": MARK, "cnpj": MARK, "without_left_zero": MARK,
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
