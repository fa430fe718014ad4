//! Text for comparison: apart, because both the names of banks and the messages of the widget API are compared so.

/// The letters of a text in lower case without accents, its digits, and a space for everything else. For the letters of
/// Portuguese only: the tables of all letters would be a tenth of the wasm module.
pub fn plain_text(text: &str) -> String {
    text.chars().map(plain).collect()
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
