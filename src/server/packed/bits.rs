//! A stream of bits, of which the first is the lowest of a byte.

/// Whole words, and fewer than 32 bits behind them.
#[derive(Debug, Clone, Default)]
pub struct Bits {
    bytes: Vec<u8>,
    rest: u64,
    count: u32,
}

impl Bits {
    /// Whole bytes, with room for so many in all.
    pub fn beginning_with(bytes: &[u8], room: usize) -> Self {
        let mut all = Vec::with_capacity(room.max(bytes.len()));
        all.extend_from_slice(bytes);
        Self { bytes: all, rest: 0, count: 0 }
    }

    /// Adds up to 32 bits.
    pub fn put(&mut self, bits: u32, count: u32) {
        self.rest |= u64::from(bits) << self.count;
        self.count += count;
        if self.count >= 32 {
            self.bytes.extend_from_slice(&self.rest.to_le_bytes()[..4]);
            self.rest >>= 32;
            self.count -= 32;
        }
    }

    /// Adds other bits, which begin with whole words.
    pub fn append(&mut self, other: &Self) {
        let (words, _) = other.bytes.as_chunks();
        for word in words {
            self.put(u32::from_le_bytes(*word), 32);
        }
        // Fewer than 32 are left.
        self.put(u32::try_from(other.rest).unwrap_or_default(), other.count);
    }

    /// The bytes; the last one is filled with zeros.
    pub fn into_bytes(mut self) -> Vec<u8> {
        let left = self.count.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.rest.to_le_bytes()[..left]);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_written_from_the_lowest_and_appended_anywhere() {
        let mut other = Bits::default();
        (0..20).for_each(|_| other.put(0b101, 3));
        for offset in 0..40 {
            let mut bits = Bits::beginning_with(&[7], 0);
            (0..offset).for_each(|_| bits.put(0, 1));
            bits.append(&other);
            let bytes = bits.into_bytes();
            assert_eq!((bytes[0], bytes.len()), (7, 1 + (offset + 60_usize).div_ceil(8)));
            let ones = (0..60).filter(|at| bytes[1 + (offset + at) / 8] >> ((offset + at) % 8) & 1 == 1);
            assert!(ones.eq((0..60).filter(|at| at % 3 != 1)), "{offset}");
        }
    }
}
