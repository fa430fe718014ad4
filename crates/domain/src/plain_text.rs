//! Normalises text for comparison, for names of banks and messages of the widget API.

/// The letters of a text in lower case without accents, its digits, and a space for everything
/// else. An accent may be part of its letter or a separate mark after it (Unicode's forms NFC and
/// NFD). Only letters of Portuguese are supported, because tables of all letters would be a tenth
/// of the wasm module.
pub fn plain_text(text: &str) -> String {
    text.chars()
        .filter(|c| !is_combining_mark(*c))
        .map(plain)
        .collect()
}

/// Whether this is one of Unicode's combining diacritical marks.
fn is_combining_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

fn plain(c: char) -> char {
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
    fn drops_composed_and_combining_accents() {
        for text in [
            "ÁÉÍÓÚ ÀÂÊÔ ÃÕ Ü Ç",
            "A\u{301}E\u{301}I\u{301}O\u{301}U\u{301} A\u{300}A\u{302}E\u{302}O\u{302} A\u{303}O\u{303} U\u{308} C\u{327}",
        ] {
            assert_eq!(plain_text(text), "aeiou aaeo ao u c", "{text}");
        }
    }
}
