//! The firm's theme: a primary colour and a logo, given at the start without rebuilding.

pub mod color;
pub mod logo;
mod primary;
mod tokens;

use std::{path::Path, sync::Arc};

pub use color::Color;
pub use logo::Logo;

use primary::Roles;
use tokens::{Pair, Scheme, Tokens};

/// What pages draw of the theme.
#[derive(Debug, Clone)]
pub struct Theme {
    /// Overrides of the roles; absent, `style/tokens.css` is as it is.
    style: Option<Arc<str>>,
    logo: Option<Logo>,
    light: Bars,
    dark: Bars,
}

/// Colours of the browser's own bars, which are those of the page behind them.
#[derive(Debug, Clone, Copy)]
struct Bars {
    full: Color,
    /// On the routes whose background is the primary colour.
    bare: Color,
}

/// Why a theme is refused.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    #[error(
        "THEME_PRIMARY is {given}, which does not contrast enough: {text} on {ground} is {contrast:.2} in the {scheme} \
         theme, expected at least {minimum} (the nearest darker colour that works is {nearest})"
    )]
    Contrast { given: Color, text: String, ground: String, contrast: f64, scheme: Scheme, minimum: f64, nearest: Color },
    #[error("THEME_LOGO {0}: expected the path of an SVG or PNG file of at most {max} bytes", max = logo::MAX_BYTES)]
    Logo(String),
}

impl Theme {
    /// Reads the logo, derives the roles and checks every pair of `style/tokens.css` that they touch.
    ///
    /// # Errors
    /// See [`ThemeError`].
    pub fn load(primary: Option<Color>, logo: Option<&Path>) -> Result<Self, ThemeError> {
        let mut tokens = Tokens::of_product();
        let mut style = None;
        if let Some(primary) = primary {
            let roles = Roles::of(primary);
            tokens = roles.over(tokens);
            if let Some(failing) = tokens.failing(|pair| roles.touch(pair)) {
                let nearest = primary::nearest_that_works(primary);
                let tokens::Failing { pair: Pair { text, ground, minimum }, scheme, contrast } = failing;
                return Err(ThemeError::Contrast { given: primary, text, ground, contrast, scheme, minimum, nearest });
            }
            style = Some(roles.css().into());
        }
        let bars = |scheme| Bars {
            full: tokens.color("--color-page", scheme).expect("style/tokens.css has a page colour, as its test says"),
            bare: tokens.color("--color-primary", scheme).expect("style/tokens.css has a primary colour, likewise"),
        };
        let logo = logo.map(Logo::read).transpose()?;
        Ok(Self { style, logo, light: bars(Scheme::Light), dark: bars(Scheme::Dark) })
    }

    /// The roles of the firm's colour, for a `<style>` element; it stands outside every layer and so wins.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn load(primary: Option<&str>) -> Result<Theme, ThemeError> {
        Theme::load(primary.map(|color| color.parse().unwrap()), None)
    }

    #[test]
    fn without_settings_the_tokens_are_as_they_are() {
        let theme = load(None).unwrap();
        assert!(theme.style().is_none() && theme.logo().is_none());
        assert_eq!(theme.bars(false).map(|(_, color)| color.to_string()), ["#faf8f4", "#10181b"]);
        assert_eq!(theme.bars(true).map(|(_, color)| color.to_string()), ["#0f3a45", "#0b2c35"]);
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
