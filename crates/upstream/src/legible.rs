//! Texts from outside as pages and the log may show them, beside sentences of the product.

use std::sync::LazyLock;

use regex::Regex;
use vincula_domain::bank::cpf_digits;

/// Longest text that a page shows, in characters.
const MAX_CHARS: usize = 120;

/// Characters that are not visible as themselves: control and format characters (text direction,
/// zero width), unassigned ones, and letters without a shape. Also more than two combining marks in
/// a row, which would cover other lines.
static ILLEGIBLE: LazyLock<Regex> = LazyLock::new(|| {
    let invisible = r"[[\p{C}\p{Default_Ignorable_Code_Point}\u{2800}]--\s]";
    let pattern = format!(r"(?:\p{{M}}{invisible}*){{3,}}|{invisible}");
    Regex::new(&pattern).expect("the pattern is constant")
});

/// A name with what may be a CPF at its end.
static WITH_CPF: LazyLock<Regex> = LazyLock::new(|| {
    let cpf = r"\b(?<cpf>[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}-?[0-9]{2})";
    let pattern = format!(r"(?i)^(?<name>.*?)[\s(–-]*(?:\bCPF[\s:]*)?{cpf}\)?$");
    Regex::new(&pattern).expect("the pattern is constant")
});

/// The text without what is not visible as itself, with single spaces.
pub fn legible(text: &str) -> String {
    let visible = ILLEGIBLE.replace_all(text, "");
    visible.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The legible text, cut to 120 characters.
pub(super) fn short(text: &str) -> String {
    shortened(&legible(text))
}

/// The name of a person, a company or a firm: legible, cut to 120 characters, and without the
/// person's CPF, with which many self-employed people are registered ("MARIA SOUZA 52998224725").
/// Empty if no letters or digits are left.
pub(super) fn name(text: &str) -> String {
    let written = legible(text);
    let name = match WITH_CPF.captures(&written) {
        Some(found) if cpf_digits(&found["cpf"]).is_some() => found["name"].to_owned(),
        _ => written,
    };
    if name.contains(char::is_alphanumeric) {
        shortened(&name)
    } else {
        String::new()
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= MAX_CHARS {
        text.to_owned()
    } else {
        text.chars().take(MAX_CHARS - 1).chain(['…']).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn removes_what_is_not_visible_as_itself() {
        for (text, shown) in [
            ("Contábil Horizonte\u{202e}", "Contábil Horizonte"),
            (
                "\u{2067}Contábil\u{200b} \u{2060}Hori\u{ad}zonte\u{feff}",
                "Contábil Horizonte",
            ),
            (
                "\u{3164}\u{115f}\u{1160}\u{ffa0}\u{2800}\u{34f}\u{fe0f}\u{e0041}",
                "",
            ),
            ("Conta\u{0}bil\u{7}", "Contabil"),
            (" Ana\t\u{a0} Souza\r\nLtda\u{2028}ME ", "Ana Souza Ltda ME"),
            ("Joa\u{303}o Cafe\u{301}", "Joa\u{303}o Cafe\u{301}"),
            ("Việt Viê\u{323}\u{301}t", "Việt Viê\u{323}\u{301}t"),
            (
                "Z\u{351}\u{36b}\u{343}\u{36a}a\u{301}\u{200b}\u{301}\u{34f}\u{301}",
                "Za",
            ),
            (
                "Пекарня 株式会社 شركة 🍞 & Cia. <b>",
                "Пекарня 株式会社 شركة 🍞 & Cia. <b>",
            ),
        ] {
            assert_eq!(legible(text), shown, "{text:?}");
        }
    }

    #[test]
    fn cuts_long_texts_to_120_characters() {
        assert_eq!(short(&"é".repeat(120)), "é".repeat(120));
        assert_eq!(short(&"é".repeat(121)), format!("{}…", "é".repeat(119)));
        assert_eq!(name(&"é ".repeat(60)), "é ".repeat(60).trim_end());
        assert_eq!(name(&"é ".repeat(61)), format!("{}é…", "é ".repeat(59)));
    }

    #[test]
    fn a_name_has_no_cpf_at_its_end() {
        for (text, shown) in [
            ("MARIA CLARA SOUZA 52998224725", "MARIA CLARA SOUZA"),
            ("Maria Souza - 529.982.247-25 ", "Maria Souza"),
            ("Maria Souza (CPF: 529.982.247-25)", "Maria Souza"),
            ("52998224725", ""),
            // Neither is a CPF: check digits, a CNPJ, a number in the middle.
            ("Maria Souza 52998224724", "Maria Souza 52998224724"),
            (
                "12.345.678 MARIA CLARA SOUZA",
                "12.345.678 MARIA CLARA SOUZA",
            ),
            ("Padaria 40817256000100", "Padaria 40817256000100"),
            ("Padaria 00052998224725", "Padaria 00052998224725"),
            ("Posto 52998224725 Ltda", "Posto 52998224725 Ltda"),
        ] {
            assert_eq!(name(text), shown, "{text}");
        }
        let long = format!("{} 52998224725", "a".repeat(120));
        assert_eq!(name(&long), "a".repeat(120));
        assert_eq!(
            short("0001 52998224725"),
            "0001 52998224725",
            "may be an account"
        );
    }

    #[test]
    fn a_name_has_letters_or_digits() {
        for (text, shown) in [(" - ", ""), ("?", ""), ("…", ""), ("7", "7"), ("Á", "Á")] {
            assert_eq!(name(text), shown, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn removes_every_control_and_format_character(c in "[\\p{Cf}\\p{Cc}\\p{Zl}\\p{Zp}\\p{Co}]") {
            prop_assert_eq!(legible(&c), "");
        }

        #[test]
        fn keeps_letters_of_any_language(text in "[[\\p{L}\\p{Nd}\\p{Sc}]--\\p{Default_Ignorable_Code_Point}]{0,20}") {
            prop_assert_eq!(legible(&text), text);
        }
    }
}
