//! Whether two names mean the same bank.

/// Words that many banks have in their names.
const GENERIC: [&str; 9] = ["banco", "bco", "do", "da", "de", "dos", "das", "e", "the"];

/// Shortest word that may be the beginning of another, in bytes: "Nu Pagamentos" and "Nubank".
const MIN_START: usize = 2;

/// Whether two names mean the same bank, by their first telling word: the bank list says "Nu Pagamentos S.A.", the list of
/// accounts may say "NUBANK".
pub fn is_same_bank(one: &str, other: &str) -> bool {
    let (one, other) = (telling_word(one), telling_word(other));
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    short.len() >= MIN_START && long.starts_with(&short)
}

/// The first word that is not generic, in lower case without accents; empty if there is none. For the letters of
/// Portuguese only: the tables of all letters would be a tenth of the wasm module.
fn telling_word(name: &str) -> String {
    let folded: String = name.chars().map(folded).collect();
    let mut words = folded.split(' ').filter(|word| !word.is_empty());
    words.find(|word| !GENERIC.contains(word)).unwrap_or_default().to_owned()
}

/// A letter in lower case without its accent, a digit, or a space for anything else.
fn folded(c: char) -> char {
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
        ] {
            assert!(is_same_bank(one, other) && is_same_bank(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("Nubank", "Banco Inter S.A."),
            ("Banco do Brasil", "BRB - Banco de Brasília S.A."),
            ("", "Nubank"),
            ("Banco", "Banco"),
            ("N", "Nubank"),
        ] {
            assert!(!is_same_bank(one, other), "{one} {other}");
        }
    }
}
