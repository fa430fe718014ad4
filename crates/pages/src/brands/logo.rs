//! The firm's logo: read once at the start, and served under a name that changes with its content.

use std::{fs, io, path::Path, sync::Arc};

use roxmltree::{Document, Node, ParsingOptions};
use vincula_domain::routes;

use super::sha256;

/// The height of logos, in pixels.
pub const LOGO_HEIGHT: u32 = 44;

/// Maximum size of the file.
const MAX_BYTES: u64 = 100_000;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Longest side of a PNG, in pixels. A small file may decompress to more than the memory of a
/// phone.
const MAX_SIDE: u32 = 4_096;

/// Maximum width of a logo on a page, in pixels.
const MAX_WIDTH: f64 = 1_000.0;

/// Digits of the content's hash in the address.
const HASH_DIGITS: usize = 16;

/// The size that browsers use for an SVG without one.
const DEFAULT_SIZE: [f64; 2] = [300.0, 150.0];

/// A logo's file, limited in size.
#[derive(Debug, Clone)]
pub struct Logo {
    pub picture: Picture,
    /// Its media type.
    pub kind: &'static str,
    pub bytes: Arc<[u8]>,
}

/// The address of the logo, and its width at the common height of logos, so that its place is
/// reserved before it arrives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub src: String,
    pub width: String,
}

impl Logo {
    /// Reads the file. Fails if it cannot be read, is too large, is neither SVG nor PNG, or
    /// contains a script.
    pub fn read(file: &Path) -> Result<Self, String> {
        let parsed = bytes_of(file, MAX_BYTES).and_then(Self::parse);
        parsed.map_err(|why| {
            let file = file.display();
            format!(
                "{file} {why}: expected the path of an SVG or PNG file of at most {MAX_BYTES} bytes, without scripts"
            )
        })
    }

    fn parse(bytes: Vec<u8>) -> Result<Self, String> {
        let (kind, ending, [width, height]) = if bytes.starts_with(PNG) {
            ("image/png", "png", png_size(&bytes)?)
        } else {
            ("image/svg+xml", "svg", svg_size(&bytes)?)
        };
        let width = (width / height * f64::from(LOGO_HEIGHT))
            .round()
            .clamp(1.0, MAX_WIDTH)
            .to_string();
        // The address is the same in every build, because replicas of two versions serve each
        // other's pages during a deployment.
        let hash = &sha256(&bytes)[..HASH_DIGITS];
        let src = format!("{}/logo-{hash}.{ending}", routes::THEME);
        Ok(Self {
            picture: Picture { src, width },
            kind,
            bytes: bytes.into(),
        })
    }
}

/// Reads a file of the operator. It must be a regular file, because opening a pipe may block
/// forever, and a device may never end.
pub(super) fn bytes_of(file: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
    let unreadable = |error: io::Error| format!("cannot be read ({error})");
    let metadata = fs::metadata(file).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err("is no regular file".to_owned());
    }
    if metadata.len() > max_bytes {
        return Err("is too large".to_owned());
    }
    fs::read(file).map_err(unreadable)
}

/// Width and height in the first chunk of a PNG.
fn png_size(bytes: &[u8]) -> Result<[f64; 2], String> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    match (bytes.get(12..16), number(16), number(20)) {
        (Some(b"IHDR"), Some(width @ 1..=MAX_SIDE), Some(height @ 1..=MAX_SIDE)) => {
            Ok([width.into(), height.into()])
        }
        (Some(b"IHDR"), Some(1..), Some(1..)) => Err(format!("is larger than {MAX_SIDE} pixels")),
        _ => Err("is an incomplete PNG".to_owned()),
    }
}

/// Width and height of an SVG, in any unit, from its root element or else its `viewBox`.
fn svg_size(bytes: &[u8]) -> Result<[f64; 2], String> {
    let neither = || "is neither SVG nor PNG".to_owned();
    let text = std::str::from_utf8(bytes).map_err(|_| neither())?;
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options)
        .map_err(|error| format!("{} ({error})", neither()))?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        return Err(neither());
    }
    // No script would run, because `<img>` runs none and the file is served sandboxed.
    if root
        .descendants()
        .any(|node| node.tag_name().name().eq_ignore_ascii_case("script"))
    {
        return Err("has a script".to_owned());
    }
    Ok(named_size(root)
        .or_else(|| view_box_size(root))
        .unwrap_or(DEFAULT_SIZE))
}

/// The size in `width` and `height`; `None` for percentages.
fn named_size(root: Node) -> Option<[f64; 2]> {
    let length = |name| {
        let text = root.attribute(name)?.trim();
        text.trim_end_matches(|c: char| c.is_ascii_alphabetic())
            .parse()
            .ok()
    };
    usable([length("width")?, length("height")?])
}

