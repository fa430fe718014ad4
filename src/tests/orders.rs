//! Orders: confirmed by the widget API and by nothing else.

use serde_json::json;

use super::{
    catalogue::{Uses, cases, due},
    navigate,
    scripted::Act,
};

/// A captive portal, or the page of whatever stands in front of the API, lets nothing be stated that did not happen.
#[tokio::test]
async fn a_page_confirms_no_order() {
    for case in cases().into_iter().filter(|case| case.uses == Uses::Nothing) {
        let mut app = due(case.action).await;
        let before = app.snapshot();
        app.upstream.on(case.call, Act::text(200, "text/html", "<title>Entrar na rede</title>"));
        let answer = app.act(case.action, case.input.clone()).await;
        answer.assert_failure(502, &navigate("/error/token-invalid"));
        assert_eq!(app.snapshot(), before, "{}", case.action);
        if case.action == "cancel_integrations" {
            app.get("/cancel/success").await.assert_redirect("/cancel/confirm");
        }
        app.upstream.on(case.call, Act::text(204, "text/plain", ""));
        app.done(case.action, case.input).await;
        assert_ne!(app.snapshot(), before, "{}", case.action);
    }
}
