//! Random ids in the format of Pluggy's items.

use std::fmt;

/// A random UUID (version 4).
pub struct Uuid(u128);

impl Uuid {
    pub fn random() -> Self {
        let bits = rand::random::<u128>();
        Self(bits & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62))
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = format!("{:032x}", self.0);
        write!(f, "{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_are_of_version_4_and_differ() {
        let (one, other) = (Uuid::random().to_string(), Uuid::random().to_string());
        assert_ne!(one, other);
        for uuid in [one, other] {
            let groups: Vec<_> = uuid.split('-').collect();
            assert_eq!(groups.iter().map(|group| group.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{uuid}");
            assert!(groups[2].starts_with('4') && groups[3].starts_with(['8', '9', 'a', 'b']), "{uuid}");
        }
    }
}
