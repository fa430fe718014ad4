//! The brand of one firm: a folder with `brand.json` and a logo.

use std::{fs, io, path::Path};

use serde::Deserialize;
use url::Url;
use vincula_domain::bank::Cnpj;

use super::telephone::Telephone;
use crate::{
    face::{Contact, Face, Picture, Purpose},
    theme::{Color, Colors, Logo, logo::bytes_of, roles_of},
};

const FILE: &str = "brand.json";
const LOGOS: [&str; 2] = ["logo.svg", "logo.png"];

/// Maximum size of `brand.json`.
const MAX_FILE_BYTES: u64 = 16_384;

/// Longest purpose and longest registration, in characters.
const MAX_PURPOSE: usize = 200;
const MAX_CRC: usize = 40;

/// `brand.json` as written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    primary: Option<String>,
    telephone: Option<String>,
    whatsapp: Option<String>,
    cnpj: Option<String>,
    crc: Option<String>,
    privacy_url: Option<String>,
    purpose: Option<String>,
}

/// Reads a firm's folder: its face, and its logo if it has one. What the brand lacks is the deployment's.
///
/// # Errors
/// What is wrong with it: the path of the file, and what was expected.
pub fn read(folder: &Path, deployment: &Face) -> Result<(Face, Option<Logo>), String> {
    let refuse = |why: String| format!("{} {why}", folder.display());
    let mut logos = Vec::new();
    for file in fs::read_dir(folder).map_err(|error| refuse(unreadable(error)))? {
        let name = file.map_err(|error| refuse(unreadable(error)))?.file_name();
        match name.to_str() {
            Some(FILE) => {}
            Some(logo) if LOGOS.contains(&logo) => logos.push(folder.join(logo)),
            // Of editors and of Kubernetes.
            Some(hidden) if hidden.starts_with('.') => {}
            _ => {
                return Err(refuse(format!("has {}: expected {FILE}, {}", name.display(), LOGOS.join(" or "))));
            }
        }
    }
    let logo = match &logos[..] {
        [] => None,
        [logo] => Some(Logo::read(logo).map_err(|why| why.to_string())?),
        _ => return Err(refuse(format!("has {}: expected one of them", LOGOS.join(" and ")))),
    };
    let file = folder.join(FILE);
    let text = text(&file).map_err(|why| format!("{} {why}", file.display()))?;
    let mut face = parse(&text, deployment).map_err(|why| format!("{}: {why}", file.display()))?;
    if let Some(logo) = &logo {
        face.logo = Some(Picture::from(logo));
    }
    Ok((face, logo))
}

/// Parses `brand.json`.
///
/// # Errors
/// The key, and what was expected.
pub fn parse(json: &str, deployment: &Face) -> Result<Face, String> {
    let written: Written = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let colors = field("primary", written.primary, |text| {
        let color = text.parse::<Color>().map_err(|why| format!("is not a colour: {why}"))?;
        roles_of(color).map(Colors::from).map_err(|why| why.to_string())
    })?;
    let contact = |scheme: &'static str| {
        move |text: &str| {
            let number = Telephone::parse(text)
                .ok_or("is no Brazilian number: expected +55, area code and number, for example +5511987654321")?;
            Ok(Contact { href: format!("{scheme}{}", number.digits()), number: number.to_string() })
        }
    };
    Ok(Face {
        colors: colors.or_else(|| deployment.colors.clone()),
        logo: deployment.logo.clone(),
        telephone: field("telephone", written.telephone, contact("tel:+"))?,
        whatsapp: field("whatsapp", written.whatsapp, contact("https://wa.me/"))?,
        cnpj: field("cnpj", written.cnpj, |text| {
            let cnpj = Cnpj::parse(text).ok_or("has wrong check digits: expected a CNPJ of 14 characters")?;
            Ok(format!("CNPJ {cnpj}"))
        })?,
        crc: field("crc", written.crc, |text| {
            plain(text, MAX_CRC).ok_or_else(|| {
                format!("expected a registration of at most {MAX_CRC} characters, for example CRC SP-123456/O-7")
            })
        })?,
        privacy_url: field("privacy_url", written.privacy_url, |text| https_url(text).map(String::from))?
            .or_else(|| deployment.privacy_url.clone()),
        purpose: field("purpose", written.purpose, |text| {
            let sentence = plain(text, MAX_PURPOSE);
            sentence.ok_or_else(|| format!("expected one plain sentence of at most {MAX_PURPOSE} characters"))
        })?
        .map(|sentence| Purpose::new(&sentence)),
    })
}

/// Parses an address that a page may link.
///
/// # Errors
/// If it is not `https://` with a host, or has a user.
pub fn https_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text).map_err(|error| format!("expected an https:// address ({error})"))?;
    let fits = url.scheme() == "https" && url.has_host() && url.username().is_empty() && url.password().is_none();
    if fits { Ok(url) } else { Err("expected an https:// address without user".into()) }
}

