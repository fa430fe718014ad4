//! `/error/:type` (spec §2, "Error screen messages").

use serde_json::json;
use vincula_domain::problem::Problem;

use super::{TestApp, scripted::Act};

/// The title of each type, and a part of its text.
const TYPES: [(&str, &str, &str); 11] = [
    ("token-not-found", "Token de acesso não informado", "Verifique a URL e tente novamente"),
    ("token-not-exists", "Token não encontrado", "Solicite um novo link ao escritório de contabilidade"),
    ("token-expired", "Token expirado", "Solicite um novo link"),
    ("link-not-updated", "Nenhuma alteração encontrada", "não tiveram alterações"),
    ("link-not-exists", "Credenciais não encontradas", "não foram encontradas"),
    ("token-invalid", "Problema com o token de acesso", "Solicite um novo link ao escritório de contabilidade"),
    ("cookies-blocked", "Seu navegador não guarda cookies", "Permita cookies para este site"),
    ("two-sessions", "Há dois acessos neste navegador", "em uma janela anônima ou em outro navegador"),
    ("anything-else", "Problema com o token de acesso", "Solicite um novo link ao escritório de contabilidade"),
    ("TOKEN-EXPIRED", "Problema com o token de acesso", "Solicite um novo link ao escritório de contabilidade"),
    ("%3Cscript%3Ealert(1)%3C%2Fscript%3E", "Problema com o token de acesso", "Solicite um novo link"),
];

#[test]
fn every_problem_has_its_row() {
    for problem in Problem::ALL {
        assert!(TYPES.iter().any(|(kind, ..)| *kind == problem.slug()), "{problem:?}");
    }
}

#[tokio::test]
async fn each_type_has_its_words_with_or_without_a_session() {
    for mut app in [TestApp::start().await, TestApp::linked(json!({})).await] {
        for (kind, title, words) in TYPES {
            for path in [format!("/error/{kind}"), format!("/error/{kind}/")] {
                let page = app.get(&path).await;
                assert_eq!((page.status, page.page()), (200, Some("error")), "{path}");
                assert!(page.text.contains(&format!(">{title}<")), "{path}: {}", page.text);
                assert!(page.text.contains(words), "{path}");
                assert!(page.text.contains(&format!("<title>{title} · Vincula</title>")), "{path}");
                assert!(!page.text.contains("alert(1)"), "{path}");
                for mine in ["Estrela do Sul", "Contábil Horizonte", "vincula-context"] {
                    assert!(!page.text.contains(mine), "{mine} at {path}");
                }
            }
        }
    }
}

/// The code that the person reads out is that of the failed action, and the upstream has it, too.
#[tokio::test]
async fn the_support_code_is_the_id_of_the_request_that_failed() {
    let mut app = TestApp::entered(json!({})).await;
    app.upstream.on("authorize-customer", Act::error(422, "no"));
    let session = app.snapshot().id;
    for native in [false, true] {
        app.upstream.forget();
        let to = if native {
            let form = format!("session={session}&consent=yes");
            app.post_form("/integration/widget", form).await.location().unwrap().to_owned()
        } else {
            app.act("accept_consent", json!({})).await.json()["to"].as_str().unwrap().to_owned()
        };
        let call = app.upstream.only("POST /authorize-customer");
        let code = call.header("x-request-id").unwrap();
        let page = app.get(&to).await;
        assert_eq!(page.page(), Some("error"));
        assert!(page.text.contains(&format!(">{code}<")), "{code} is not on the screen at {to}");
        assert!(!page.text.contains(page.header_of("x-request-id").unwrap()), "one code, and not two");
    }
}

/// What is no support code is never shown as one.
#[tokio::test]
async fn a_code_that_somebody_made_up_is_not_shown() {
    let mut app = TestApp::start().await;
    for code in ["52998224725", "Ligue-para-0800", "0123456789ABC", "%3Cscript%3Efoo", ""] {
        let page = app.get(&format!("/error/token-expired?codigo={code}")).await;
        let own = page.header_of("x-request-id").unwrap();
        assert!(page.text.contains(&format!(">{own}<")), "{code}");
        assert!(code.is_empty() || !page.text.contains(code), "{code}");
    }
}

/// Without an action before it, it is the id of the page's own request.
#[tokio::test]
async fn the_support_code_is_the_requests_id() {
    let mut app = TestApp::start().await;
    let mut codes = Vec::new();
    for path in ["/error/token-expired", "/error/token-expired", "/nowhere"] {
        let page = app.get(path).await;
        let code = page.header_of("x-request-id").unwrap();
        assert!(code.len() == 12 && code.bytes().all(|b| b.is_ascii_hexdigit()), "{code}");
        assert!(page.text.contains(&format!(">{code}<")), "{path}: {}", page.text);
        codes.push(code.to_owned());
    }
    codes.dedup();
    assert_eq!(codes.len(), 3, "one for each request");
}
