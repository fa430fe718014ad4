//! Parses the keys of the session cookie and rejects weak ones.

use std::{collections::HashSet, fmt, sync::Arc};

use cookie::Key;
use data_encoding::HEXLOWER_PERMISSIVE;
use ring::hmac;

/// Minimum of distinct bytes in a key. 64 random bytes have about 56. A key with fewer than the
/// minimum was typed or counted up.
const FEWEST_DIFFERENT: usize = 16;

/// The keys of the session cookie, 64 bytes or more each: the first seals, all open.
#[derive(Clone)]
pub struct SessionKeys(Arc<[Key]>);

/// Why a text holds no keys. Contains nothing of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InvalidKeys {
    #[error("expected keys of at least 128 hexadecimal digits, separated by commas")]
    Malformed,
    #[error(
        "one of the keys can be guessed, with fewer than {FEWEST_DIFFERENT} different bytes: expected random ones \
         (make one with: openssl rand -hex 64)"
    )]
    Weak,
}

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
    /// that sessions survive a restart. Because it is public, it is rejected as a setting, like any
    /// other repeated byte.
    pub fn of_sandbox() -> Self {
        Self([Key::from(&[SANDBOX_BYTE; 64])].into())
    }

    /// 128 bits of the HMAC-SHA256 of `texts` for `purpose`, the same in every process with the
    /// same first key.
    pub fn digest(&self, purpose: &str, texts: &[&str]) -> u128 {
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
            .take(16)
            .fold(0, |bits, byte| bits << 8 | u128::from(*byte))
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
        .map_err(|_| InvalidKeys::Malformed)?;
    let key = Key::try_from(&bytes[..]).map_err(|_| InvalidKeys::Malformed)?;
    let different = bytes.iter().collect::<HashSet<_>>().len();
    if different < FEWEST_DIFFERENT {
        Err(InvalidKeys::Weak)
    } else {
        Ok(key)
    }
}

#[cfg(test)]
pub mod tests {
    use data_encoding::HEXLOWER;

    use super::*;
    use crate::tests::SESSION_KEY;

    impl SessionKeys {
        /// Keys without the check of their strength.
        pub fn from_list(list: &[[u8; 64]]) -> Self {
            Self(list.iter().map(|bytes| Key::from(bytes)).collect())
        }
    }

    fn written(bytes: impl IntoIterator<Item = u8>) -> String {
        let bytes: Vec<u8> = bytes.into_iter().collect();
        HEXLOWER.encode(&bytes)
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
            assert_eq!(refused(bad), Some(InvalidKeys::Malformed), "{bad:?}");
        }
    }

    #[test]
    fn keys_that_can_be_guessed_are_refused() {
        let strong = SESSION_KEY;
        for (what, weak) in [
            ("zeros", "0".repeat(128)),
            ("one byte", "ab".repeat(64)),
            ("the sandbox's", written([SANDBOX_BYTE; 64])),
            ("few bytes", written((0..64).map(|at| at % 15))),
            ("few bytes, and many", written((0..200).map(|at| at % 15))),
            (
                "behind a strong one",
                format!("{strong},{}", "0".repeat(128)),
            ),
        ] {
            assert_eq!(refused(&weak), Some(InvalidKeys::Weak), "{what}");
        }
        assert_eq!(
            refused(&written((0..64).map(|at| at % 16))),
            None,
            "sixteen are enough"
        );
        assert_eq!(
            SessionKeys::of_sandbox().first().master(),
            [SANDBOX_BYTE; 64]
        );
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
