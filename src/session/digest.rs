//! Digests that every process with the same keys computes alike: of a link's token, of an item.

use rustls::crypto::{ring::cipher_suite::TLS13_AES_128_GCM_SHA256, tls13::OkmBlock};

use super::SessionKeys;

/// 128 bits of the HMAC-SHA256 of `texts` for `purpose`. Its key is the signing half of the first key, which seals
/// nothing.
pub fn digest(keys: &SessionKeys, purpose: &str, texts: &[&str]) -> u128 {
    let mut message = format!("vincula {purpose}").into_bytes();
    for text in texts {
        message.extend_from_slice(&text.len().to_be_bytes());
        message.extend_from_slice(text.as_bytes());
    }
    // rustls has an HMAC for TLS 1.3, which saves a dependency.
    let suite = TLS13_AES_128_GCM_SHA256.tls13().expect("it is one of TLS 1.3");
    let tag = suite.hkdf_provider.hmac_sign(&OkmBlock::new(keys.first().signing()), &message);
    tag.as_ref().iter().take(16).fold(0, |bits, byte| bits << 8 | u128::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_digested_is_told_apart() {
        let keys = SessionKeys::of(&[[2; 64]]);
        let digests = [
            digest(&keys, "a", &["b", "c"]),
            digest(&keys, "a", &["bc", ""]),
            digest(&keys, "a", &["bc"]),
            digest(&keys, "ab", &["c"]),
        ];
        let different: std::collections::HashSet<_> = digests.iter().collect();
        assert_eq!(different.len(), digests.len());
    }
}