/// The parsed value of a key, if it has one; the message begins with the key.
fn field<T>(
    key: &str,
    value: Option<String>,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, String> {
    value.map(|text| parse(&text).map_err(|why| format!("{key} {why}"))).transpose()
}

fn text(file: &Path) -> Result<String, String> {
    let bytes =
        bytes_of(file, MAX_FILE_BYTES).map_err(|why| format!("{why}: expected at most {MAX_FILE_BYTES} bytes"))?;
    String::from_utf8(bytes).map_err(|_| "is no UTF-8".to_owned())
}

/// One line that shows as it was written: nothing that controls, hides or turns the direction of text.
fn plain(text: &str, max_chars: usize) -> Option<String> {
    // Rust's `Debug` escapes these characters, and quotes. A combining mark is visible behind its letter.
    let is_shown =
        |c: char| c.is_ascii_graphic() || ['a', c].iter().collect::<String>().escape_debug().nth(1) == Some(c);
    let text = text.trim();
    let fits =
        !text.is_empty() && text.chars().count() <= max_chars && text.chars().all(|c| c == '\u{a0}' || is_shown(c));
    fits.then(|| text.to_owned())
}

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
fn unreadable(error: io::Error) -> String {
    format!("cannot be read ({error})")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r##"{ "primary": "#7a0019", "telephone": "+551132654321", "whatsapp": "+5511987654321",
        "cnpj": "40817256000100", "crc": "CRC SP-123456/O-7", "privacy_url": "https://firm.example/p",
        "purpose": "para fechar o seu balanço." }"##;

    #[test]
    fn a_whole_brand_is_shown_and_the_deployment_fills_the_gaps() {
        let deployment = Face { privacy_url: Some("https://vincula.example/p".to_owned()), ..Face::default() };
        let face = parse(WHOLE, &deployment).unwrap();
        assert_eq!(
            (face.cnpj.as_deref(), face.crc.as_deref()),
            (Some("CNPJ 40.817.256/0001-00"), Some("CRC SP-123456/O-7"))
        );
        let (telephone, whatsapp) = (face.telephone.unwrap(), face.whatsapp.unwrap());
        assert_eq!((&*telephone.href, &*telephone.number), ("tel:+551132654321", "(11) 3265-4321"));
        assert_eq!((&*whatsapp.href, &*whatsapp.number), ("https://wa.me/5511987654321", "(11) 98765-4321"));
        assert_eq!(face.privacy_url.as_deref(), Some("https://firm.example/p"));
        assert!(face.colors.unwrap().css().contains("--color-primary:#7a0019"));
        assert_eq!(parse("{}", &deployment).unwrap(), deployment);
    }

    #[test]
    fn what_is_wrong_is_refused_by_its_key() {
        let long = format!(r#"{{ "purpose": "{}" }}"#, "é".repeat(201));
        for (json, expected) in [
            ("", "EOF"),
            ("[]", "invalid length"),
            (r#"{ "colour": "red" }"#, "unknown field `colour`, expected one of `primary`, `telephone`"),
            (r#"{ "cnpj": 40817256000100 }"#, "expected a string"),
            (r##"{ "primary": "#1f6fb2" }"##, "primary is #1f6fb2, which does not contrast enough"),
            (r##"{ "primary": "#1f6fb2" }"##, "the nearest darker colour that works is #"),
            (r#"{ "primary": "petrol" }"#, "primary is not a colour: expected a colour as #rrggbb"),
            (r#"{ "telephone": "11 98765-4321" }"#, "telephone is no Brazilian number: expected +55"),
            (r#"{ "whatsapp": "+1" }"#, "whatsapp is no Brazilian number"),
            (r#"{ "cnpj": "40817256000101" }"#, "cnpj has wrong check digits"),
            (
                r#"{ "crc": "a\u202eb" }"#,
                "crc expected a registration of at most 40 characters, for example CRC SP-123456/O-7",
            ),
            (r#"{ "privacy_url": "//firm.example" }"#, "privacy_url expected an https:// address"),
            (r#"{ "privacy_url": "http://firm.example" }"#, "privacy_url expected an https:// address"),
            (r#"{ "privacy_url": "https://user@firm.example" }"#, "privacy_url expected an https:// address"),
            (r#"{ "privacy_url": "javascript:alert(1)" }"#, "privacy_url expected an https:// address"),
            (r#"{ "purpose": " " }"#, "purpose expected one plain sentence"),
            (r#"{ "purpose": "a\nb" }"#, "purpose expected one plain sentence"),
            (r#"{ "purpose": "a\u202eb" }"#, "purpose expected one plain sentence"),
            (r#"{ "purpose": "a\u00adb" }"#, "purpose expected one plain sentence"),
            (r#"{ "purpose": "a\u061cb" }"#, "purpose expected one plain sentence"),
            (r#"{ "purpose": "a\u180eb" }"#, "purpose expected one plain sentence"),
            (r#"{ "purpose": "a\udb40\udc41b" }"#, "purpose expected one plain sentence"),
            (&long, "at most 200 characters"),
        ] {
            let message = parse(json, &Face::default()).unwrap_err();
            assert!(message.contains(expected), "{json}: {message}");
        }
        for purpose in ["fechar o seu 'balanço': 100 %.", "conferir os lanc\u{327}amentos \u{2013} R$\u{a0}10 😀"] {
            let face = parse(&format!(r#"{{ "purpose": "{purpose}" }}"#), &Face::default()).unwrap();
            assert_eq!(face.purpose.unwrap().sentence, purpose);
        }
    }
}
