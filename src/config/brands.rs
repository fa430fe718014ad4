//! What the firms look like.

use std::path::PathBuf;

use clap::Args;

use crate::brands::Brands;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Firms")]
pub struct BrandConfig {
    /// A folder with the brand of each firm, by customer_id: brand.json, and logo.svg or logo.png.
    /// The folder "default" is for all other firms. Read once at the start.
    #[arg(long, env = "BRANDS_DIR")]
    brands_dir: Option<PathBuf>,
}

impl BrandConfig {
    /// Reads the brand of each firm. The error names the setting, the files and what is wrong.
    pub(super) fn read(&self) -> Result<Brands, String> {
        let Some(dir) = &self.brands_dir else {
            return Ok(Brands::default());
        };
        Brands::read(dir).map_err(|why| format!("BRANDS_DIR: {why}"))
    }
}

#[cfg(test)]
mod tests {
    use crate::{brands::FirmDetails, config::tests::settings};

    #[test]
    fn firms_look_like_the_product_by_default() {
        let brands = settings(&[]).product.brands;
        assert_eq!(brands.details(Some("4711")), &FirmDetails::default());
    }
}
