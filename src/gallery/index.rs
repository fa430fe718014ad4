//! The gallery's index: a frame for each state, at one width and in one theme. Also the list of states as JSON.

use std::fmt::Write;

use axum::http::{HeaderName, header};
use html_escape::encode_quoted_attribute as escaped;
use serde::Serialize;
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

/// Widths of the frames in CSS pixels: a phone, a tablet, a desktop.
const WIDTHS: [&str; 3] = ["360", "768", "1440"];
const SCHEMES: [&str; 2] = ["light", "dark"];
const SYSTEM: &str = "system";

/// The query's choice of width and theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub width: &'static str,
    /// Absent: the system's theme.
    pub scheme: Option<&'static str>,
}

impl Choice {
    /// Unknown values become a phone and the system's theme.
    pub fn of(query: Option<&str>) -> Self {
        let named = |name: &str, known: &[&'static str]| {
            let mut pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
            let (_, value) = pairs.find(|(key, _)| key == name)?;
            known.iter().copied().find(|one| *one == value)
        };
        Self { width: named("width", &WIDTHS).unwrap_or(WIDTHS[0]), scheme: named("theme", &SCHEMES) }
    }

    fn theme(self) -> &'static str {
        self.scheme.unwrap_or(SYSTEM)
    }

    fn link(self, label: &str, chosen: Self) -> String {
        let current = if self == chosen { " aria-current=\"true\"" } else { "" };
        format!("<a href=\"{SANDBOX}/gallery?width={}&amp;theme={}\"{current}>{label}</a>\n", self.width, self.theme())
    }
}

/// One state in the list for programs.
#[derive(Debug, Serialize)]
pub struct Entry {
    step: &'static str,
    slug: &'static str,
    shows: &'static str,
}

/// The page as HTML.
pub fn document(stylesheet: &str, choice: Choice) -> String {
    let Choice { width, scheme } = choice;
    let widths: String = WIDTHS.map(|width| Choice { width, scheme }.link(&format!("{width} px"), choice)).concat();
    let schemes = [Some(SCHEMES[0]), Some(SCHEMES[1]), None].map(|scheme| Choice { width, scheme });
    let themes: String = schemes.map(|one| one.link(one.theme(), choice)).concat();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<title>Gallery · Vincula</title>\n\
         <link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"{stylesheet}\">\n\
         <link rel=\"stylesheet\" href=\"{SANDBOX}/gallery.css\">\n</head>\n\
         <body>\n<main class=\"gallery gallery--{width}\">\n<h1>Every screen, every state</h1>\n\
         <p>Real documents and islands; made-up sessions and canned answers. Frames load as they come into view and \
         never take the focus; a caption opens its screen alone.</p>\n\
         <nav class=\"gallery__controls\" aria-label=\"Width and theme\">\n\
         <p class=\"gallery__choice\">Width: {widths}</p>\n<p class=\"gallery__choice\">Theme: {themes}</p>\n</nav>\n\
         {steps}</main>\n</body>\n</html>\n",
        stylesheet = escaped(stylesheet),
        steps = steps(choice.theme()),
    )
}

/// The same states for programs: the browser tests and `make same-pages` open each of them.
pub fn list() -> Vec<Entry> {
    let entries = |step: Step| {
        step.states.into_iter().map(move |State { slug, shows, .. }| Entry { step: step.name, slug, shows })
    };
    states::all().into_iter().flat_map(entries).collect()
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
