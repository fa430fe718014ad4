//! Parses the keys of the session cookie.

use std::{fmt, sync::Arc};

use cookie::Key;
use data_encoding::HEXLOWER_PERMISSIVE;
use ring::hmac;

/// The keys of the session cookie, 64 bytes or more each: the first seals, all open.
#[derive(Clone)]
pub struct SessionKeys(Arc<[Key]>);

/// The text holds no keys. Contains nothing of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected keys of at least 128 hexadecimal digits, separated by commas \
     (make one with: openssl rand -hex 64)"
)]
pub struct InvalidKeys;

impl SessionKeys {
    /// Reads comma-separated keys of at least 128 hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, InvalidKeys> {
        text.split(',')
            .map(|hex| key(hex.trim()))
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The key that seals.
    pub(super) fn first(&self) -> &Key {
        &self.0[0]
    }

    /// The keys that open, beginning with the one that seals.
    pub(super) fn all(&self) -> &[Key] {
        &self.0
    }

    /// The key of the embedded sandbox, whose sessions hold invented people only. It is fixed, so
    /// that sessions survive a restart.
    pub fn of_sandbox() -> Self {
        Self([Key::from(&[SANDBOX_BYTE; 64])].into())
    }

    /// 64 bits of the HMAC-SHA256 of `texts` for `purpose`, the same in every process with the
    /// same first key.
    pub fn digest(&self, purpose: &str, texts: &[&str]) -> u64 {
        let mut message = format!("vincula {purpose}").into_bytes();
        for text in texts {
            message.extend_from_slice(&text.len().to_be_bytes());
            message.extend_from_slice(text.as_bytes());
        }
        let tag = hmac::sign(
            &hmac::Key::new(hmac::HMAC_SHA256, self.first().signing()),
            &message,
        );
        tag.as_ref()
            .iter()
            .take(8)
            .fold(0, |bits, byte| bits << 8 | u64::from(*byte))
    }
}

impl fmt::Debug for SessionKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionKeys(…)")
    }
}

const SANDBOX_BYTE: u8 = 0x56;

fn key(hex: &str) -> Result<Key, InvalidKeys> {
    let bytes = HEXLOWER_PERMISSIVE
        .decode(hex.as_bytes())
        .map_err(|_| InvalidKeys)?;
    Key::try_from(&bytes[..]).map_err(|_| InvalidKeys)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::tests::SESSION_KEY;

    impl SessionKeys {
        pub fn from_list(list: &[[u8; 64]]) -> Self {
            Self(list.iter().map(|bytes| Key::from(bytes)).collect())
        }
    }

    fn refused(text: &str) -> Option<InvalidKeys> {
        SessionKeys::parse(text).err()
    }

    #[test]
    fn keys_are_hexadecimal_and_long_enough() {
        let key = SESSION_KEY;
        assert_eq!(SessionKeys::parse(key).map(|keys| keys.0.len()), Ok(1));
        assert_eq!(
            SessionKeys::parse(&format!("{key}, {}", key.to_uppercase())).map(|keys| keys.0.len()),
            Ok(2)
        );
        for bad in [
            "",
            ",",
            "0f",
            &key[1..],
            &key[2..],
            &"zz".repeat(64),
            &format!("{key},"),
            &key.replace("0a", "0ä"),
        ] {
            assert_eq!(refused(bad), Some(InvalidKeys), "{bad:?}");
        }
    }

    #[test]
    fn digests_of_other_texts_differ() {
        let keys = SessionKeys::from_list(&[[2; 64]]);
        let digests = [
            keys.digest("a", &["b", "c"]),
            keys.digest("a", &["bc", ""]),
            keys.digest("a", &["bc"]),
            keys.digest("ab", &["c"]),
        ];
        let different: std::collections::HashSet<_> = digests.iter().collect();
        assert_eq!(different.len(), digests.len());
    }
}
