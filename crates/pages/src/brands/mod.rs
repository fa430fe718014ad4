//! The brands of all firms of a deployment: `BRANDS_DIR` has a folder for each `customer_id`.

mod brand;
mod telephone;

use std::{collections::HashMap, fmt, fs, path::Path};

pub use brand::{https_url, parse};

use crate::{face::Face, theme::Logo};

/// How many refusals a message lists.
const MAX_LISTED: usize = 20;

/// Longest id of a firm, in bytes.
const MAX_ID_LEN: usize = 128;

/// What the folders hold.
#[derive(Debug, Default)]
pub struct Brands {
    /// By the text of the firm's id.
    pub faces: HashMap<Box<str>, Face>,
    pub logos: Vec<Logo>,
}

/// The folders that are not usable, each with what is wrong.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub struct Refused(Vec<String>);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(all) = self;
        f.write_str("BRANDS_DIR: ")?;
        f.write_str(&all[..all.len().min(MAX_LISTED)].join("\n  BRANDS_DIR: "))?;
        if all.len() > MAX_LISTED { write!(f, "\n  and {} more", all.len() - MAX_LISTED) } else { Ok(()) }
    }
}

/// Reads every folder. What a brand lacks is the deployment's.
///
/// # Errors
/// If the directory cannot be read, or a folder is not usable.
pub fn read(dir: &Path, deployment: &Face) -> Result<Brands, Refused> {
    let unreadable = |error| Refused(vec![format!("{} cannot be read ({error})", dir.display())]);
    let (mut brands, mut refused) = (Brands::default(), Vec::new());
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let (name, path) = (entry.file_name(), entry.path());
        match name.to_str() {
            // Of editors and of Kubernetes.
            _ if name.as_encoded_bytes().starts_with(b".") => {}
            Some(id) if is_id(id) => match brand::read(&path, deployment) {
                Ok((face, logo)) => {
                    brands.faces.insert(id.into(), face);
                    brands.logos.extend(logo);
                }
                Err(why) => refused.push(why),
            },
            _ => refused.push(format!(
                "{} cannot be a customer_id: expected letters, digits, '-', '_' and '.'",
                path.display()
            )),
        }
    }
    refused.sort();
    if refused.is_empty() { Ok(brands) } else { Err(Refused(refused)) }
}

/// Whether a folder's name can be the id of a firm.
fn is_id(name: &str) -> bool {
    name.len() <= MAX_ID_LEN && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}
