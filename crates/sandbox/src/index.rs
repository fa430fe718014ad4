//! The page of demonstration links: `GET /sandbox`.

use std::{fmt::Write, sync::Arc};

use axum::{
    Router,
    extract::State,
    http::{HeaderName, header},
    response::{Html, IntoResponse},
    routing::get,
};

use html_escape::encode_quoted_attribute as escape;

use super::{demo_links, state::SandboxState};

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

/// The differences between the sandbox and the real environment.
const DIFFERENCES: [&str; 7] = [
    "Nenhum banco, nenhuma conta e nenhum CPF ou CNPJ desta página é de verdade; nada sai deste servidor.",
    "A janela do Connect é uma simulação: as telas da Pluggy, o login e a autorização no site ou no aplicativo do \
     banco e os cookies de terceiros não são exercitados.",
    "Contas novas são confirmadas em segundos; no ambiente real, isso pode levar até 5 minutos.",
    "O formato das respostas e as mensagens de erro seguem a especificação; a API real pode ter detalhes que ela \
     não mostra.",
    "O estado fica na memória e se perde quando o servidor reinicia; links reais têm validade própria.",
    "Qualquer pessoa que abra o mesmo link vê o mesmo estado. Para começar do zero, abra o link pelo nome.",
    "Os escritórios e os clientes são inventados. A lista mistura instituições conhecidas com cooperativas inventadas.",
];

/// Serves the page.
pub fn router(state: Arc<SandboxState>) -> Router {
    let page = async |State(state): State<Arc<SandboxState>>| {
        let suffix = format!("{:08x}", rand::random::<u32>());
        (HEADERS, Html(document(state.options.stylesheet.as_deref(), &suffix))).into_response()
    };
    Router::new().route("/sandbox", get(page)).with_state(state)
}

/// `suffix` identifies the fresh copies that the page offers.
fn document(stylesheet: Option<&str>, suffix: &str) -> String {
    // Only with a site; without a declared icon, browsers request one that does not exist.
    let site = stylesheet.map(|href| {
        format!("<link rel=\"stylesheet\" href=\"{}\">\n<link rel=\"icon\" href=\"/favicon.svg\">\n", escape(href))
    });
    let site = site.unwrap_or_default();
    format!(
        "<!doctype html>\n<html lang=\"pt-BR\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex\">\n<title>Links de demonstração · Vincula</title>\n{site}\
         </head>\n<body class=\"page\">\n<main class=\"page__main\"><section class=\"step\">\n\
         <h1 class=\"step__title\">Links de demonstração</h1>\n\
         <p class=\"step__lead\">Ambiente de testes: cada link abre o produto como um cliente diferente de \
         um escritório de contabilidade, desde o começo. <a href=\"/sandbox/gallery\">Galeria de todas as telas</a>.</p>\n\
         <h2 class=\"step__subtitle\">Fluxos</h2>\n<dl class=\"facts\">\n{flows}</dl>\n\
         <h2 class=\"step__subtitle\">Falhas e demoras</h2>\n<dl class=\"facts\">\n{failures}</dl>\n\
         <h2 class=\"step__subtitle\">Diferenças em relação ao ambiente real</h2>\n\
         <ul class=\"card\">\n{differences}</ul>\n</section></main>\n</body>\n</html>\n",
        flows = links(suffix, false),
        failures = links(suffix, true),
        differences = differences(),
    )
}

/// The links of the flows, or those where something `fails`: each to a fresh copy, and quietly to the state that all share.
fn links(suffix: &str, fails: bool) -> String {
    demo_links::links().iter().filter(|link| link.fails == fails).fold(String::new(), |mut html, link| {
        let fresh = link.path_of(&demo_links::copy_of(link.token, suffix));
        let _ = writeln!(
            html,
            "<div class=\"facts__one\"><dt><a href=\"{fresh}\">{title}</a></dt>\
             <dd>{shows} <a class=\"link-quiet\" href=\"{path}\" aria-label=\"{title}: no estado de todos\">\
             no estado de todos</a> <code>{token}</code></dd></div>",
            path = escape(&link.path()),
            title = escape(link.title),
            token = escape(link.token),
            shows = escape(link.shows),
            fresh = escape(&fresh),
        );
        html
    })
}

fn differences() -> String {
    DIFFERENCES.iter().fold(String::new(), |mut html, difference| {
        let _ = writeln!(html, "<li>{}</li>", escape(difference));
        html
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_is_on_the_page_with_a_fresh_copy() {
        let page = document(None, "c0ffee");
        for link in demo_links::links() {
            assert!(page.contains(&format!("href=\"{}\"", escape(&link.path()))), "{}", link.token);
        }
        assert!(page.contains("href=\"/?token=demo-novo.c0ffee\""));
        assert!(page.contains("href=\"/?token=demo-retorno.c0ffee&amp;of-success=true\""));
        assert!(page.contains("Diferenças em relação ao ambiente real"));
    }

    #[test]
    fn nothing_on_the_page_needs_a_looser_policy() {
        let page = document(Some("/pkg/a\"><script>"), "1");
        assert!(page.contains("href=\"/pkg/a&quot;&gt;&lt;script&gt;\""));
        for inline in ["<script", "<style", "style=", "onclick", "http:", "https:"] {
            assert!(!page.contains(inline), "{inline}");
        }
    }
}
