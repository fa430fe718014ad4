//! A firm's primary colour: the ground of the consent and of Connect, darker in the dark theme, and in
//! the light theme the colour of buttons and links. Everything else looks the same for every firm.

use serde::Deserialize;

use super::Color;

/// Minimum contrast of white text on the primary colour. It also makes a link in that colour
/// readable on every ground of the light theme, and the muted text readable on the colour.
const READABLE: f64 = 7.0;

/// A primary colour on which white text is readable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Primary(Color);

impl TryFrom<String> for Primary {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let color: Color = text.parse()?;
        let contrast = color.contrast(Color::WHITE);
        if contrast < READABLE {
            return Err(format!(
                "the primary colour {color} is too light (its contrast with white text is \
                 {contrast:.2}, expected at least {READABLE})"
            ));
        }
        Ok(Self(color))
    }
}

impl Primary {
    /// The overrides of roles for a `<style>` element. It is outside every cascade layer, so it
    /// takes precedence.
    pub fn css(self) -> String {
        let (color, darker) = (self.0, self.0.darker());
        format!(
            "@media (prefers-color-scheme:light){{:root{{--color-primary:{color};\
             --color-action:{color};--color-action-text:{color};--color-action-hover:{darker}}}}}\
             @media (prefers-color-scheme:dark){{:root{{--color-primary:{darker}}}}}"
        )
    }
}

/// The colours of the browser's own bars in the light and in the dark scheme: those of the page's
/// background, which is the primary colour on `bare` pages. The product's are `--color-page` and
/// `--color-primary` in `style/tokens.css`.
pub fn bars(primary: Option<Primary>, bare: bool) -> [String; 2] {
    match primary {
        _ if !bare => ["#faf8f4".to_owned(), "#10181b".to_owned()],
        None => ["#0f3a45".to_owned(), "#0b2c35".to_owned()],
        Some(Primary(color)) => [color, color.darker()].map(|color| color.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{Scheme, Tokens},
        *,
    };

    fn primary(text: &str) -> Result<Primary, String> {
        text.to_owned().try_into()
    }

    #[test]
    fn sets_ground_in_both_themes_darker_in_dark_one_and_actions_in_light_one() {
        assert_eq!(
            primary("#4a148c").unwrap().css(),
            "@media (prefers-color-scheme:light){:root{--color-primary:#4a148c;\
             --color-action:#4a148c;--color-action-text:#4a148c;--color-action-hover:#3c1070}}\
             @media (prefers-color-scheme:dark){:root{--color-primary:#3c1070}}"
        );
    }

    #[test]
    fn accepted_primaries_are_readable_with_every_role_they_meet() {
        let tokens = Tokens::of_product();
        let steps = || (0..=255_u8).step_by(15);
        let all = steps().flat_map(|r| {
            steps().flat_map(move |g| steps().map(move |b| format!("#{r:02x}{g:02x}{b:02x}")))
        });
        let accepted: Vec<Color> = all
            .filter_map(|text| primary(&text).ok())
            .map(|Primary(color)| color)
            .collect();
        assert!(accepted.len() > 1_000);
        for color in accepted {
            for (scheme, color) in [(Scheme::Light, color), (Scheme::Dark, color.darker())] {
                for (role, minimum) in [
                    ("on-primary", READABLE),
                    ("on-primary-muted", 4.5),
                    ("focus-on-primary", 3.0),
                ] {
                    let contrast = color.contrast(tokens.color(role, scheme));
                    assert!(contrast >= minimum, "{role} on {color}: {contrast}");
                }
            }
            for ground in ["page", "surface", "sunken"] {
                let contrast = color.contrast(tokens.color(ground, Scheme::Light));
                assert!(contrast >= 4.5, "{color} on {ground}: {contrast}");
            }
            let on_action = tokens.color("on-action", Scheme::Light);
            assert!(on_action.contrast(color) >= 4.5, "{color}");
            assert!(on_action.contrast(color.darker()) >= 4.5, "{color}");
        }
    }

    #[test]
    fn rejects_unreadable_primary_in_words() {
        for text in ["#4a148c", "#000000", "#7a0019"] {
            assert!(primary(text).is_ok(), "{text}");
        }
        assert_eq!(
            primary("#1f6fb2").unwrap_err(),
            "the primary colour #1f6fb2 is too light (its contrast with white text is 5.28, expected at least 7)"
        );
        assert!(primary("petrol").unwrap_err().contains("not a colour"));
    }

    #[test]
    fn browser_bars_have_page_background() {
        let tokens = Tokens::of_product();
        let firm = primary("#4a148c").ok();
        for (bare, role) in [(false, "page"), (true, "primary")] {
            let own =
                [Scheme::Light, Scheme::Dark].map(|scheme| tokens.color(role, scheme).to_string());
            assert_eq!(bars(None, bare), own, "{role}");
        }
        assert_eq!(bars(firm, false), bars(None, false));
        assert_eq!(bars(firm, true), ["#4a148c", "#3c1070"]);
    }
}
