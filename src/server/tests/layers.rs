//! A handler without one of its layers answers nothing.

use std::any::type_name;

use axum::{
    Router,
    body::Body,
    http::{Request, header},
    routing::post,
};
use tower::ServiceExt;
use vincula_upstream::RequestId;

use super::panics::log_of_this_thread;
use crate::{
    http::{Admitted, client_address::TrustedProxies, log::RecordedCause},
    session::Visitor,
    steps::entry,
    tests::TestApp,
};

#[tokio::test]
async fn action_without_its_layer_fails_and_logs_the_missing_value() {
    let (lines, _guard) = log_of_this_thread();
    let state = TestApp::on_sandbox().await.state;
    let router = Router::new()
        .route("/", post(entry::post))
        .with_state(state);
    let mut request = Request::post("/?token=demo-novo")
        .body(Body::empty())
        .unwrap();
    let admitted = Admitted {
        client: TrustedProxies::default().client_of(&request),
        permit: None,
    };
    let status = async |request: &Request<Body>, missing: &str| {
        let mut sent = Request::post(request.uri()).body(Body::empty()).unwrap();
        *sent.extensions_mut() = request.extensions().clone();
        let response = router.clone().oneshot(sent).await.unwrap();
        let log = lines.take();
        let named = |line: &&str| line.contains("ERROR") && line.contains(missing);
        assert!(log.lines().any(|line| named(&line)), "{missing}: {log}");
        assert!(!response.headers().contains_key(header::SET_COOKIE));
        response.status().as_u16()
    };
    assert_eq!(status(&request, type_name::<Visitor>()).await, 500);
    request.extensions_mut().insert(Visitor::default());
    assert_eq!(status(&request, type_name::<Admitted>()).await, 500);
    request.extensions_mut().insert(admitted);
    assert_eq!(status(&request, type_name::<RecordedCause>()).await, 500);
    request.extensions_mut().insert(RecordedCause::default());
    assert_eq!(status(&request, type_name::<RequestId>()).await, 500);
    request.extensions_mut().insert(RequestId::default());
    // A native form is answered by a redirect; without a permit to an error screen, and no call is
    // made.
    assert_eq!(status(&request, "no permit").await, 303);
}
