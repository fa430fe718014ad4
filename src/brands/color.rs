//! An opaque sRGB colour, and its contrast with another (WCAG 2.2).

use std::{fmt, str::FromStr};

/// Red, green and blue; displayed as `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Color([u8; 3]);

impl Color {
    pub const WHITE: Self = Self([255, 255, 255]);

    /// Contrast ratio, 1 to 21, the same for either order.
    pub fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// A fifth darker.
    pub fn darker(self) -> Self {
        Self(self.0.map(|channel| channel - channel / 5))
    }

    /// Relative luminance, 0 to 1.
    fn luminance(self) -> f64 {
        let [r, g, b] = self.0.map(|byte| {
            let channel = f64::from(byte) / 255.0;
            if channel <= 0.04045 {
                channel / 12.92
            } else {
                ((channel + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }
}

impl FromStr for Color {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let invalid =
            || format!("{text:?} is not a colour (expected #rrggbb, for example #0f3a45)");
        let digits = text.strip_prefix('#').ok_or_else(invalid)?;
        if digits.len() != 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(invalid());
        }
        let number = u32::from_str_radix(digits, 16).map_err(|_| invalid())?;
        let [_, r, g, b] = number.to_be_bytes();
        Ok(Self([r, g, b]))
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn color(text: &str) -> Color {
        text.parse().unwrap()
    }

    #[test]
    fn computes_wcag_contrast() {
        for (a, b, expected) in [
            ("#000000", "#ffffff", 21.0),
            ("#ffffff", "#ffffff", 1.0),
            ("#777777", "#ffffff", 4.48),
            ("#767676", "#ffffff", 4.54),
            ("#ff0000", "#ffffff", 4.00),
            ("#0000ff", "#ffffff", 8.59),
            ("#00ff00", "#ffffff", 1.37),
            ("#595959", "#ffffff", 7.00),
        ] {
            for contrast in [color(a).contrast(color(b)), color(b).contrast(color(a))] {
                assert!(
                    (contrast - expected).abs() < 0.005,
                    "{a} on {b}: {contrast}"
                );
            }
        }
    }

    #[test]
    fn accepts_only_six_hexadecimal_digits() {
        assert_eq!(color("#0F3a45").to_string(), "#0f3a45");
        for text in [
            "",
            "#",
            "0f3a45",
            "#fff",
            "#0f3a4g",
            "#+f3a45",
            "#0f3a4500",
            "petrol",
            "#0f3a4é",
        ] {
            assert!(text.parse::<Color>().is_err(), "{text}");
        }
    }
}
