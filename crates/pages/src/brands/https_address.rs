//! Addresses that the consent may link.

/// Whether a text is an `https://` address with a host and without a user, in the characters that an address may have.
pub fn is_https_address(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("https://") else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (name, port) = host.split_once(':').unwrap_or((host, "443"));
    let is_label =
        |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    name.split('.').all(is_label)
        && port.parse::<u16>().is_ok()
        && rest.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_https_addresses_are_linked() {
        for text in ["https://firm.example", "https://firm.example:8443/a?b=c#d", "https://x/%C3%A9"] {
            assert!(is_https_address(text), "{text}");
        }
        for text in [
            "",
            "http://firm.example",
            "https://",
            "https://user@firm.example",
            "https://firm..example",
            "https://firm.example:http",
            "https://firm.example/a b",
            "https://firm.example/\"><script>",
            "//firm.example",
        ] {
            assert!(!is_https_address(text), "{text}");
        }
    }
}
