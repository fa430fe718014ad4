//! What firms look like, read at startup from `BRANDS_DIR`: a folder for each `customer_id` with
//! `brand.json`, and a logo if the firm has one. The folder `default` is for the firms without a
//! folder, and for pages without a session.

mod color;
mod logo;
mod primary;
mod privacy;
mod telephone;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    fs,
    path::{Path, PathBuf},
};

pub use color::Color;
use data_encoding::HEXLOWER;
use logo::Format;
pub use logo::{Logo, ShownLogo};
pub use primary::{Primary, bars};
pub use privacy::PrivacyPolicy;
use ring::digest::{SHA256, digest};
use serde::Deserialize;
pub use telephone::{LocalNumber, Telephone};

use crate::routes;

/// The folder of the deployment's own brand.
const DEFAULT: &str = "default";

/// The file of a brand.
const BRAND: &str = "brand.json";

/// Size of the largest file that is read, in bytes. Each page loads the logo.
const MAX_FILE_BYTES: u64 = 200_000;

/// The files that can be a logo.
const LOGOS: [(&str, Format); 2] = [("logo.svg", Format::Svg), ("logo.png", Format::Png)];

/// What a document shows of a firm besides its name. Missing parts are not shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FirmDetails {
    pub primary: Option<Primary>,
    pub telephone: Option<Telephone>,
    pub whatsapp: Option<LocalNumber>,
    pub privacy: Option<PrivacyPolicy>,
    /// Not a key of `brand.json`.
    #[serde(skip)]
    pub logo: Option<ShownLogo>,
}

impl FirmDetails {
    /// Whether there is a number to call or to write to.
    pub fn can_be_reached(&self) -> bool {
        self.telephone.is_some() || self.whatsapp.is_some()
    }
}

/// The details and logos of the deployment and of all firms.
#[derive(Debug, Default)]
pub struct Brands {
    deployment: FirmDetails,
    /// By the text of the firm's id.
    pub firms: HashMap<String, FirmDetails>,
    /// By address, which changes with the content.
    pub logos: HashMap<String, Logo>,
    /// Files and folders that nothing shows, and what was expected there.
    pub unused: Vec<String>,
}

impl Brands {
    /// Reads the folder of each firm. The error names every unusable file and what is wrong with
    /// it.
    pub fn read(dir: &Path) -> Result<Self, String> {
        let mut brands = Self::default();
        let mut errors = Vec::new();
        for (id, folder) in entries(dir)? {
            if !folder.join(BRAND).is_file() {
                brands.ignore(&folder, "a folder with brand.json");
                continue;
            }
            match brands.read_folder(&folder) {
                Ok(details) if id == DEFAULT => brands.deployment = details,
                Ok(details) => drop(brands.firms.insert(id, details)),
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() {
            Ok(brands)
        } else {
            Err(errors.join("\n  "))
        }
    }

    /// The details of a firm, or those of the deployment if the firm has no folder.
    pub fn details(&self, firm: Option<&str>) -> &FirmDetails {
        firm.and_then(|id| self.firms.get(id))
            .unwrap_or(&self.deployment)
    }

    fn read_folder(&mut self, folder: &Path) -> Result<FirmDetails, String> {
        for (name, path) in entries(folder)? {
            let is_known = name == BRAND || LOGOS.iter().any(|(logo, _)| *logo == name);
            if !is_known {
                self.ignore(&path, "brand.json, logo.svg or logo.png");
            }
        }
        let json = read(&folder.join(BRAND))?;
        let mut details: FirmDetails = serde_json::from_slice(&json)
            .map_err(|error| format!("{}/brand.json: {error}", folder.display()))?;
        for (name, format) in LOGOS {
            let file = folder.join(name);
            if file.exists() {
                let bytes = read(&file)?;
                let width = logo::width(format, &bytes).ok_or_else(|| {
                    let file = file.display();
                    format!("{file} is no picture (expected a PNG, or an SVG with a viewBox)")
                })?;
                let address = self.keep_logo(format, &bytes, name);
                details.logo = Some(ShownLogo { address, width });
            }
        }
        Ok(details)
    }

    fn ignore(&mut self, path: &Path, expected: &str) {
        let path = path.display();
        self.unused
            .push(format!("{path} is not used (expected {expected})"));
    }

    /// Keeps a logo under an address with the hash of its content. Replicas of two versions serve
    /// each other's pages, so the address is the same in every build.
    fn keep_logo(&mut self, format: Format, bytes: &[u8], name: &str) -> String {
        let hash = HEXLOWER.encode(digest(&SHA256, bytes).as_ref());
        let address = format!("{}/{}-{name}", routes::THEME, &hash[..16]);
        let logo = Logo {
            format,
            bytes: bytes.into(),
        };
        self.logos.insert(address.clone(), logo);
        address
    }
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error| format!("{} cannot be read ({error})", file.display());
    let kind = fs::metadata(file).map_err(unreadable)?;
    if !kind.is_file() || kind.len() == 0 || kind.len() > MAX_FILE_BYTES {
        return Err(format!(
            "{} has {} bytes (expected a file of at most {MAX_FILE_BYTES})",
            file.display(),
            kind.len()
        ));
    }
    fs::read(file).map_err(unreadable)
}

/// What is in a directory by name, in order, without the hidden entries of Kubernetes.
fn entries(dir: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let unreadable = |error| format!("{} cannot be read ({error})", dir.display());
    let mut entries = Vec::new();
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.starts_with('.') {
            entries.push((name.into_owned(), path));
        }
    }
    entries.sort();
    Ok(entries)
}
