//! The size of a picture, so that a page keeps its place free before it arrives.

/// Width and height: pixels of a PNG, any unit of an SVG.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

impl Size {
    /// The width at a height, within reason.
    pub fn width_at(self, height: u32) -> u32 {
        let (width, own) = (u64::from(self.width), u64::from(self.height));
        let scaled = (width * u64::from(height) + own / 2) / own;
        u32::try_from(scaled).unwrap_or(u32::MAX).clamp(1, 1_000)
    }
}

/// What browsers take for an SVG without any size.
const UNKNOWN: Size = Size { width: 300, height: 150 };

/// The size in the first chunk of a PNG.
pub fn of_png(bytes: &[u8]) -> Option<Size> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let size = Size { width: number(16)?, height: number(20)? };
    (bytes.get(12..16)? == b"IHDR" && size.width > 0 && size.height > 0).then_some(size)
}

/// The size that the root of an SVG names: `width` and `height`, or else its `viewBox`.
pub fn of_svg(bytes: &[u8]) -> Size {
    let text = String::from_utf8_lossy(bytes);
    let root = text.split_once("<svg").and_then(|(_, rest)| rest.split_once('>')).map_or("", |(root, _)| root);
    let named = || size(length(attribute(root, "width")?)?, length(attribute(root, "height")?)?);
    let view_box = || {
        let mut numbers = attribute(root, "viewBox")?.split([' ', ',', '\n', '\t']).filter(|text| !text.is_empty());
        size(numbers.nth(2)?.parse().ok()?, numbers.next()?.parse().ok()?)
    };
    named().or_else(view_box).unwrap_or(UNKNOWN)
}

/// The value of an attribute in the text of a start tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut from = 0;
    loop {
        let at = from + tag[from..].find(name)?;
        from = at + name.len();
        let starts = tag[..at].ends_with(char::is_whitespace);
        let Some(value) = tag[from..].trim_start().strip_prefix('=').filter(|_| starts) else { continue };
        let value = value.trim_start();
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        return value[1..].split(quote).next();
    }
}

/// A length without its unit; `None` for a percentage, which says nothing by itself.
fn length(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if text.ends_with('%') { None } else { number.parse().ok() }
}

/// In whole units that keep the proportion.
fn size(width: f64, height: f64) -> Option<Size> {
    let fits = |length: f64| length.is_finite() && (0.01..=100_000.0).contains(&length);
    if !fits(width) || !fits(height) {
        return None;
    }
    let scale = if width.min(height) < 100.0 { 100.0 } else { 1.0 };
    let whole = |length: f64| format!("{:.0}", length * scale).parse().ok();
    Some(Size { width: whole(width)?, height: whole(height)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_svg_says_its_size_or_browsers_take_one() {
        for (root, expected) in [
            ("<svg width=\"240\" height='120'>", (240, 120)),
            ("<?xml?><svg\n  viewBox=\"0 0 120 40\">", (12_000, 4_000)),
            ("<svg width=\"100%\" height=\"100%\" viewBox=\"0,0,300,100\">", (300, 100)),
            ("<svg width=\"12.5mm\" height=\"25mm\">", (1_250, 2_500)),
            ("<svg stroke-width=\"2\" width=\"200\" height=\"100\">", (200, 100)),
            ("<svg width=\"0\" height=\"1\">", (300, 150)),
            ("<svg width=\"inf\" height=\"NaN\">", (300, 150)),
            ("<svg>", (300, 150)),
            ("<svg width>", (300, 150)),
            ("", (300, 150)),
        ] {
            let Size { width, height } = of_svg(root.as_bytes());
            assert_eq!((width, height), expected, "{root}");
        }
    }

    #[test]
    fn a_width_keeps_the_proportion() {
        let at_44 = |width, height| Size { width, height }.width_at(44);
        assert_eq!([at_44(240, 120), at_44(12_000, 4_000), at_44(1, 9_999), at_44(9_999, 1)], [88, 132, 1, 1_000]);
    }

    #[test]
    fn a_png_says_its_size_in_its_first_chunk() {
        let icon = include_bytes!("../../../../public/icon-192.png");
        assert_eq!(of_png(icon), Some(Size { width: 192, height: 192 }));
        assert_eq!(of_png(&icon[..20]), None);
    }
}
