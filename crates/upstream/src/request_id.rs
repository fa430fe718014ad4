//! The support code of a request.

use std::fmt;

use http::HeaderName;

/// The header of the support code, in the server's responses and in calls to the upstream.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The support code of a request: 48 random bits as 12 hexadecimal digits, short enough to read out
/// on the phone. It never comes from outside: people would read out a foreign code to our support
/// as if it were ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(String);

impl RequestId {
    pub fn random() -> Self {
        Self(format!("{:012x}", rand::random::<u64>() >> 16))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for RequestId {
    fn default() -> Self {
        Self::random()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_twelve_hexadecimal_digits_that_differ() {
        let [one, other] = [RequestId::random(), RequestId::random()];
        assert_ne!(one, other);
        assert!(
            one.as_str().len() == 12 && one.as_str().bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{one}"
        );
    }
}
