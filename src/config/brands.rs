//! What the firms look like.

use std::path::PathBuf;

use clap::Args;
use reqwest::Url;
use vincula_pages::brands::{Brands, Color, https_url};

use super::{InvalidSetting, values::Unshown};

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Firms")]
pub struct BrandConfig {
    /// The firm's primary colour as #rrggbb, in place of petrol. One on which no text is readable
    /// is rejected.
    #[arg(long, env = "THEME_PRIMARY")]
    theme_primary: Option<Color>,

    /// The firm's logo in place of the product's: path of an SVG or PNG file of at most 100 kB,
    /// read once at the start.
    #[arg(long, env = "THEME_LOGO")]
    theme_logo: Option<PathBuf>,

    /// A folder with the brand of each firm, by customer_id: brand.json, and logo.svg or logo.png.
    /// Read once at the start.
    #[arg(long, env = "BRANDS_DIR")]
    pub brands_dir: Option<PathBuf>,

    /// The privacy policy to link on the consent: an https:// address.
    #[arg(long, env = "PRIVACY_URL", value_parser = Unshown(https_url))]
    privacy_url: Option<Url>,
}

impl BrandConfig {
    /// Reads the logo, and the brand of each firm. The error names the setting and what is wrong.
    pub fn read(&self) -> Result<Brands, InvalidSetting> {
        let privacy_url = self.privacy_url.as_ref().map(Url::to_string);
        Brands::read(
            self.theme_primary,
            self.theme_logo.as_deref(),
            privacy_url,
            self.brands_dir.as_deref(),
        )
        .map_err(InvalidSetting)
    }
}

#[cfg(test)]
mod tests {
    use crate::config::tests::settings;

    #[test]
    fn firms_look_like_the_product_by_default() {
        let brands = settings(&[]).product.brands;
        assert!(brands.theme_primary.is_none());
        assert!(brands.theme_logo.is_none());
        assert!(brands.brands_dir.is_none());
        assert!(brands.privacy_url.is_none());
    }
}
