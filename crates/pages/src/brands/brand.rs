//! The brand of one firm: a folder with `brand.json` and a logo.

use std::{fs, io, path::Path, sync::Arc};

use serde::Deserialize;
use vincula_domain::bank::Cnpj;

use super::{crc, https_address::is_https_address, telephone::Telephone};
use crate::{
    face::{Contact, Face, Picture, Purpose},
    theme::{Color, Colors, Logo, Roles, logo::bytes_of, roles_of},
};

const FILE: &str = "brand.json";
const LOGOS: [&str; 2] = ["logo.svg", "logo.png"];

/// Maximum size of `brand.json`.
const MAX_FILE_BYTES: u64 = 16_384;

/// Longest purpose, in characters.
const MAX_PURPOSE: usize = 200;

/// What a firm's sessions show in place of the deployment's theme. What it lacks is the deployment's.
#[derive(Debug, Clone, Default)]
pub struct Brand {
    roles: Option<Roles>,
    logo: Option<Logo>,
    telephone: Option<Telephone>,
    whatsapp: Option<Telephone>,
    cnpj: Option<Box<str>>,
    crc: Option<Box<str>>,
    privacy_url: Option<Box<str>>,
    purpose: Option<Box<str>>,
}

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

impl Brand {
    /// Reads a folder.
    ///
    /// # Errors
    /// What is wrong with it: the path of the file, and what was expected.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let of_folder = |why: String| format!("{} {why}", folder.display());
        let mut logos = Vec::new();
        for file in fs::read_dir(folder).map_err(|error| of_folder(unreadable(error)))? {
            let name = file.map_err(|error| of_folder(unreadable(error)))?.file_name();
            match name.to_str() {
                Some(FILE) => {}
                Some(logo) if LOGOS.contains(&logo) => logos.push(folder.join(logo)),
                // Of editors and of Kubernetes.
                Some(hidden) if hidden.starts_with('.') => {}
                _ => {
                    let why = format!("has {}: expected {FILE}, {}", name.display(), LOGOS.join(" or "));
                    return Err(of_folder(why));
                }
            }
        }
        let logo = match &logos[..] {
            [] => None,
            [logo] => Some(Logo::read(logo).map_err(|why| why.to_string())?),
            _ => return Err(of_folder(format!("has {}: expected one of them", LOGOS.join(" and ")))),
        };
        let file = folder.join(FILE);
        let text = text(&file).map_err(|why| format!("{} {why}", file.display()))?;
        Ok(Self { logo, ..Self::parse(&text).map_err(|why| format!("{}: {why}", file.display()))? })
    }

    /// Parses `brand.json`.
    ///
    /// # Errors
    /// The key, and what was expected.
    pub fn parse(json: &str) -> Result<Self, String> {
        let written: Written = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let color = |text: &str| text.parse::<Color>().map_err(|why| format!("is not a colour: {why}"));
        let number = |text: &str| {
            Telephone::parse(text).ok_or_else(|| {
                "is no Brazilian number: expected +55, area code and number, for example +5511987654321".to_owned()
            })
        };
        Ok(Self {
            roles: field("primary", written.primary, |text| roles_of(color(text)?).map_err(|why| why.to_string()))?,
            logo: None,
            telephone: field("telephone", written.telephone, number)?,
            whatsapp: field("whatsapp", written.whatsapp, number)?,
            cnpj: field("cnpj", written.cnpj, |text| {
                let cnpj = Cnpj::parse(text).ok_or("has wrong check digits: expected a CNPJ of 14 characters")?;
                Ok(format!("CNPJ {cnpj}").into())
            })?,
            crc: field("crc", written.crc, |text| {
                let crc = crc::parse(text).ok_or("is no registration: expected, for example, CRC SP-123456/O-7")?;
                Ok(crc.into())
            })?,
            privacy_url: field("privacy_url", written.privacy_url, |text| {
                let fits = is_https_address(text);
                fits.then(|| text.into()).ok_or_else(|| "is no https:// address without user".to_owned())
            })?,
            purpose: field("purpose", written.purpose, |text| {
                let fits = is_sentence(text) && text.chars().count() <= MAX_PURPOSE;
                let expected = || format!("expected one plain sentence of at most {MAX_PURPOSE} characters");
                fits.then(|| text.trim().into()).ok_or_else(expected)
            })?,
        })
    }

    /// Takes the bytes of the logo from before if they are the same, so that a reading does not need them twice.
    pub fn share_logo(&mut self, before: Option<&Arc<Self>>) {
        let same = before.and_then(|before| before.logo.as_ref()).filter(|logo| Some(*logo) == self.logo.as_ref());
        self.logo = same.cloned().or_else(|| self.logo.take());
    }

    pub fn logo(&self) -> Option<&Logo> {
        self.logo.as_ref()
    }

    /// The firm's face; what the brand lacks is the deployment's.
    pub fn face(&self, deployment: &Face) -> Face {
        let own = |text: &Option<Box<str>>| text.as_deref().map(str::to_owned);
        let contact = |scheme: &str, number: &Option<Telephone>| {
            number
                .as_ref()
                .map(|number| Contact { href: format!("{scheme}{}", number.digits()), number: number.to_string() })
        };
        Face {
            colors: self.roles.map(Colors::from).or_else(|| deployment.colors.clone()),
            logo: self.logo.as_ref().map(Picture::of).or_else(|| deployment.logo.clone()),
            cnpj: own(&self.cnpj),
            crc: own(&self.crc),
            telephone: contact("tel:+", &self.telephone),
            whatsapp: contact("https://wa.me/", &self.whatsapp),
            privacy_url: own(&self.privacy_url).or_else(|| deployment.privacy_url.clone()),
            purpose: self.purpose(),
        }
    }

    pub fn purpose(&self) -> Option<Purpose> {
        self.purpose.as_deref().map(Purpose::new)
    }
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
fn is_sentence(text: &str) -> bool {
    // Rust's `Debug` escapes these characters, and quotes. A combining mark is visible behind its letter.
    let is_shown =
        |c: char| c.is_ascii_graphic() || ['a', c].iter().collect::<String>().escape_debug().nth(1) == Some(c);
    !text.trim().is_empty() && text.chars().all(|c| c == '\u{a0}' || is_shown(c))
}

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err takes")]
fn unreadable(error: io::Error) -> String {
    format!("cannot be read ({error})")
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r##"{ "primary": "#7a0019", "telephone": "+551132654321", "whatsapp": "+5511987654321",
        "cnpj": "40817256000100", "crc": "sp-123456/o-7", "privacy_url": "https://firm.example/p",
        "purpose": "para fechar o seu balanço." }"##;

    #[test]
    fn a_whole_brand_is_shown_and_the_deployment_fills_the_gaps() {
        let deployment = Face { privacy_url: Some("https://vincula.example/p".to_owned()), ..Face::default() };
        let face = Brand::parse(WHOLE).unwrap().face(&deployment);
        assert_eq!(
            (face.cnpj.as_deref(), face.crc.as_deref()),
            (Some("CNPJ 40.817.256/0001-00"), Some("CRC SP-123456/O-7"))
        );
        let (telephone, whatsapp) = (face.telephone.unwrap(), face.whatsapp.unwrap());
        assert_eq!((&*telephone.href, &*telephone.number), ("tel:+551132654321", "(11) 3265-4321"));
        assert_eq!((&*whatsapp.href, &*whatsapp.number), ("https://wa.me/5511987654321", "(11) 98765-4321"));
        assert_eq!(face.privacy_url.as_deref(), Some("https://firm.example/p"));
        assert!(face.colors.unwrap().css().contains("--color-primary:#7a0019"));
        assert_eq!(Brand::parse("{}").unwrap().face(&deployment), deployment);
    }

    #[test]
    fn what_is_wrong_is_refused_by_its_key() {
        let long = format!(r#"{{ "purpose": "{}" }}"#, "é".repeat(201));
        for (json, told) in [
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
            (r#"{ "crc": "123" }"#, "crc is no registration: expected, for example, CRC SP-123456/O-7"),
            (r#"{ "privacy_url": "http://firm.example" }"#, "privacy_url is no https:// address"),
            (r#"{ "privacy_url": "javascript:alert(1)" }"#, "privacy_url is no https:// address"),
            (r#"{ "purpose": " " }"#, "purpose expected one plain sentence"),
            (r#"{ "purpose": "a\nb" }"#, "purpose expected one plain sentence"),
            (r#"{ "purpose": "a\u202eb" }"#, "purpose expected one plain sentence"),
            (r#"{ "purpose": "a\u00adb" }"#, "purpose expected one plain sentence"),
            (r#"{ "purpose": "a\u061cb" }"#, "purpose expected one plain sentence"),
            (r#"{ "purpose": "a\u180eb" }"#, "purpose expected one plain sentence"),
            (r#"{ "purpose": "a\udb40\udc41b" }"#, "purpose expected one plain sentence"),
            (&long, "at most 200 characters"),
        ] {
            let message = Brand::parse(json).unwrap_err();
            assert!(message.contains(told), "{json}: {message}");
        }
        for purpose in ["fechar o seu 'balanço': 100 %.", "conferir os lanc\u{327}amentos \u{2013} R$\u{a0}10 😀"] {
            let brand = Brand::parse(&format!(r#"{{ "purpose": "{purpose}" }}"#)).unwrap();
            assert_eq!(brand.purpose.as_deref(), Some(purpose));
        }
    }
}
