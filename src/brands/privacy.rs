//! The address of a firm's privacy policy, which the footer links.

use std::fmt;

use reqwest::Url;
use serde::Deserialize;

/// An address with `https://`, with a host and without a user.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PrivacyPolicy(Url);

impl TryFrom<String> for PrivacyPolicy {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let invalid = "the privacy policy is no https:// address without a user";
        let url = Url::parse(&text).map_err(|error| format!("{invalid} ({error})"))?;
        let has_user = !url.username().is_empty() || url.password().is_some();
        if url.scheme() != "https" || has_user {
            return Err(invalid.to_owned());
        }
        Ok(Self(url))
    }
}

impl fmt::Display for PrivacyPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_https_without_user() {
        let policy = |text: &str| PrivacyPolicy::try_from(text.to_owned());
        let address = "https://firm.example/privacidade?a=1#dados";
        assert_eq!(policy(address).unwrap().to_string(), address);
        for text in [
            "",
            "firm.example/privacidade",
            "http://firm.example/privacidade",
            "https://",
            "https://user@firm.example",
            "https://:password@firm.example",
            "javascript:alert(1)",
        ] {
            let error = policy(text).unwrap_err();
            assert!(error.contains("no https:// address"), "{text}: {error}");
        }
    }
}
