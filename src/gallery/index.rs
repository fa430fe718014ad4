//! The gallery's index with a frame for each state, at one width and in one theme. Also the list of
//! states as JSON.

use std::fmt::Write;

use axum::http::{HeaderName, header};
use html_escape::encode_quoted_attribute as escaped;
use serde_json::{Value, json};
use vincula_domain::routes::SANDBOX;

use super::{
    scenario::State,
    states::{self, Step},
};

pub const HEADERS: [(HeaderName, &str); 2] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; frame-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    (HeaderName::from_static("x-robots-tag"), "noindex"),
];

const DOCUMENT: &str = include_str!("index.html");

/// Widths of the frames in CSS pixels: a phone, a tablet, a desktop.
const WIDTHS: [&str; 3] = ["360", "768", "1440"];
const THEMES: [&str; 3] = ["light", "dark", "system"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub width: &'static str,
    pub theme: &'static str,
}

impl Choice {
    /// Unknown values select a phone and the system's theme.
    pub fn of(query: Option<&str>) -> Self {
        let named = |name: &str, known: [&'static str; 3]| {
            let mut pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
            let (_, value) = pairs.find(|(key, _)| key == name)?;
            known.into_iter().find(|one| *one == value)
        };
        Self {
            width: named("width", WIDTHS).unwrap_or("360"),
            theme: named("theme", THEMES).unwrap_or("system"),
        }
    }

    fn link(self, label: &str, chosen: Self) -> String {
        let Self { width, theme } = self;
        let current = if self == chosen {
            " aria-current=\"true\""
        } else {
            ""
        };
        format!(
            "<a href=\"{SANDBOX}/gallery?width={width}&amp;theme={theme}\"{current}>{label}</a>\n"
        )
    }
}

pub fn document(stylesheet: &str, choice: Choice) -> String {
    let widths = WIDTHS
        .map(|width| Choice { width, ..choice }.link(&format!("{width} px"), choice))
        .concat();
    let themes = THEMES
        .map(|theme| Choice { theme, ..choice }.link(theme, choice))
        .concat();
    DOCUMENT
        .replace("{stylesheet}", &escaped(stylesheet))
        .replace("{width}", choice.width)
        .replace("{widths}", &widths)
        .replace("{themes}", &themes)
        .replace("{steps}", &steps(choice.theme))
}

/// The states as JSON. The browser tests open each of them.
pub fn list() -> Vec<Value> {
    let entry = |step: &Step, state: &State| json!({ "step": step.name, "slug": state.slug, "shows": state.shows });
    states::all()
        .iter()
        .flat_map(|step| step.states.iter().map(|state| entry(step, state)))
        .collect()
}

fn steps(theme: &str) -> String {
    states::all().iter().fold(String::new(), |mut html, step| {
        let _ = write!(html, "<section class=\"gallery__step\">\n<h2>{}</h2>\n", escaped(step.name));
        html.push_str("<div class=\"gallery__states\">\n");
        for state in &step.states {
            let (slug, caption) = (state.slug, escaped(state.caption));
            let source = format!("{SANDBOX}/screens/{slug}?theme={theme}");
            let _ = write!(
                html,
                "<figure class=\"gallery__state\">\n<figcaption class=\"gallery__caption\">\
                 <a href=\"{source}\">{caption}</a></figcaption>\n<div class=\"gallery__frame\">\
                 <iframe src=\"{source}\" title=\"{caption}\" loading=\"lazy\"></iframe></div>\n</figure>\n"
            );
        }
        html.push_str("</div>\n</section>\n");
        html
    })
}
