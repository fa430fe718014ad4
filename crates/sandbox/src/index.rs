//! The page of demonstration links: `GET /sandbox`.

use std::{fmt::Write, sync::Arc};

use axum::{
    Router,
    extract::State,
    http::{HeaderName, header},
    response::Html,
    routing::get,
};
use html_escape::encode_quoted_attribute as escape;

use super::{demo_links::DEMO_LINKS, state::SandboxState};

const DOCUMENT: &str = include_str!("../assets/index.html");

const HEADERS: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    (HeaderName::from_static("x-robots-tag"), "noindex"),
    (header::CACHE_CONTROL, "no-store"),
    (header::REFERRER_POLICY, "no-referrer"),
];

pub(crate) fn router(state: Arc<SandboxState>) -> Router {
    let page = async |State(state): State<Arc<SandboxState>>| {
        let suffix = format!("{:08x}", rand::random::<u32>());
        (HEADERS, Html(document(&state.options.stylesheet, &suffix)))
    };
    Router::new().route("/sandbox", get(page)).with_state(state)
}

/// `suffix` identifies the fresh copies that the page offers.
fn document(stylesheet: &str, suffix: &str) -> String {
    DOCUMENT
        .replace("{stylesheet}", &escape(stylesheet))
        .replace("{flows}", &links(suffix, false))
        .replace("{failures}", &links(suffix, true))
}

/// The links of the flows, or with `fails` those with faults. Each links to a fresh copy, and less
/// prominently to the shared state.
fn links(suffix: &str, fails: bool) -> String {
    DEMO_LINKS.iter().filter(|link| link.fault.is_some() == fails).fold(String::new(), |mut html, link| {
        let (token, title, shows) = (link.token, link.title, link.shows);
        let _ = writeln!(
            html,
            "<div class=\"facts__one\"><dt><a href=\"{fresh}\">{title}</a></dt>\
             <dd>{shows} <a class=\"link-quiet\" href=\"{path}\" aria-label=\"{title}: no estado de todos\">\
             no estado de todos</a> <code>{token}</code></dd></div>",
            fresh = escape(&link.path_of(&format!("{token}.{suffix}"))),
            path = escape(&link.path()),
        );
        html
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_has_each_link_and_fresh_copy() {
        let page = document("/pkg/a\"><script>", "c0ffee");
        for inline in ["<script", "<style", "style=", "onclick", "http:", "https:"] {
            assert!(!page.contains(inline), "{inline}");
        }
        for link in DEMO_LINKS {
            assert!(
                page.contains(&format!("href=\"{}\"", escape(&link.path()))),
                "{}",
                link.token
            );
        }
        assert!(page.contains("href=\"/?token=demo-novo.c0ffee\""));
        assert!(page.contains("href=\"/?token=demo-retorno.c0ffee&amp;of-success=true\""));
        assert!(page.contains("Diferenças em relação ao ambiente real"));
    }
}
