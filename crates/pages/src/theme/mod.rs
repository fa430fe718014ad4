//! The firm's theme: a primary colour and a logo, set at the start without rebuilding.

pub mod color;
pub mod logo;
mod primary;
#[cfg(test)]
mod tokens;

use std::{fmt, path::Path, sync::Arc};

pub use color::Color;
pub use logo::Logo;

use primary::{Failing, Roles};

/// The theme as pages use it.
#[derive(Debug, Clone)]
pub struct Theme {
    /// Overrides of the roles; without them `style/tokens.css` applies unchanged.
    style: Option<Arc<str>>,
    logo: Option<Logo>,
    light: Bars,
    dark: Bars,
}

/// The two themes of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    Light,
    Dark,
}

/// Colours of the browser's own bars, the same as the page's background.
#[derive(Debug, Clone, Copy)]
struct Bars {
    full: Color,
    /// On the routes whose background is the primary colour.
    bare: Color,
}

/// `--color-page` and `--color-primary` in `style/tokens.css`.
const LIGHT: Bars = Bars { full: Color::of(0xfa_f8_f4), bare: Color::of(0x0f_3a_45) };
const DARK: Bars = Bars { full: Color::of(0x10_18_1b), bare: Color::of(0x0b_2c_35) };

/// Why a theme is rejected.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    #[error(
        "THEME_PRIMARY is {given}, which does not contrast enough: {failing} (the nearest darker colour that works is \
         {nearest})"
    )]
    Contrast { given: Color, failing: Failing, nearest: Color },
    #[error("THEME_LOGO {0}: expected the path of an SVG or PNG file of at most {max} bytes", max = logo::MAX_BYTES)]
    Logo(String),
}

impl Theme {
    /// Reads the logo, derives the roles and checks their contrasts.
    ///
    /// # Errors
    /// See [`ThemeError`].
    pub fn load(primary: Option<Color>, logo: Option<&Path>) -> Result<Self, ThemeError> {
        let roles = primary.map(Roles::of);
        if let Some((given, failing)) = primary.zip(roles.and_then(Roles::failing)) {
            return Err(ThemeError::Contrast { given, failing, nearest: primary::nearest_that_works(given) });
        }
        let bars = |own: Bars, scheme| Bars { bare: roles.map_or(own.bare, |roles| roles.primary(scheme)), ..own };
        let style = roles.map(|roles| roles.css().into());
        let logo = logo.map(Logo::read).transpose()?;
        Ok(Self { style, logo, light: bars(LIGHT, Scheme::Light), dark: bars(DARK, Scheme::Dark) })
    }

    /// The overrides for a `<style>` element. It is outside every cascade layer, so it takes precedence.
    pub fn style(&self) -> Option<String> {
        self.style.as_deref().map(str::to_owned)
    }

    pub fn logo(&self) -> Option<&Logo> {
        self.logo.as_ref()
    }

    /// Each scheme's name and the colour of the browser's own bars in it; `bare` is the primary colour's.
    pub fn bars(&self, bare: bool) -> [(&'static str, Color); 2] {
        let color = |bars: Bars| if bare { bars.bare } else { bars.full };
        [("light", color(self.light)), ("dark", color(self.dark))]
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Light { "light" } else { "dark" })
    }
}

#[cfg(test)]
mod tests {
    use super::{tokens::Tokens, *};

    fn load(primary: Option<&str>) -> Result<Theme, ThemeError> {
        Theme::load(primary.map(|color| color.parse().unwrap()), None)
    }

    #[test]
    fn without_settings_the_tokens_are_as_they_are() {
        let theme = load(None).unwrap();
        assert!(theme.style().is_none() && theme.logo().is_none());
        let tokens = Tokens::of_product();
        for (bare, role) in [(false, "--color-page"), (true, "--color-primary")] {
            let colors = [Scheme::Light, Scheme::Dark].map(|scheme| tokens.color(role, scheme).unwrap());
            assert_eq!(theme.bars(bare).map(|(_, color)| color), colors, "{role}");
        }
    }

    #[test]
    fn a_dark_primary_and_a_light_one_are_taken() {
        for primary in ["#4a148c", "#000000", "#7a0019", "#ffd400", "#ffffff"] {
            let theme = load(Some(primary)).unwrap();
            assert!(theme.style().unwrap().contains(&format!("--color-primary:{primary}")), "{primary}");
            assert_eq!(theme.bars(true)[0].1.to_string(), primary);
            assert_eq!(theme.bars(false)[0].1.to_string(), "#faf8f4", "the page keeps its own");
        }
    }

    #[test]
    fn a_primary_that_nothing_can_be_read_on_is_refused_with_a_way_out() {
        let message = load(Some("#1f6fb2")).unwrap_err().to_string();
        for part in [
            "THEME_PRIMARY is #1f6fb2",
            "--color-on-primary on --color-primary is 5.2",
            "light theme",
            "expected at least 7",
        ] {
            assert!(message.contains(part), "{message}");
        }
        let nearest = message.rsplit_once("works is ").unwrap().1.trim_end_matches(')');
        assert!(load(Some(nearest)).is_ok(), "{message}");
    }
}
