//! What a document shows of a firm besides its name, read from `brand.json`.

use serde::Deserialize;
use url::Url;
use vincula_domain::bank::punctuated_cnpj;

use super::{Colors, Picture, sha256};

/// Longest purpose and longest registration, in characters.
const MAX_PURPOSE: usize = 200;
const MAX_CRC: usize = 40;

/// The firm's details in one document. Missing parts are not shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Face {
    pub colors: Option<Colors>,
    pub logo: Option<Picture>,
    /// "CNPJ 40.817.256/0001-00".
    pub cnpj: Option<String>,
    /// "CRC SP-123456/O-7".
    pub crc: Option<String>,
    pub telephone: Option<Contact>,
    pub whatsapp: Option<Contact>,
    pub privacy_url: Option<String>,
    pub purpose: Option<Purpose>,
}

/// A telephone number as a link and as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contact {
    pub href: String,
    pub number: String,
}

/// What the firm wants the statements for, in its own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Purpose {
    pub sentence: String,
    /// SHA-256 of the sentence, in hexadecimal digits. A consent names by it the sentence that its
    /// page showed.
    pub sha256: String,
}

/// `brand.json` as written.
#[derive(Debug, Deserialize)]
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

impl Face {
    /// Parses `brand.json`. Missing values come from the deployment. The error names the key and
    /// what was expected.
    pub fn parse(json: &[u8], deployment: &Self) -> Result<Self, String> {
        let written: Written = serde_json::from_slice(json).map_err(|error| error.to_string())?;
        Ok(Self {
            colors: field("primary", written.primary, colors)?.or(deployment.colors),
            logo: deployment.logo.clone(),
            telephone: field("telephone", written.telephone, |number| {
                contact("tel:+", number)
            })?,
            whatsapp: field("whatsapp", written.whatsapp, |number| {
                contact("https://wa.me/", number)
            })?,
            cnpj: field("cnpj", written.cnpj, |text| {
                let cnpj = punctuated_cnpj(text)
                    .ok_or("has wrong check digits: expected a CNPJ of 14 characters")?;
                Ok(format!("CNPJ {cnpj}"))
            })?,
            crc: field("crc", written.crc, |text| {
                plain(text, MAX_CRC).ok_or_else(|| {
                    format!("expected a registration of at most {MAX_CRC} characters, for example CRC SP-123456/O-7")
                })
            })?,
            privacy_url: field("privacy_url", written.privacy_url, |text| {
                https_url(text).map(String::from)
            })?
            .or_else(|| deployment.privacy_url.clone()),
            purpose: field("purpose", written.purpose, |text| {
                let sentence = plain(text, MAX_PURPOSE).ok_or_else(|| {
                    format!("expected one plain sentence of at most {MAX_PURPOSE} characters")
                })?;
                Ok(Purpose {
                    sha256: sha256(sentence.as_bytes()),
                    sentence,
                })
            })?,
        })
    }

    /// Whether there is a number to call or to write to.
    pub fn can_be_reached(&self) -> bool {
        self.telephone.is_some() || self.whatsapp.is_some()
    }
}

/// The parsed value of a key, if it has one; the message begins with the key.
fn field<T>(
    key: &str,
    value: Option<String>,
    parse: impl FnOnce(&str) -> Result<T, String>,
) -> Result<Option<T>, String> {
    value
        .map(|text| parse(&text).map_err(|why| format!("{key} {why}")))
        .transpose()
}

fn colors(text: &str) -> Result<Colors, String> {
    text.parse()
        .map_err(|why| format!("is not a colour: {why}"))
        .and_then(Colors::of)
}

/// A Brazilian number: `+55`, an area code, and the number of a landline (eight digits) or of a
/// mobile telephone (nine).
fn contact(scheme: &str, text: &str) -> Result<Contact, String> {
    let fits = |area: &str, number: &str| {
        let begins_right = match number.len() {
            8 => number.starts_with(['2', '3', '4', '5']),
            9 => number.starts_with('9'),
            _ => false,
        };
        begins_right
            && !area.contains('0')
            && [area, number]
                .concat()
                .bytes()
                .all(|byte| byte.is_ascii_digit())
    };
    let parts = text
        .strip_prefix("+55")
        .and_then(|national| national.split_at_checked(2));
    let (area, number) = parts.filter(|(area, number)| fits(area, number)).ok_or(
        "is no Brazilian number: expected +55, area code and number, for example +5511987654321",
    )?;
    let (before, after) = number.split_at(number.len() - 4);
    Ok(Contact {
        href: format!("{scheme}55{area}{number}"),
        number: format!("({area}) {before}-{after}"),
    })
}

/// Parses an address that a page may link: `https://` with a host and without a user.
pub fn https_url(text: &str) -> Result<Url, String> {
    let url =
        Url::parse(text).map_err(|error| format!("expected an https:// address ({error})"))?;
    let fits = url.scheme() == "https"
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none();
    if fits {
        Ok(url)
    } else {
        Err("expected an https:// address without user".into())
    }
}

