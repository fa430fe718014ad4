//! The firm's logo: read once at the start, and served under a name that changes with its content.

use std::{
    fs::{self, File},
    hash::{DefaultHasher, Hash, Hasher},
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use vincula_domain::routes;

use super::size::{Size, of_png, of_svg};

/// Maximum size of the file.
pub const MAX_BYTES: u64 = 100_000;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Longest side of a PNG, in pixels: a few bytes may unpack to more than a phone has memory for.
const MAX_SIDE: u32 = 4_096;

/// A picture of at most [`MAX_BYTES`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    path: String,
    kind: &'static str,
    size: Size,
    bytes: Arc<[u8]>,
}

/// Why a file is no logo. It begins with the file's name.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: expected the path of an SVG or PNG file of at most {max} bytes, without scripts", max = MAX_BYTES)]
pub struct NoLogo(String);

impl Logo {
    /// Reads the file.
    ///
    /// # Errors
    /// If it cannot be read, is too large, is neither SVG nor PNG, or has a script.
    pub fn read(file: &Path) -> Result<Self, NoLogo> {
        let refuse = |why: String| NoLogo(format!("{} {why}", file.display()));
        let bytes = bytes_of(file, MAX_BYTES).map_err(refuse)?;
        let (kind, ending) = kind_of(&bytes).ok_or_else(|| refuse("is neither SVG nor PNG".to_owned()))?;
        let size = match kind {
            "image/png" => of_png(&bytes).ok_or_else(|| refuse("is an incomplete PNG".to_owned()))?,
            _ => of_svg(&bytes),
        };
        if size.width.max(size.height) > MAX_SIDE && kind == "image/png" {
            return Err(refuse(format!("is larger than {MAX_SIDE} pixels")));
        }
        if kind != "image/png" && has_script(&bytes) {
            return Err(refuse("has a script".to_owned()));
        }
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let path = format!("{}/logo-{:016x}.{ending}", routes::THEME, hasher.finish());
        Ok(Self { path, kind, size, bytes: bytes.into() })
    }

    /// Its address on our server.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its media type.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// Its size in pixels, or in any unit of an SVG: the proportion counts.
    pub fn size(&self) -> Size {
        self.size
    }
}

impl AsRef<[u8]> for Logo {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The content of a file of the operator's.
///
/// # Errors
/// If it cannot be read, or is too large; or is no regular file: opening a pipe may wait for ever, and a device may never
/// end.
pub(crate) fn bytes_of(file: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
    let unreadable = |error: io::Error| format!("cannot be read ({error})");
    if !fs::metadata(file).map_err(unreadable)?.is_file() {
        return Err("is no regular file".to_owned());
    }
    let mut bytes = Vec::new();
    File::open(file).and_then(|opened| opened.take(max_bytes + 1).read_to_end(&mut bytes)).map_err(unreadable)?;
    if bytes.len() as u64 > max_bytes {
        return Err("is too large".to_owned());
    }
    Ok(bytes)
}

/// Whether an SVG has a script element. None would run: an `<img>` runs none, and by itself the file is sandboxed.
fn has_script(bytes: &[u8]) -> bool {
    bytes.windows(b"<script".len()).any(|part| part.eq_ignore_ascii_case(b"<script"))
}

/// Detects media type and file extension from the content, not from the name.
fn kind_of(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    if bytes.starts_with(PNG) {
        return Some(("image/png", "png"));
    }
    let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}');
    let mut rest = text.trim_start();
    // An XML declaration, comments and a document type may precede the root.
    loop {
        rest = match rest {
            _ if rest.starts_with("<?") => rest.split_once("?>")?.1,
            _ if rest.starts_with("<!--") => rest.split_once("-->")?.1,
            _ if rest.starts_with("<!DOCTYPE") => rest.split_once('>')?.1,
            _ => break,
        }
        .trim_start();
    }
    let after = rest.strip_prefix("<svg")?;
    after.starts_with(|c: char| c.is_whitespace() || c == '>').then_some(("image/svg+xml", "svg"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A file of the repository.
    fn file(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
    }

    #[test]
    fn the_kind_is_in_the_content() {
        let svg = Some(("image/svg+xml", "svg"));
        for (bytes, kind) in [
            (&b"\x89PNG\r\n\x1a\n\0\0"[..], Some(("image/png", "png"))),
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", svg),
            ("\u{feff}<?xml version=\"1.0\"?>\n<!-- <html> -->\n<!DOCTYPE svg>\n<svg>".as_bytes(), svg),
            (b"<html><svg></svg></html>", None),
            (b"<svgx>", None),
            (b"<?xml", None),
            (b"GIF89a", None),
            (b"\xff\xd8\xff", None),
            (b"", None),
        ] {
            assert_eq!(kind_of(bytes), kind, "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn what_is_no_logo_is_refused_by_name() {
        for (file, why) in [
            ("does-not-exist.svg", "cannot be read"),
            ("src", "is no regular file"),
            ("Cargo.toml", "is neither SVG nor PNG"),
        ] {
            let message = Logo::read(Path::new(file)).unwrap_err().to_string();
            assert!(message.starts_with(&format!("{file} {why}")), "{message}");
            assert!(message.contains("100000 bytes"), "{message}");
        }
    }

    #[test]
    fn a_picture_with_a_script_is_no_logo() {
        assert!(has_script(b"<svg><SCRIPT>alert(1)</SCRIPT></svg>") && !has_script(b"<svg><desc>script</desc></svg>"));
    }

    #[test]
    fn the_address_changes_with_the_content() {
        let favicon = Logo::read(&file("public/favicon.svg")).unwrap();
        assert!(favicon.path().starts_with("/theme/logo-") && favicon.path().ends_with(".svg"));
        let touch = Logo::read(&file("public/apple-touch-icon.png")).unwrap();
        assert!(touch.path().ends_with(".png") && touch.path()[..28] != favicon.path()[..28]);
    }
}
