//! Derives the roles that depend on the firm's colour. Colours of actions do not: they mean the same for every firm.

use std::fmt;

use super::{Color, Scheme};

/// Minimum share of black in the primary colour of the dark theme, in percent.
const DARKER_PERCENT: u8 = 25;
/// Share of the ground in the muted text on it, in percent.
const MUTED_PERCENT: u8 = 20;
/// Minimum contrast of text on a dark ground.
const READABLE: f64 = 7.0;

const GROUND: &str = "--color-primary";

/// The roles on the ground with their minimum contrasts: the same as for the product's own colours.
const ON_GROUND: [(&str, f64); 3] =
    [("--color-on-primary", READABLE), ("--color-on-primary-muted", 4.5), ("--color-focus-on-primary", 3.0)];

/// The ground and what is on it, in both themes.
#[derive(Debug, Clone, Copy)]
pub struct Roles {
    light: [Color; 4],
    dark: [Color; 4],
}

/// A contrast that is too low.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Failing {
    role: &'static str,
    scheme: Scheme,
    contrast: f64,
    minimum: f64,
}

impl Roles {
    /// The light theme uses the colour as given. The dark theme adds black until white text is readable on it: a bright
    /// primary colour would glare.
    pub fn of(primary: Color) -> Self {
        let dark = (DARKER_PERCENT..=100)
            .map(|percent| primary.mixed(percent, Color::BLACK))
            .find(|dark| dark.contrast(Color::WHITE) >= READABLE);
        Self { light: on(primary), dark: on(dark.unwrap_or(Color::BLACK)) }
    }

    /// The first contrast that is too low.
    pub fn failing(self) -> Option<Failing> {
        [Scheme::Light, Scheme::Dark].into_iter().find_map(|scheme| {
            let [ground, texts @ ..] = self.in_theme(scheme);
            ON_GROUND.into_iter().zip(texts).find_map(|((role, minimum), color)| {
                let contrast = color.contrast(ground);
                (contrast < minimum).then_some(Failing { role, scheme, contrast, minimum })
            })
        })
    }

    /// The ground, text on it, muted text on it, and the focus ring on it, which has the colour of text.
    pub fn in_theme(self, scheme: Scheme) -> [Color; 4] {
        if scheme == Scheme::Light { self.light } else { self.dark }
    }
}

/// The smallest share of black with which every contrast is sufficient.
pub fn nearest_that_works(primary: Color) -> Color {
    let mut darker = (0..=100).map(|percent| primary.mixed(percent, Color::BLACK));
    darker.find(|color| Roles::of(*color).failing().is_none()).unwrap_or(Color::BLACK)
}

/// A ground with white or black on it, whichever has the higher contrast.
fn on(primary: Color) -> [Color; 4] {
    let white = primary.contrast(Color::WHITE) >= primary.contrast(Color::BLACK);
    let text = if white { Color::WHITE } else { Color::BLACK };
    [primary, text, text.mixed(MUTED_PERCENT, primary), text]
}

impl fmt::Display for Failing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { role, scheme, contrast, minimum } = self;
        write!(f, "{role} on {GROUND} is {contrast:.2} in the {scheme} theme, expected at least {minimum}")
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tokens::pairs, *};

    #[test]
    fn the_contrasts_are_those_of_the_products_own_colours() {
        let is_role = |name: &str| name == GROUND || ON_GROUND.iter().any(|(role, _)| *role == name);
        let touching: Vec<_> = pairs().filter(|pair| is_role(&pair.text) || is_role(&pair.ground)).collect();
        let touching: Vec<_> = touching.iter().map(|pair| (&*pair.text, &*pair.ground, pair.minimum)).collect();
        assert_eq!(touching, ON_GROUND.map(|(role, minimum)| (role, GROUND, minimum)));
    }

    #[test]
    fn the_dark_theme_never_fails() {
        for primary in ["#ffffff", "#ffd400", "#00ff00", "#808080", "#ff0000", "#0f3a45", "#000000"] {
            let failing = Roles::of(primary.parse().unwrap()).failing();
            assert!(failing.is_none_or(|failing| failing.scheme == Scheme::Light), "{primary}");
        }
    }
}
