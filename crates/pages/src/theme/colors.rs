//! A firm's colours as texts of a document: its style is the same for every firm but for these.

use super::{Color, Scheme, primary::Roles};

/// The ground, text on it and muted text on it, in both colour schemes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Colors {
    light: [String; 3],
    dark: [String; 3],
}

/// Colours of the browser's own bars, the same as the page's background.
struct Bars {
    full: Color,
    /// On the routes whose background is the primary colour.
    bare: Color,
}

/// `--color-page` and `--color-primary` in `style/tokens.css`.
const LIGHT: Bars = Bars { full: Color::of(0xfa_f8_f4), bare: Color::of(0x0f_3a_45) };
const DARK: Bars = Bars { full: Color::of(0x10_18_1b), bare: Color::of(0x0b_2c_35) };

impl From<Roles> for Colors {
    fn from(roles: Roles) -> Self {
        let texts = |scheme| {
            let [ground, text, muted, _] = roles.in_theme(scheme);
            [ground, text, muted].map(|color| color.to_string())
        };
        Self { light: texts(Scheme::Light), dark: texts(Scheme::Dark) }
    }
}

impl Colors {
    /// The overrides of roles for a `<style>` element. It is outside every cascade layer, so it takes precedence.
    pub fn css(&self) -> String {
        let block = |[ground, text, muted]: &[String; 3]| {
            format!(
                ":root{{--color-primary:{ground};--color-on-primary:{text};--color-on-primary-muted:{muted};\
                 --color-focus-on-primary:{text};}}"
            )
        };
        let (light, dark) = (block(&self.light), block(&self.dark));
        format!(":root{{--blend-illustration:luminosity;}}{light}@media (prefers-color-scheme:dark){{{dark}}}")
    }
}

/// Each scheme's name and the colour of the browser's own bars in it; `bare` pages have the primary colour.
pub fn bars(colors: Option<&Colors>, bare: bool) -> [(&'static str, String); 2] {
    let color = |product: Bars, firm: fn(&Colors) -> &[String; 3]| match colors {
        _ if !bare => product.full.to_string(),
        Some(colors) => firm(colors)[0].clone(),
        None => product.bare.to_string(),
    };
    [("light", color(LIGHT, |colors| &colors.light)), ("dark", color(DARK, |colors| &colors.dark))]
}

#[cfg(test)]
mod tests {
    use super::{super::tokens::Tokens, *};

    #[test]
    fn the_style_names_each_role_once_a_theme() {
        let css = Colors::from(Roles::of("#4a148c".parse().unwrap())).css();
        assert_eq!(
            css,
            ":root{--blend-illustration:luminosity;}:root{--color-primary:#4a148c;--color-on-primary:#ffffff;--color-on-primary-muted:#dbd0e8;\
             --color-focus-on-primary:#ffffff;}@media (prefers-color-scheme:dark){:root{--color-primary:#380f69;\
             --color-on-primary:#ffffff;--color-on-primary-muted:#d7cfe1;--color-focus-on-primary:#ffffff;}}"
        );
    }

    #[test]
    fn the_focus_ring_has_the_colour_of_text() {
        for primary in ["#4a148c", "#ffd400", "#ffffff"] {
            for scheme in [Scheme::Light, Scheme::Dark] {
                let [_, text, _, focus] = Roles::of(primary.parse().unwrap()).in_theme(scheme);
                assert_eq!(text, focus, "{primary}");
            }
        }
    }

    #[test]
    fn the_bars_have_the_colour_of_the_page() {
        let tokens = Tokens::of_product();
        let colors = Colors::from(Roles::of("#ffd400".parse().unwrap()));
        for (bare, role) in [(false, "--color-page"), (true, "--color-primary")] {
            let own = [Scheme::Light, Scheme::Dark].map(|scheme| tokens.color(role, scheme).unwrap().to_string());
            assert_eq!(bars(None, bare).map(|(_, color)| color), own, "{role}");
            let firms = bars(Some(&colors), bare).map(|(_, color)| color);
            assert_eq!((firms[0] == "#ffd400", firms == own), (bare, !bare), "{firms:?}");
        }
    }
}
