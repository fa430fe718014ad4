//! Logos: a picture of a firm, and its width on a page.

use std::sync::Arc;

use roxmltree::{Document, Node};

/// The height of a logo on a page, in pixels (`--target` in `style/tokens.css`).
const HEIGHT: f64 = 44.0;

/// The file formats of a logo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Svg,
    Png,
}

impl Format {
    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
        }
    }
}

/// A logo's file.
#[derive(Debug, Clone)]
pub struct Logo {
    pub format: Format,
    pub bytes: Arc<[u8]>,
}

/// A logo on a page. With its width, the browser keeps its place before it has loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownLogo {
    pub address: String,
    /// At the height of [`HEIGHT`], in pixels.
    pub width: String,
}

/// The width of a logo that is [`HEIGHT`] high, in pixels. `None` if it is no picture of this format,
/// or an SVG without a size.
pub fn width(format: Format, bytes: &[u8]) -> Option<String> {
    let (width, height) = match format {
        Format::Svg => svg_size(std::str::from_utf8(bytes).ok()?)?,
        Format::Png => png_size(bytes)?,
    };
    let shown = HEIGHT * width / height;
    (shown > 0.0 && shown.is_finite()).then(|| format!("{shown:.0}"))
}

fn png_size(bytes: &[u8]) -> Option<(f64, f64)> {
    let size = imagesize::blob_size(bytes).ok()?;
    let sides = [size.width, size.height].map(|side| u32::try_from(side).map(f64::from));
    let [Ok(width), Ok(height)] = sides else {
        return None;
    };
    Some((width, height))
}

fn svg_size(text: &str) -> Option<(f64, f64)> {
    let document = Document::parse(text).ok()?;
    let root = document.root_element();
    (root.tag_name().name() == "svg").then_some(())?;
    let sides = length(root, "width").zip(length(root, "height"));
    sides.or_else(|| view_box(root))
}

/// A length in pixels; the default unit.
fn length(root: Node, name: &str) -> Option<f64> {
    let length = root.attribute(name)?.trim();
    length.strip_suffix("px").unwrap_or(length).parse().ok()
}

fn view_box(root: Node) -> Option<(f64, f64)> {
    let text = root.attribute("viewBox")?.replace(',', " ");
    let numbers: Vec<f64> = text
        .split_whitespace()
        .filter_map(|number| number.parse().ok())
        .collect();
    let [_, _, width, height] = numbers[..] else {
        return None;
    };
    Some((width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_of_svg_follows_its_size() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0,0 20 10\"";
        for (text, expected) in [
            (format!("{svg}/>"), Some("88")),
            (
                format!("{svg} width=\"132\" height=\"44px\"/>"),
                Some("132"),
            ),
            (
                format!("{svg} width=\"100%\" height=\"100%\"/>"),
                Some("88"),
            ),
            ("<svg/>".to_owned(), None),
            ("<svg viewBox=\"0 0 0 10\"/>".to_owned(), None),
            ("<svg viewBox=\"0 0 10 0\"/>".to_owned(), None),
            ("<html viewBox=\"0 0 1 1\"/>".to_owned(), None),
            ("<svg viewBox=\"0 0 1 1\">".to_owned(), None),
        ] {
            let found = width(Format::Svg, text.as_bytes());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn width_of_png_follows_its_size() {
        let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x64\0\0\0\x64\x08\x06\0\0\0".to_vec();
        png.extend([0; 16]);
        assert_eq!(width(Format::Png, &png).as_deref(), Some("44"));
        assert_eq!(width(Format::Png, b"<svg viewBox=\"0 0 1 1\"/>"), None);
    }
}
