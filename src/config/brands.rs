//! What the firms look like.

use std::path::PathBuf;

use clap::Args;

use super::values::InvalidSetting;
use crate::brands::Brands;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Firms")]
pub struct BrandConfig {
    /// A folder with the brand of each firm, by customer_id: brand.json, and logo.svg or logo.png.
    /// The folder "default" is for all other firms. Read once at the start.
    #[arg(long, env = "BRANDS_DIR")]
    pub brands_dir: Option<PathBuf>,
}

impl BrandConfig {
    /// Reads the brand of each firm. The error names the setting, the files and what is wrong.
    pub fn read(&self) -> Result<Brands, InvalidSetting> {
        let Some(dir) = &self.brands_dir else {
            return Ok(Brands::default());
        };
        Brands::read(dir).map_err(|why| InvalidSetting(format!("BRANDS_DIR: {why}")))
    }
}

#[cfg(test)]
mod tests {
    use crate::config::tests::settings;

    #[test]
    fn firms_look_like_the_product_by_default() {
        let brands = settings(&[]).product.brands;
        assert!(brands.brands_dir.is_none());
    }
}
