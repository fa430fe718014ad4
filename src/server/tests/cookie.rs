//! Which cookie the program sets by where it listens and what is behind it (design D3).

use super::*;
use crate::session::CookieKind;

/// The `Set-Cookie` header of a validated link.
async fn set_by(house: &House) -> String {
    let mut visitor = house.visitor();
    let seen = visitor.enter("?token=demo-novo").await;
    assert_eq!(seen.status, 200, "{}", seen.body);
    assert!(!visitor.session.is_empty(), "the cookie opens on the next page");
    seen.headers[header::SET_COOKIE].to_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_sandbox_on_loopback_sets_a_cookie_that_every_engine_keeps_over_plain_http() {
    let set = set_by(&House::on_the_sandbox().await).await;
    assert!(set.starts_with("vincula=") && !set.contains("Secure"), "{set}");
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax") && set.contains("Path=/"), "{set}");
}

#[tokio::test]
async fn a_sandbox_that_others_can_reach_sets_the_cookie_of_production() {
    let sandbox = Sandbox::start(SandboxOptions::default()).await.unwrap();
    let public = ["vincula", "--listen-addr", "0.0.0.0:3000", "--sandbox-public", "true"];
    let set = set_by(&House::build(&public, Some(&sandbox))).await;
    assert!(set.starts_with("__Host-vincula=") && set.contains("; Secure"), "{set}");
}

#[tokio::test]
async fn a_real_upstream_on_loopback_sets_the_cookie_of_production() {
    let sandbox = Sandbox::start(SandboxOptions::default()).await.unwrap();
    let set = set_by(&House::on(&sandbox.api_url())).await;
    assert!(set.starts_with("__Host-vincula=") && set.contains("; Secure"), "{set}");
}

/// The keys are the same, the names are not.
#[tokio::test]
async fn a_cookie_of_the_other_kind_is_no_session() {
    let house = House::on_the_sandbox().await;
    let mut visitor = house.entered("demo-novo").await;
    let own = visitor.cookie.clone().unwrap();
    assert_eq!(visitor.get("/integration/widget").await.status, 200);
    let other = CookieKind::HostOnly.name();
    for pair in [own.replacen(visitor.cookie_name, other, 1), format!("{other}=QUJD")] {
        visitor.cookie = Some(pair);
        let seen = visitor.get("/integration/widget").await;
        assert_eq!((seen.status, &seen.headers[header::LOCATION]), (303, &"/".parse().unwrap()));
    }
}
