//! The brands of the deployment and of each firm, read at startup. `BRANDS_DIR` has a folder with
//! `brand.json` and a logo for each `customer_id`.

mod color;
mod colors;
mod face;
mod logo;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    fs::{self, DirEntry},
    path::{Path, PathBuf},
};

pub use color::Color;
pub use colors::{Colors, bars};
use data_encoding::HEXLOWER;
pub use face::{Contact, Face, Purpose, https_url};
use logo::bytes_of;
pub use logo::{LOGO_HEIGHT, Logo, Picture};
use ring::digest::{SHA256, digest};

const FILE: &str = "brand.json";

/// Maximum size of `brand.json`.
const MAX_FILE_BYTES: u64 = 16_384;

/// Longest id of a firm, in bytes.
const MAX_ID_LEN: usize = 128;

/// The faces and logos of the deployment and of all firms.
#[derive(Debug, Default)]
pub struct Brands {
    deployment: Face,
    /// By the text of the firm's id.
    pub firms: HashMap<Box<str>, Face>,
    /// By address, which does not reveal the firm.
    pub logos: HashMap<String, Logo>,
}

impl Brands {
    /// Reads the deployment's logo, and the folder of each firm. The error names the setting and
    /// what is wrong, for all unusable folders.
    pub fn read(
        primary: Option<Color>,
        logo: Option<&Path>,
        privacy_url: Option<String>,
        dir: Option<&Path>,
    ) -> Result<Self, String> {
        let colors = primary
            .map(Colors::of)
            .transpose()
            .map_err(|why| format!("THEME_PRIMARY {why}"))?;
        let logo = logo
            .map(Logo::read)
            .transpose()
            .map_err(|why| format!("THEME_LOGO {why}"))?;
        let mut brands = Self::default();
        brands.deployment = Face {
            colors,
            logo: logo.map(|logo| brands.keep(logo)),
            privacy_url,
            ..Face::default()
        };
        let folders = dir
            .map(entries)
            .transpose()
            .map_err(|why| format!("BRANDS_DIR: {why}"))?;
        let read = folders
            .unwrap_or_default()
            .into_iter()
            .map(|(id, folder)| brands.read_firm(&id, &folder));
        let mut refused: Vec<_> = read
            .filter_map(Result::err)
            .map(|why| format!("BRANDS_DIR: {why}"))
            .collect();
        refused.sort();
        if refused.is_empty() {
            Ok(brands)
        } else {
            Err(refused.join("\n  "))
        }
    }

    /// The details of a firm, or those of the deployment if it has no brand.
    pub fn of(&self, firm: Option<&str>) -> &Face {
        firm.and_then(|id| self.firms.get(id))
            .unwrap_or(&self.deployment)
    }

    /// Reads a firm's folder. Missing values come from the deployment.
    fn read_firm(&mut self, id: &str, folder: &Path) -> Result<(), String> {
        let refuse = |why| Err(format!("{} {why}", folder.display()));
        if id.len() > MAX_ID_LEN
            || !id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        {
            return refuse(
                "cannot be a customer_id: expected letters, digits, '-', '_' and '.'".to_owned(),
            );
        }
        let mut logo = None;
        for (name, path) in entries(folder)? {
            match name.as_str() {
                FILE => {}
                "logo.svg" | "logo.png" if logo.is_none() => logo = Some(Logo::read(&path)?),
                _ => {
                    return refuse(format!(
                        "has {name}: expected {FILE}, logo.svg or logo.png (not both)"
                    ));
                }
            }
        }
        let (file, max) = (folder.join(FILE), MAX_FILE_BYTES);
        let named = file.display();
        let json = bytes_of(&file, max)
            .map_err(|why| format!("{named} {why}: expected at most {max} bytes"))?;
        let mut face =
            Face::parse(&json, &self.deployment).map_err(|why| format!("{named}: {why}"))?;
        if let Some(logo) = logo {
            face.logo = Some(self.keep(logo));
        }
        self.firms.insert(id.into(), face);
        Ok(())
    }

    fn keep(&mut self, logo: Logo) -> Picture {
        let picture = logo.picture.clone();
        self.logos.insert(picture.src.clone(), logo);
        picture
    }
}

/// SHA-256 in hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    HEXLOWER.encode(digest(&SHA256, bytes).as_ref())
}

/// The entries of a directory by name, without hidden files of editors and Kubernetes.
fn entries(dir: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let entries: Vec<DirEntry> = fs::read_dir(dir)
        .and_then(Iterator::collect)
        .map_err(|error| format!("{} cannot be read ({error})", dir.display()))?;
    let named = entries.into_iter().map(|entry| {
        (
            entry.file_name().to_string_lossy().into_owned(),
            entry.path(),
        )
    });
    Ok(named.filter(|(name, _)| !name.starts_with('.')).collect())
}