/// Accepts one line without control characters, invisible characters or changes of text direction.
fn plain(text: &str, max_chars: usize) -> Option<String> {
    // Rust's `Debug` escapes these characters, and quotes. A combining mark is visible after its
    // letter.
    let is_shown = |c: char| {
        c.is_ascii_graphic() || ['a', c].iter().collect::<String>().escape_debug().nth(1) == Some(c)
    };
    let text = text.trim();
    let fits = !text.is_empty()
        && text.chars().count() <= max_chars
        && text.chars().all(|c| c == '\u{a0}' || is_shown(c));
    fits.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = r##"{ "primary": "#7a0019", "telephone": "+551132654321", "whatsapp": "+5511987654321",
        "cnpj": "40817256000100", "crc": "CRC SP-123456/O-7", "privacy_url": "https://firm.example/p",
        "purpose": "para fechar o seu balanço." }"##;

    #[test]
    fn uses_deployment_settings_for_missing_fields() {
        let deployment = Face {
            privacy_url: Some("https://vincula.example/p".to_owned()),
            ..Face::default()
        };
        let face = Face::parse(WHOLE.as_bytes(), &deployment).unwrap();
        assert_eq!(
            (face.cnpj.as_deref(), face.crc.as_deref()),
            (Some("CNPJ 40.817.256/0001-00"), Some("CRC SP-123456/O-7"))
        );
        let (telephone, whatsapp) = (face.telephone.unwrap(), face.whatsapp.unwrap());
        assert_eq!(
            (&*telephone.href, &*telephone.number),
            ("tel:+551132654321", "(11) 3265-4321")
        );
        assert_eq!(
            (&*whatsapp.href, &*whatsapp.number),
            ("https://wa.me/5511987654321", "(11) 98765-4321")
        );
        assert_eq!(face.privacy_url.as_deref(), Some("https://firm.example/p"));
        assert!(
            face.colors
                .unwrap()
                .css()
                .contains("--color-primary:#7a0019")
        );
        assert_eq!(
            face.purpose.unwrap().sha256,
            "10d03a77bfa469650bd44428db736a177bfe24f49d7b82f369484433622686f0"
        );
        assert_eq!(Face::parse(b"{}", &deployment).unwrap(), deployment);
    }

    #[test]
    fn names_key_of_invalid_value() {
        let long = format!(r#"{{ "purpose": "{}" }}"#, "é".repeat(201));
        for (json, expected) in [
            ("", "EOF"),
            ("[]", "invalid length"),
            (
                r#"{ "colour": "red" }"#,
                "unknown field `colour`, expected one of `primary`, `telephone`",
            ),
            (
                r##"{ "primary": "#1f6fb2" }"##,
                "primary is #1f6fb2, which does not contrast enough",
            ),
            (
                r##"{ "primary": "#1f6fb2" }"##,
                "the nearest darker colour that works is #",
            ),
            (
                r#"{ "primary": "petrol" }"#,
                "primary is not a colour: expected a colour as #rrggbb",
            ),
            (
                r#"{ "telephone": "11 98765-4321" }"#,
                "telephone is no Brazilian number: expected +55",
            ),
            (
                r#"{ "cnpj": "40817256000101" }"#,
                "cnpj has wrong check digits",
            ),
            (
                r#"{ "crc": "a\u202eb" }"#,
                "crc expected a registration of at most 40 characters, for example CRC SP-123456/O-7",
            ),
            (
                r#"{ "privacy_url": "http://firm.example" }"#,
                "privacy_url expected an https:// address",
            ),
            (
                r#"{ "purpose": " " }"#,
                "purpose expected one plain sentence",
            ),
            (
                r#"{ "purpose": "a\nb" }"#,
                "purpose expected one plain sentence",
            ),
            (
                r#"{ "purpose": "a\u202eb" }"#,
                "purpose expected one plain sentence",
            ),
            (
                r#"{ "purpose": "a\udb40\udc41b" }"#,
                "purpose expected one plain sentence",
            ),
            (&long, "at most 200 characters"),
        ] {
            let message = Face::parse(json.as_bytes(), &Face::default()).unwrap_err();
            assert!(message.contains(expected), "{json}: {message}");
        }
        for purpose in [
            "fechar o seu 'balanço': 100 %.",
            "conferir os lanc\u{327}amentos \u{2013} R$\u{a0}10 😀",
        ] {
            let face = Face::parse(
                format!(r#"{{ "purpose": "{purpose}" }}"#).as_bytes(),
                &Face::default(),
            )
            .unwrap();
            assert_eq!(face.purpose.unwrap().sentence, purpose);
        }
    }

    #[test]
    fn accepts_only_dialable_numbers() {
        for (text, shown) in [
            ("+5511987654321", "(11) 98765-4321"),
            ("+552132654321", "(21) 3265-4321"),
        ] {
            let expected = Contact {
                href: format!("tel:{text}"),
                number: shown.to_owned(),
            };
            assert_eq!(contact("tel:+", text), Ok(expected));
        }
        for text in [
            "",
            "11987654321",
            "+55 11 98765-4321",
            "+5511887654321",
            "+551187654321",
            "+55119876543210",
            "+5511éé7654321",
            "+14155550100",
        ] {
            assert!(contact("tel:+", text).is_err(), "{text}");
        }
    }
}
