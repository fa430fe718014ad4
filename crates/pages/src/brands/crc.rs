//! A registration with a Conselho Regional de Contabilidade.

const STATES: [&str; 27] = [
    "AC", "AL", "AM", "AP", "BA", "CE", "DF", "ES", "GO", "MA", "MG", "MS", "MT", "PA", "PB", "PE", "PI", "PR", "RJ",
    "RN", "RO", "RR", "RS", "SC", "SE", "SP", "TO",
];

/// The registration as it is shown: "CRC SP-123456/O-7", of an organization "CRC 2SP012345/O-6". `None` unless it is a
/// state, five or six digits, a letter and a digit, with or without "CRC" in front and "2" for an organization.
pub fn parse(text: &str) -> Option<String> {
    let text = text.trim().to_ascii_uppercase();
    let number = text.strip_prefix("CRC").unwrap_or(&text).trim_start_matches([' ', '-', '/']);
    let rest = number.strip_prefix('2').unwrap_or(number);
    let rest = rest.strip_prefix(STATES.into_iter().find(|state| rest.starts_with(state))?)?;
    let (digits, rest) = rest.trim_start_matches(['-', ' ']).split_once('/')?;
    let (kind, check) = rest.split_once('-')?;
    let is_number = |text: &str, lengths: [usize; 2]| {
        lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_kind = matches!(kind, "O" | "T" | "S" | "F" | "P");
    (is_number(digits, [5, 6]) && is_kind && is_number(check, [1, 1])).then(|| format!("CRC {number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_registration_names_its_state_and_kind() {
        for (text, shown) in [
            ("CRC SP-123456/O-7", "CRC SP-123456/O-7"),
            ("sp-123456/o-7", "CRC SP-123456/O-7"),
            ("CRC-RJ 123456/O-7", "CRC RJ 123456/O-7"),
            ("2SP012345/O-6", "CRC 2SP012345/O-6"),
        ] {
            assert_eq!(parse(text).as_deref(), Some(shown), "{text}");
        }
        for text in
            ["", "CRC", "XX-123456/O-7", "SP-123456", "SP-12/O-7", "SP-123456/X-7", "SP-123456/O-77", "SP-1234é6/O-7"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
