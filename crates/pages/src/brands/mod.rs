//! The brands of all firms of a deployment: `BRANDS_DIR` has a folder for each `customer_id`.

mod brand;
mod crc;
mod https_address;
mod telephone;

use std::{collections::HashMap, fmt, fs, path::Path, sync::Arc};

pub use brand::Brand;

/// How many refusals a message lists.
const MAX_LISTED: usize = 20;

/// Longest id of a firm, in bytes.
const MAX_ID_LEN: usize = 128;

/// Brands by the text of the firm's id.
pub type Brands = HashMap<Box<str>, Arc<Brand>>;

/// The folders that are not usable, each with what is wrong.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub struct Refused(Vec<String>);

impl Refused {
    /// Each with its folder's name first.
    pub fn each(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(all) = self;
        f.write_str("BRANDS_DIR: ")?;
        f.write_str(&all[..all.len().min(MAX_LISTED)].join("\n  BRANDS_DIR: "))?;
        if all.len() > MAX_LISTED { write!(f, "\n  and {} more", all.len() - MAX_LISTED) } else { Ok(()) }
    }
}

/// Reads every folder. A folder that is not usable keeps its brand of `before`, and is named among the refusals.
///
/// # Errors
/// If the directory itself cannot be read.
pub fn read(dir: &Path, before: &Brands) -> Result<(Brands, Option<Refused>), Refused> {
    let unreadable = |error| Refused(vec![format!("{} cannot be read ({error})", dir.display())]);
    let (mut brands, mut refused) = (Brands::new(), Vec::new());
    for entry in fs::read_dir(dir).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name();
        // Of editors and of Kubernetes.
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let Some(id) = name.to_str().filter(|name| is_id(name)) else {
            let path = entry.path();
            refused.push(format!(
                "{} cannot be a customer_id: expected letters, digits, '-', '_' and '.'",
                path.display()
            ));
            continue;
        };
        match Brand::read(&entry.path()) {
            Ok(mut brand) => {
                brand.share_logo(before.get(id));
                brands.insert(id.into(), Arc::new(brand));
            }
            Err(why) => {
                refused.push(why);
                brands.extend(before.get(id).map(|brand| (Box::from(id), Arc::clone(brand))));
            }
        }
    }
    refused.sort();
    Ok((brands, (!refused.is_empty()).then_some(Refused(refused))))
}

/// Whether a folder's name can be the id of a firm.
fn is_id(name: &str) -> bool {
    name.len() <= MAX_ID_LEN && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}