fn view_box_size(root: Node) -> Option<[f64; 2]> {
    let mut numbers = root
        .attribute("viewBox")?
        .split([' ', ',', '\n', '\t'])
        .filter(|text| !text.is_empty());
    usable([numbers.nth(2)?.parse().ok()?, numbers.next()?.parse().ok()?])
}

fn usable(size: [f64; 2]) -> Option<[f64; 2]> {
    size.into_iter()
        .all(|length| (0.01..=100_000.0).contains(&length))
        .then_some(size)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A file of the repository.
    fn file(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(name)
    }

    #[test]
    fn reads_svg_size_or_uses_browser_default() {
        for (svg, expected) in [
            (
                "<svg xmlns='http://www.w3.org/2000/svg' width=\"240\" height='120'/>",
                [240.0, 120.0],
            ),
            (
                "\u{feff}<?xml version=\"1.0\"?>\n<!-- <html> -->\n<!DOCTYPE svg>\n<svg/>",
                DEFAULT_SIZE,
            ),
            ("<svg\n  viewBox=\"0 0 120 40\"/>", [120.0, 40.0]),
            (
                "<svg width=\"100%\" height=\"100%\" viewBox=\"0,0,300,100\"/>",
                [300.0, 100.0],
            ),
            ("<svg width=\"12.5mm\" height=\"25mm\"/>", [12.5, 25.0]),
            (
                "<svg stroke-width=\"2\" width=\"200\" height=\"100\"/>",
                [200.0, 100.0],
            ),
            ("<svg width=\"0\" height=\"1\"/>", DEFAULT_SIZE),
            ("<svg width=\"inf\" height=\"NaN\"/>", DEFAULT_SIZE),
        ] {
            assert_eq!(svg_size(svg.as_bytes()).as_ref(), Ok(&expected), "{svg}");
        }
    }

    #[test]
    fn rejects_files_that_are_not_images() {
        for bytes in [
            &b"<html><svg></svg></html>"[..],
            b"<svgx/>",
            b"<svg>",
            b"<?xml",
            b"GIF89a",
            b"\xff\xd8\xff",
            b"",
        ] {
            let why = svg_size(bytes).unwrap_err();
            assert!(
                why.starts_with("is neither SVG nor PNG"),
                "{}: {why}",
                String::from_utf8_lossy(bytes)
            );
        }
    }

    #[test]
    fn reads_png_size_from_first_chunk() {
        let icon = fs::read(file("public/icon-192.png")).unwrap();
        assert_eq!(png_size(&icon), Ok([192.0, 192.0]));
        assert_eq!(
            png_size(&icon[..20]),
            Err("is an incomplete PNG".to_owned())
        );
        let large = [&icon[..16], &4_097_u32.to_be_bytes(), &icon[20..]].concat();
        assert_eq!(
            png_size(&large),
            Err("is larger than 4096 pixels".to_owned())
        );
    }

    #[test]
    fn error_names_invalid_logo() {
        for (file, why) in [
            ("does-not-exist.svg", "cannot be read"),
            ("src", "is no regular file"),
            ("Cargo.toml", "is neither SVG nor PNG"),
        ] {
            let message = Logo::read(Path::new(file)).unwrap_err();
            assert!(message.starts_with(&format!("{file} {why}")), "{message}");
            assert!(message.contains("100000 bytes"), "{message}");
        }
    }

    #[test]
    fn rejects_svg_with_script() {
        assert!(svg_size(b"<svg><g><SCRIPT>alert(1)</SCRIPT></g></svg>").is_err());
        assert!(svg_size(b"<svg><desc>script</desc></svg>").is_ok());
    }

    #[test]
    fn address_changes_with_content() {
        let [favicon, touch] = ["public/favicon.svg", "public/apple-touch-icon.png"]
            .map(|name| Logo::read(&file(name)).unwrap().picture);
        assert!(favicon.src.starts_with("/theme/logo-") && favicon.src.ends_with(".svg"));
        assert_eq!((favicon.width.as_str(), touch.width.as_str()), ("44", "44"));
        assert!(touch.src.ends_with(".png") && touch.src[..28] != favicon.src[..28]);
    }

    /// The literal proves that another build computes the same address.
    #[test]
    fn address_contains_start_of_content_sha256() {
        let logo = Logo::parse(b"<svg/>".to_vec()).unwrap();
        assert_eq!(logo.picture.src, "/theme/logo-d4dc56669143034f.svg");
    }
}
