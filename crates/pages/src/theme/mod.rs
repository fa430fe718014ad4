//! What a deployment or a firm looks like: a primary colour and a logo, without rebuilding.

pub mod color;
pub mod colors;
pub mod logo;
mod primary;
#[cfg(test)]
mod tokens;

use std::{fmt, path::Path};

pub use color::Color;
pub use colors::{Colors, bars};
pub use logo::{InvalidLogo, Logo};
pub use primary::Roles;

use primary::Failing;

/// The deployment's theme.
#[derive(Debug, Clone, Default)]
pub struct Theme {
    /// Without them `style/tokens.css` applies unchanged.
    pub roles: Option<Roles>,
    pub logo: Option<Logo>,
}

/// The two themes of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    Light,
    Dark,
}

/// A primary colour on which something cannot be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("is {given}, which does not contrast enough: {failing} (the nearest darker colour that works is {nearest})")]
pub struct Unreadable {
    given: Color,
    failing: Failing,
    nearest: Color,
}

/// Why a theme is rejected.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    #[error("THEME_PRIMARY {0}")]
    Contrast(#[from] Unreadable),
    #[error("THEME_LOGO {0}")]
    Logo(#[from] InvalidLogo),
}

/// The roles of a primary colour.
///
/// # Errors
/// If a contrast is too low.
pub fn roles_of(primary: Color) -> Result<Roles, Unreadable> {
    let roles = Roles::of(primary);
    match roles.failing() {
        None => Ok(roles),
        Some(failing) => Err(Unreadable { given: primary, failing, nearest: primary::nearest_that_works(primary) }),
    }
}

impl Theme {
    /// Reads the logo, derives the roles and checks their contrasts.
    ///
    /// # Errors
    /// See [`ThemeError`].
    pub fn load(primary: Option<Color>, logo: Option<&Path>) -> Result<Self, ThemeError> {
        Ok(Self { roles: primary.map(roles_of).transpose()?, logo: logo.map(Logo::read).transpose()? })
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Light { "light" } else { "dark" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(primary: &str) -> Result<Theme, ThemeError> {
        Theme::load(Some(primary.parse().unwrap()), None)
    }

    #[test]
    fn a_dark_primary_and_a_light_one_are_taken() {
        for primary in ["#4a148c", "#000000", "#7a0019", "#ffd400", "#ffffff"] {
            let colors = Colors::from(load(primary).unwrap().roles.unwrap());
            assert!(colors.css().contains(&format!("--color-primary:{primary}")), "{primary}");
        }
    }

    #[test]
    fn a_primary_that_nothing_can_be_read_on_is_refused_with_a_way_out() {
        let message = load("#1f6fb2").unwrap_err().to_string();
        for part in [
            "THEME_PRIMARY is #1f6fb2",
            "--color-on-primary on --color-primary is 5.2",
            "light theme",
            "expected at least 7",
        ] {
            assert!(message.contains(part), "{message}");
        }
        let nearest = message.rsplit_once("works is ").unwrap().1.trim_end_matches(')');
        assert!(load(nearest).is_ok(), "{message}");
    }
}
