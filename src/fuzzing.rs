//! Parses input from outside in every way: one function for each kind. A fuzzer runs them for as long as you like
//! (`make fuzz`, see `fuzz/`), the tests below for a moment.
//!
//! Each function takes any bytes; it must not panic, and its assertions must hold.

use std::{net::SocketAddr, time::Duration};

use axum::{
    body::Body,
    extract::{ConnectInfo, Request},
    http::{HeaderMap, HeaderValue, Uri, header::COOKIE},
};
use vincula_domain::{
    bank::{TaxId, cpf_digits},
    routes::{self, Page},
    token::{LinkToken, XsrfToken},
};
use vincula_upstream::{fuzzing::parse_all, redact};

use crate::{
    http::client_address::TrustedProxies,
    session::{
        CookieKind, Lifetime, SessionCodec, SessionKeys, admit,
        guard::{is_return, token_in},
        middleware::redirect,
    },
};

/// A time at which the sessions of the seeds are valid, in Unix seconds.
const NOW: u64 = 1_800_000_000;

/// A session, as a cookie holds it.
const SESSION: &str = include_str!("../fuzz/seeds/session_cookie/session.json");

/// A link's token, and the upstream's XSRF token.
pub fn token(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let is_plain = !text.is_empty() && text.len() <= 2048 && text.bytes().all(|b| b.is_ascii_graphic());
    let token = LinkToken::parse(text);
    assert_eq!(token.is_some(), is_plain);
    if let Some(token) = token {
        assert_eq!(token.expose(), text);
        HeaderValue::from_str(&format!("Bearer {text}")).expect("a token fits a header");
        assert!(text.len() < 12 || !format!("{token:?}").contains(text), "a token does not show itself");
    }
    if let Some(xsrf) = XsrfToken::parse(text) {
        HeaderValue::from_str(&format!("XSRF-TOKEN={}", xsrf.expose())).expect("it fits a cookie");
    }
}

/// A `Cookie` header; a forged value in it; and a text that our own key has sealed.
pub fn session_cookie(bytes: &[u8]) {
    for kind in [CookieKind::HostOnly, CookieKind::PlainLoopback] {
        session_cookie_of(&codec(kind), bytes);
    }
}

fn codec(kind: CookieKind) -> SessionCodec {
    let life = Lifetime { idle: Duration::from_secs(7_200), longest: Duration::from_secs(43_200) };
    SessionCodec::new(SessionKeys::of_sandbox(), kind, life, || NOW)
}

fn session_cookie_of(codec: &SessionCodec, bytes: &[u8]) {
    let open = |header: &[u8]| {
        let value = HeaderValue::from_bytes(header).ok()?;
        codec.open(&HeaderMap::from_iter([(COOKIE, value)]))
    };
    assert!(open(bytes).is_none(), "nobody can make one up");
    assert!(open(&[codec.name().as_bytes(), b"=", bytes].concat()).is_none(), "nor its value");
    let Ok(text) = str::from_utf8(bytes) else { return };
    let sealed = codec.seal_text(text.to_owned());
    let pair = sealed.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default();
    if let Some(session) = open(pair) {
        let _ = session.bank_form_context(true, true, 0);
        for page in Page::ALL {
            let _ = admit(page, None, Some(&session));
        }
        let again = codec.seal(&session).ok();
        let again = again.as_ref().and_then(|header| header.as_bytes().split(|byte| *byte == b';').next());
        assert!(again.is_none_or(|pair| open(pair).is_some()), "what opens can be sealed and opened again");
    }
}

/// A whole `Cookie` header: these bytes from a sibling site under the same domain, and our cookie from the browser.
pub fn cookies(bytes: &[u8]) {
    for kind in [CookieKind::HostOnly, CookieKind::PlainLoopback] {
        let codec = codec(kind);
        let sealed = codec.seal_text(SESSION.to_owned());
        let ours = sealed.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default();
        for line in [[bytes, b"; ", ours].concat(), [ours, b";", bytes].concat()] {
            let Ok(line) = HeaderValue::from_bytes(&line) else { return };
            let session = codec.open(&HeaderMap::from_iter([(COOKIE, line)]));
            assert!(session.is_some_and(|session| session.token.expose() == "tok-123"), "it changes nothing");
        }
        let others = HeaderValue::from_bytes(bytes).map(|line| (COOKIE, line)).into_iter();
        let lines = others.chain([(COOKIE, HeaderValue::from_bytes(ours).expect("we have sealed it"))]).collect();
        assert!(codec.open(&lines).is_some(), "nor in a line of its own");
    }
}

