//! The kind of cookie that the program sets, by its address and its upstream.

use super::*;
use crate::session::CookieKind;

/// The `Set-Cookie` header of a validated link.
async fn set_by(server: &TestServer) -> String {
    let mut visitor = server.visitor();
    let seen = visitor.enter("?token=demo-novo").await;
    assert_eq!(seen.status, 200, "{}", seen.body);
    assert!(!visitor.session.is_empty(), "the cookie opens on the next page");
    seen.headers[header::SET_COOKIE].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_sandbox_on_loopback_sets_a_cookie_that_every_engine_keeps_over_plain_http() {
    let set = set_by(&TestServer::on_the_sandbox().await).await;
    assert!(set.starts_with("vincula=") && !set.contains("Secure"), "{set}");
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax") && set.contains("Path=/"), "{set}");
}

#[tokio::test]
async fn a_sandbox_that_others_can_reach_sets_the_cookie_of_production() {
    let sandbox = Sandbox::start(SandboxOptions::default()).await.unwrap();
    let public = ["vincula", "--listen-addr", "0.0.0.0:3000", "--sandbox-public", "true"];
    let set = set_by(&TestServer::build(&public, Some(&sandbox))).await;
    assert!(set.starts_with("__Host-vincula=") && set.contains("; Secure"), "{set}");
}

#[tokio::test]
async fn a_real_upstream_on_loopback_sets_the_cookie_of_production() {
    let sandbox = Sandbox::start(SandboxOptions::default()).await.unwrap();
    let set = set_by(&TestServer::on(&sandbox.api_url())).await;
    assert!(set.starts_with("__Host-vincula=") && set.contains("; Secure"), "{set}");
}

/// With the same keys, but under another name.
#[tokio::test]
async fn a_cookie_of_the_other_kind_is_no_session() {
    let server = TestServer::on_the_sandbox().await;
    let mut visitor = server.entered("demo-novo").await;
    let own = visitor.cookie.clone().unwrap();
    assert_eq!(visitor.get("/integration/widget").await.status, 200);
    let other = CookieKind::HostOnly.name();
    for pair in [own.replacen(visitor.cookie_name, other, 1), format!("{other}=QUJD")] {
        visitor.cookie = Some(pair);
        let seen = visitor.get("/integration/widget").await;
        assert_eq!((seen.status, &seen.headers[header::LOCATION]), (303, &"/".parse().unwrap()));
    }
}
