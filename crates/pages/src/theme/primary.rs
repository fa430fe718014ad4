//! From the firm's one colour to the roles that follow it. The colours of actions stay: they mean the same at every firm.

use super::{
    Color,
    tokens::{Pair, Scheme, Tokens},
};

/// How much darker the primary colour is in the dark theme at least, in percent of black.
const DARKER_PERCENT: u8 = 25;
/// How much of the ground is in the muted text on it, in percent.
const MUTED_PERCENT: u8 = 20;
/// What text on a dark ground has to reach, as on the primary colour in `style/tokens.css`.
const READABLE: f64 = 7.0;

const NAMES: [&str; 4] =
    ["--color-primary", "--color-on-primary", "--color-on-primary-muted", "--color-focus-on-primary"];

/// The values of [`NAMES`] in both themes.
#[derive(Debug, Clone, Copy)]
pub struct Roles {
    light: [Color; 4],
    dark: [Color; 4],
}

impl Roles {
    /// Light shows the colour as given. Dark shows it with more black in it: so much that white can be read on it, or
    /// a bright primary would light the room.
    pub fn of(primary: Color) -> Self {
        let dark = (DARKER_PERCENT..=100)
            .map(|percent| primary.mixed(percent, Color::BLACK))
            .find(|dark| dark.contrast(Color::WHITE) >= READABLE);
        Self { light: on(primary), dark: on(dark.unwrap_or(Color::BLACK)) }
    }

    /// The tokens with these roles in place of their own.
    pub fn over(&self, mut tokens: Tokens) -> Tokens {
        for (scheme, values) in [(Scheme::Light, self.light), (Scheme::Dark, self.dark)] {
            for (name, value) in NAMES.iter().zip(values) {
                tokens.set(name, scheme, value);
            }
        }
        tokens
    }

    /// Whether one of these roles is in the pair.
    pub fn touch(&self, pair: &Pair) -> bool {
        NAMES.iter().any(|name| pair.text == *name || pair.ground == *name)
    }

    pub fn css(&self) -> String {
        let block = |values: [Color; 4]| {
            let roles: String = NAMES.iter().zip(values).map(|(name, value)| format!("{name}:{value};")).collect();
            format!(":root{{{roles}}}")
        };
        let (light, dark) = (block(self.light), block(self.dark));
        format!(":root{{--blend-illustration:luminosity;}}{light}@media (prefers-color-scheme:dark){{{dark}}}")
    }
}

/// The least black in a primary colour with which every pair holds.
pub fn nearest_that_works(primary: Color) -> Color {
    let tokens = Tokens::of_product();
    let mut darker = (0..=100).map(|percent| primary.mixed(percent, Color::BLACK));
    let works = |color: &Color| {
        let roles = Roles::of(*color);
        roles.over(tokens.clone()).failing(|pair| roles.touch(pair)).is_none()
    };
    darker.find(works).unwrap_or(Color::BLACK)
}

/// A ground and what stands on it: white or black, whichever contrasts more.
fn on(primary: Color) -> [Color; 4] {
    let white = primary.contrast(Color::WHITE) >= primary.contrast(Color::BLACK);
    let text = if white { Color::WHITE } else { Color::BLACK };
    [primary, text, text.mixed(MUTED_PERCENT, primary), text]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_style_names_each_role_once_a_theme() {
        let css = Roles::of("#4a148c".parse().unwrap()).css();
        assert_eq!(
            css,
            ":root{--blend-illustration:luminosity;}:root{--color-primary:#4a148c;--color-on-primary:#ffffff;--color-on-primary-muted:#dbd0e8;\
             --color-focus-on-primary:#ffffff;}@media (prefers-color-scheme:dark){:root{--color-primary:#380f69;\
             --color-on-primary:#ffffff;--color-on-primary-muted:#d7cfe1;--color-focus-on-primary:#ffffff;}}"
        );
    }

    #[test]
    fn the_dark_theme_never_fails() {
        let tokens = Tokens::of_product();
        for primary in ["#ffffff", "#ffd400", "#00ff00", "#808080", "#ff0000", "#0f3a45", "#000000"] {
            let roles = Roles::of(primary.parse().unwrap());
            let failing = roles.over(tokens.clone()).failing(|pair| roles.touch(pair));
            assert!(failing.is_none_or(|failing| failing.scheme == Scheme::Light), "{primary}");
        }
    }
}
