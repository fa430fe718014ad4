//! A firm's colours, derived from its primary colour. Everything else looks the same for every
//! firm.

use super::Color;

/// Minimum share of black in the primary colour of the dark theme, in percent.
const DARKER_PERCENT: u8 = 25;
/// Share of the ground in the muted text on it, in percent.
const MUTED_PERCENT: u8 = 20;
/// Minimum contrast of text on the ground. It also ensures the contrast of muted text and of the
/// focus ring.
const READABLE: f64 = 7.0;

/// Minimum contrast of a button's words, and of a link on any ground.
const LINK: f64 = 4.5;
/// The grounds on which links have the least contrast: `--color-sunken` in `style/tokens.css`.
const SUNKEN: &str = "#f3efe8";
const SUNKEN_DARK: &str = "#1d292d";
/// Share of black in a pressed button of the light theme, and of white in one of the dark theme, in
/// percent.
const HOVER_PERCENT: u8 = 20;

/// The primary colour and what is on it, and buttons and links, in both colour schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colors {
    light: Ground,
    dark: Ground,
    /// `None` if links in the primary colour would not be readable. They then have the product's
    /// colour.
    action: Option<Action>,
    action_dark: Action,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Action {
    color: Color,
    hover: Color,
    text: Color,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ground {
    color: Color,
    text: Color,
    muted: Color,
}

impl Ground {
    /// With white or black text, whichever has the higher contrast.
    fn of(color: Color) -> Self {
        let white = color.contrast(Color::WHITE) >= color.contrast(Color::BLACK);
        let text = if white { Color::WHITE } else { Color::BLACK };
        Self {
            color,
            text,
            muted: text.mixed(MUTED_PERCENT, color),
        }
    }
}

impl Colors {
    /// The light theme uses the given colour, the dark theme a darker one, because a bright colour
    /// would glare. Fails if no text is readable on it.
    pub fn of(primary: Color) -> Result<Self, String> {
        let light = Ground::of(primary);
        let contrast = light.text.contrast(primary);
        if contrast < READABLE {
            let nearest = darkened(primary, 0);
            return Err(format!(
                "is {primary}, which does not contrast enough: --color-on-primary on --color-primary is {contrast:.2} in \
                 the light theme, expected at least {READABLE} (the nearest darker colour that works is {nearest})"
            ));
        }
        let readable =
            |color: Color, ground: &str| color.contrast(ground.parse().expect("a colour")) >= LINK;
        let action = readable(primary, SUNKEN).then(|| Action {
            color: primary,
            hover: primary.mixed(HOVER_PERCENT, Color::BLACK),
            text: Color::WHITE,
        });
        let mut lighter = (0..=100).map(|percent| primary.mixed(percent, Color::WHITE));
        let color = lighter
            .find(|&color| readable(color, SUNKEN_DARK))
            .unwrap_or(Color::WHITE);
        let hover = color.mixed(HOVER_PERCENT, Color::WHITE);
        let action_dark = Action {
            color,
            hover,
            text: Color::BLACK,
        };
        Ok(Self {
            light,
            dark: Ground::of(darkened(primary, DARKER_PERCENT)),
            action,
            action_dark,
        })
    }

    /// The overrides of roles for a `<style>` element. It is outside every cascade layer, so it
    /// takes precedence.
    pub fn css(&self) -> String {
        let block = |Ground { color, text, muted }: Ground, action: Option<Action>| {
            let action = action.map_or_else(String::new, |Action { color, hover, text }| {
                format!(
                    "--color-action:{color};--color-action-text:{color};--color-action-hover:{hover};--color-on-action:{text};"
                )
            });
            format!(
                ":root{{--color-primary:{color};--color-on-primary:{text};--color-on-primary-muted:{muted};\
                 --color-focus-on-primary:{text};{action}}}"
            )
        };
        let (light, dark) = (
            block(self.light, self.action),
            block(self.dark, Some(self.action_dark)),
        );
        format!("{light}@media (prefers-color-scheme:dark){{{dark}}}")
    }
}

/// Mixes in as little black as makes white text readable, but at least `percent`.
fn darkened(color: Color, percent: u8) -> Color {
    let mut darker = (percent..=100).map(|percent| color.mixed(percent, Color::BLACK));
    darker
        .find(|darker| darker.contrast(Color::WHITE) >= READABLE)
        .unwrap_or(Color::BLACK)
}

/// The colours of the browser's own bars in the light and in the dark scheme: those of the page's
/// background, which is the primary colour on `bare` pages. The product's are `--color-page` and
/// `--color-primary` in `style/tokens.css`.
pub fn bars(colors: Option<&Colors>, bare: bool) -> [String; 2] {
    match colors {
        _ if !bare => ["#faf8f4".to_owned(), "#10181b".to_owned()],
        None => ["#0f3a45".to_owned(), "#0b2c35".to_owned()],
        Some(Colors { light, dark, .. }) => [light.color.to_string(), dark.color.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{Scheme, Tokens, pairs},
        *,
    };

    fn colors(primary: &str) -> Result<Colors, String> {
        Colors::of(primary.parse().unwrap())
    }

    #[test]
    fn style_sets_each_role_once_per_theme() {
        assert_eq!(
            colors("#4a148c").unwrap().css(),
            ":root{--color-primary:#4a148c;--color-on-primary:#ffffff;--color-on-primary-muted:#dbd0e8;\
             --color-focus-on-primary:#ffffff;--color-action:#4a148c;--color-action-text:#4a148c;\
             --color-action-hover:#3b1070;--color-on-action:#ffffff;}@media (prefers-color-scheme:dark){:root{\
             --color-primary:#380f69;--color-on-primary:#ffffff;--color-on-primary-muted:#d7cfe1;\
             --color-focus-on-primary:#ffffff;--color-action:#9f82c2;--color-action-text:#9f82c2;--color-action-hover:#b29bce;\
             --color-on-action:#000000;}}"
        );
    }

    /// The bars with the product's own colours.
    #[test]
    fn roles_of_accepted_primaries_meet_contrast() {
        let minima = pairs()
            .filter(|(ground, ..)| *ground == "primary")
            .map(|(_, text, minimum)| (text, minimum));
        let expected = [
            ("on-primary", READABLE),
            ("on-primary-muted", 4.5),
            ("focus-on-primary", 3.0),
        ];
        assert_eq!(minima.collect::<Vec<_>>(), expected);
        let steps = || (0..=255_u8).step_by(15);
        let all = steps().flat_map(|r| {
            steps().flat_map(move |g| steps().map(move |b| format!("#{r:02x}{g:02x}{b:02x}")))
        });
        let taken: Vec<Colors> = all.filter_map(|primary| colors(&primary).ok()).collect();
        assert!(taken.len() > 1_000);
        for Ground { color, text, muted } in
            taken.iter().flat_map(|colors| [colors.light, colors.dark])
        {
            assert!(
                text.contrast(color) >= READABLE && muted.contrast(color) >= 4.5,
                "{color}"
            );
        }
        let tokens = Tokens::of_product();
        let grounds =
            |scheme| ["page", "surface", "sunken"].map(|ground| tokens.color(ground, scheme));
        for colors in taken {
            let both = [
                (colors.action, Scheme::Light),
                (Some(colors.action_dark), Scheme::Dark),
            ];
            for (action, scheme) in both
                .into_iter()
                .filter_map(|(action, scheme)| Some((action?, scheme)))
            {
                let Action { color, hover, text } = action;
                let on_grounds = grounds(scheme)
                    .into_iter()
                    .map(|ground| color.contrast(ground));
                let least = on_grounds
                    .chain([text.contrast(color), text.contrast(hover)])
                    .fold(21.0, f64::min);
                assert!(least >= LINK, "{color} in {scheme:?}: {least}");
            }
        }
    }

    #[test]
    fn rejects_unreadable_primary_and_suggests_another() {
        for primary in ["#4a148c", "#000000", "#7a0019", "#ffd400", "#ffffff"] {
            assert!(
                colors(primary)
                    .unwrap()
                    .css()
                    .contains(&format!("--color-primary:{primary}")),
                "{primary}"
            );
        }
        let message = colors("#1f6fb2").unwrap_err();
        for part in [
            "is #1f6fb2",
            "--color-on-primary on --color-primary is 5.2",
            "light theme",
            "expected at least 7",
        ] {
            assert!(message.contains(part), "{message}");
        }
        let nearest = message
            .rsplit_once("works is ")
            .unwrap()
            .1
            .trim_end_matches(')');
        assert!(colors(nearest).is_ok(), "{message}");
    }

    #[test]
    fn browser_bars_have_page_background() {
        let tokens = Tokens::of_product();
        let colors = colors("#ffd400").unwrap();
        for (bare, role) in [(false, "page"), (true, "primary")] {
            let own =
                [Scheme::Light, Scheme::Dark].map(|scheme| tokens.color(role, scheme).to_string());
            assert_eq!(bars(None, bare), own, "{role}");
            let firms = bars(Some(&colors), bare);
            assert_eq!(
                (firms[0] == "#ffd400", firms == own),
                (bare, !bare),
                "{firms:?}"
            );
        }
    }
}