/// A client's `X-Forwarded-For`, to which a proxy of ours adds, in the same line or in the next.
pub fn forwarded_for(bytes: &[u8]) {
    let proxies: TrustedProxies = "10.0.0.0/8,2001:db8::/32".parse().expect("networks");
    let client = |peer: [u8; 4], lines: &[&[u8]]| {
        let mut request = Request::new(Body::empty());
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from((peer, 40_000))));
        for line in lines {
            request.headers_mut().append("x-forwarded-for", HeaderValue::from_bytes(line).ok()?);
        }
        Some(proxies.client_of(&request))
    };
    let (proxy, stranger) = ([10, 1, 2, 3], [198, 51, 100, 1]);
    let expected = client(stranger, &[]);
    let Some(claimed) = client(stranger, &[bytes]) else { return };
    assert_eq!(Some(claimed), expected, "a stranger is not believed");
    for lines in [&[&[bytes, b", 198.51.100.1"].concat()[..]][..], &[bytes, b"198.51.100.1"]] {
        assert_eq!(client(proxy, lines), expected, "what the proxy has added counts");
    }
    let _ = client(proxy, &[bytes]);
}

/// The body of an upstream response.
pub fn envelope(bytes: &[u8]) {
    parse_all(bytes);
    let Ok(text) = str::from_utf8(bytes) else { return };
    let clean = redact::text(text, &["secret"]);
    assert!(!clean.contains("secret"));
    assert_eq!(redact::text(&clean, &["secret"]), clean, "cleaning twice cleans no more");
}

/// A CPF as people type it, a document as the upstream writes it.
pub fn tax_id(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    if let Some(digits) = cpf_digits(text) {
        assert!(digits.len() == 11 && digits.bytes().all(|b| b.is_ascii_digit()));
        assert_eq!(cpf_digits(&digits).as_ref(), Some(&digits), "its digits are the same CPF");
    }
    let id = TaxId::new(text);
    let (bare, masked) = (id.bare(), id.masked());
    assert!(!bare.contains(['.', '-', '/', ' ']));
    assert_eq!(id.is_individual(), (1..=11).contains(&bare.chars().count()));
    assert_eq!(id.is_company(), bare.chars().count() > 11);
    assert!(masked.is_empty() || masked.matches('*').count() >= 4, "a masked document hides some of it");
}

/// The query string of a link, and the guard's decision on it.
pub fn query(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let token = token_in(text);
    assert!(token.as_ref().is_none_or(|token| !token.is_empty()));
    let shown = admit(Page::Entry, Some(text), None) == Ok(());
    assert_eq!(shown, token.is_some(), "without a session, the entry needs a token");
    let _ = (token.as_deref().and_then(LinkToken::parse), is_return(text), Page::at(text));
    // The part of it that the server receives, without the fragment.
    if let Ok(uri) = format!("{}?{text}", routes::ENTRY).parse::<Uri>() {
        let entry = format!("{}?{}", routes::ENTRY, uri.query().unwrap_or_default());
        let back = routes::with_flag(&entry, routes::NO_REPLY);
        assert_eq!(routes::with_flag(&back, routes::NO_REPLY), back, "said once");
        let _ = redirect(&back);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Any bytes, any text, and a seed with some bytes changed, most of which still parses.
    fn input(seed: &'static [u8]) -> impl Strategy<Value = Vec<u8>> {
        let changes = prop::collection::vec((0..seed.len(), any::<u8>()), 0..4);
        prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            "\\PC{0,120}".prop_map(String::into_bytes),
            "[ -~]{0,200}".prop_map(String::into_bytes),
            changes.prop_map(|changes| {
                let mut bytes = seed.to_vec();
                changes.into_iter().for_each(|(at, byte)| bytes[at] = byte);
                bytes
            }),
        ]
    }

    proptest! {
        #[test]
        fn any_token_is_taken_or_refused(input in input(include_bytes!("../fuzz/seeds/token/jwt"))) {
            token(&input);
        }

        #[test]
        fn any_cookie_is_opened_or_refused(input in input(SESSION.as_bytes())) {
            session_cookie(&input);
        }

        #[test]
        fn any_neighbour_of_our_cookie_changes_nothing(input in input(include_bytes!("../fuzz/seeds/cookies/neighbours"))) {
            cookies(&input);
        }

        #[test]
        fn any_claim_of_a_client_changes_nothing(input in input(include_bytes!("../fuzz/seeds/forwarded_for/chain"))) {
            forwarded_for(&input);
        }

        #[test]
        fn any_answer_is_read_or_refused(input in input(include_bytes!("../crates/upstream/src/samples/validate-token.answer.json"))) {
            envelope(&input);
        }

        #[test]
        fn any_document_is_told_apart(input in input(b"529.982.247-25")) {
            tax_id(&input);
        }

        #[test]
        fn any_query_leads_somewhere(input in input(include_bytes!("../fuzz/seeds/query/link"))) {
            query(&input);
        }
    }

    /// Otherwise the fuzzer would only ever see cookies that do not open.
    #[test]
    fn the_seed_is_a_session() {
        let codec = codec(CookieKind::HostOnly);
        let sealed = codec.seal_text(SESSION.to_owned());
        let pair = sealed.to_str().unwrap().split(';').next().unwrap();
        assert!(codec.open(&HeaderMap::from_iter([(COOKIE, pair.parse().unwrap())])).is_some());
    }
}
