//! Whether two names mean the same bank.

/// Words that many banks have in their names.
const GENERIC: [&str; 9] = ["banco", "bco", "do", "da", "de", "dos", "das", "e", "the"];

/// Whether two names may mean the same bank, by their first distinctive word: the bank list says "Nu Pagamentos S.A.", the
/// list of accounts may say "NUBANK". A name without one, such as a bank code, may mean any bank.
pub fn is_same_bank(one: &str, other: &str) -> bool {
    let (one, other) = (distinctive_word(one), distinctive_word(other));
    one.starts_with(&other) || other.starts_with(&one)
}

/// The first word with a letter that is not generic, in lower case without accents; empty if there is none. For the
/// letters of Portuguese only: the tables of all letters would be a tenth of the wasm module.
fn distinctive_word(name: &str) -> String {
    let plain: String = name.chars().map(without_accent).collect();
    let mut words = plain.split(' ').filter(|word| word.bytes().any(|byte| byte.is_ascii_lowercase()));
    words.find(|word| !GENERIC.contains(word)).unwrap_or_default().to_owned()
}

/// A letter in lower case without its accent, a digit, or a space for anything else.
fn without_accent(c: char) -> char {
    match c {
        'a'..='z' | '0'..='9' => c,
        'A'..='Z' => c.to_ascii_lowercase(),
        'á' | 'à' | 'â' | 'ã' | 'Á' | 'À' | 'Â' | 'Ã' => 'a',
        'é' | 'ê' | 'É' | 'Ê' => 'e',
        'í' | 'Í' => 'i',
        'ó' | 'ô' | 'õ' | 'Ó' | 'Ô' | 'Õ' => 'o',
        'ú' | 'ü' | 'Ú' | 'Ü' => 'u',
        'ç' | 'Ç' => 'c',
        _ => ' ',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_same_bank_agree() {
        for (one, other) in [
            ("Nubank", "NU PAGAMENTOS - IP"),
            ("Itaú", "ITAU UNIBANCO S.A."),
            ("Banco do Brasil", "Banco do Brasil S.A."),
            ("Santander", "BANCO SANTANDER (BRASIL) S.A."),
            ("C6 Bank", "Banco C6 S.A."),
            ("Caixa", "Caixa Econômica Federal"),
            ("Itaú", "341 - ITAU UNIBANCO S.A."),
        ] {
            assert!(is_same_bank(one, other) && is_same_bank(other, one), "{one} {other}");
        }
        for (one, other) in [("Nubank", "Banco Inter S.A."), ("Banco do Brasil", "BRB - Banco de Brasília S.A.")] {
            assert!(!is_same_bank(one, other) && !is_same_bank(other, one), "{one} {other}");
        }
    }

    #[test]
    fn a_name_without_a_distinctive_word_may_mean_any_bank() {
        for name in ["", "341", "Banco", "0341-X"] {
            assert_eq!(is_same_bank(name, "Nubank"), name != "0341-X", "{name}");
        }
    }
}
