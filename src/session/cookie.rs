//! The sealed cookie that holds a session: encrypted, authenticated, bound to its name. Only actions
//! write it.

use std::{net::IpAddr, time::Duration};

use axum::http::{HeaderMap, HeaderValue};
use cookie::{Cookie, CookieJar, SameSite};
use vincula_domain::token::LinkToken;

use super::{Client, Session, SessionKeys, cookie_header::cookies};

/// Browsers' limit for name and value together, in bytes.
const MAX_BYTES: usize = 4096;

/// A session that does not fit a cookie.
#[derive(Debug, thiserror::Error)]
#[error("the sealed session is {0} bytes long, more than a browser keeps")]
pub struct TooLarge(usize);

/// Opens and seals sessions.
#[derive(Clone)]
pub struct SessionCodec {
    keys: SessionKeys,
    kind: CookieKind,
    /// How long a session lives after its link was opened.
    life: Duration,
    now: fn() -> u64,
}

impl SessionCodec {
    /// `now` returns Unix seconds.
    pub fn new(keys: SessionKeys, kind: CookieKind, life: Duration, now: fn() -> u64) -> Self {
        Self {
            keys,
            kind,
            life,
            now,
        }
    }

    /// The name of the session's cookie.
    pub fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// Unix seconds.
    pub fn now(&self) -> u64 {
        (self.now)()
    }

    /// The session id of a link: an HMAC-SHA256 of its firm and its client, and one of its token as
    /// well, 64 bits of each. So one link is one session however often and wherever it is opened, and
    /// a page of another firm never acts for this one. All links of a client at a firm have the same
    /// first half, under which the browser keeps items. The cookie holds the id, so a session that
    /// began under a retired key keeps the id of that key.
    pub fn id_of(&self, token: &LinkToken, client: &Client) -> String {
        let firm = client.firm_id();
        let document = client.cpfcnpj.bare();
        let of_client = self.keys.digest("client", &[&firm, &document]);
        let texts = [token.expose(), &firm, &document];
        let of_link = self.keys.digest("session", &texts);
        format!("{of_client:016x}{of_link:016x}")
    }

    /// The request's session; `None` if there is none, if it was not sealed here, or if it has
    /// expired. Only cookies that open count: anybody can set one with our name.
    ///
    /// If several cookies hold different sessions, none is accepted. A browser keeps one `__Host-`
    /// cookie, so a browser that ignores the prefix has let another site set one of them, and
    /// either could show a client somebody else's consent.
    pub fn open(&self, headers: &HeaderMap) -> Option<Session> {
        let mut sessions = cookies(headers, self.name())
            .filter_map(|cookie| self.unseal(&cookie))
            .filter(|session| !self.time_left(session).is_zero());
        let first = sessions.next()?;
        sessions.all(|other| other.id == first.id).then_some(first)
    }

    /// The session in a cookie that one of the keys opens.
    fn unseal(&self, cookie: &Cookie<'static>) -> Option<Session> {
        let text = self
            .keys
            .all()
            .iter()
            .find_map(|key| CookieJar::new().private(key).decrypt(cookie.clone()))?;
        match serde_json::from_str(text.value()) {
            Ok(session) => Some(session),
            Err(error) => {
                // The error's message may quote the session.
                let kind = error.classify();
                tracing::warn!(
                    ?kind,
                    "a session cannot be read: did another version seal it?"
                );
                None
            }
        }
    }

    /// How long the session still lives. Another machine's clock may have been ahead.
    fn time_left(&self, session: &Session) -> Duration {
        let age = self.now().saturating_sub(session.link_opened_at);
        self.life.saturating_sub(Duration::from_secs(age))
    }

    /// Whether the session of a link that was just opened will fit the cookie to the end, whatever the
    /// client enters.
    pub fn has_room(&self, session: &Session) -> Result<(), TooLarge> {
        self.seal(&session.at_its_longest()).map(drop)
    }

    /// The `Set-Cookie` header that stores this session. Fails if the cookie is too large, because
    /// the browser would silently drop it.
    pub fn seal(&self, session: &Session) -> Result<HeaderValue, TooLarge> {
        let json = serde_json::to_string(session)
            .expect("strings, numbers and flags always have a JSON form");
        let header = self.seal_text(json, self.time_left(session));
        let pair = header
            .as_bytes()
            .split(|byte| *byte == b';')
            .next()
            .map_or(0, <[u8]>::len);
        if pair > MAX_BYTES {
            return Err(TooLarge(pair));
        }
        Ok(header)
    }

    /// The browser deletes the cookie after `time`.
    fn seal_text(&self, text: String, time: Duration) -> HeaderValue {
        let name = self.name();
        let max_age = i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
        let cookie = Cookie::build((name, text))
            .path("/")
            .secure(self.kind.is_secure())
            .http_only(true)
            .same_site(SameSite::Lax)
            .max_age(time::Duration::seconds(max_age));
        let mut jar = CookieJar::new();
        jar.private_mut(self.keys.first()).add(cookie);
        let sealed = jar.get(name).expect("it was just put there").to_string();
        HeaderValue::try_from(sealed).expect("Base64 is plain ASCII")
    }
}

/// The kind of the cookies: their names and whether they are `Secure`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CookieKind {
    /// Only for this host and only over TLS.
    HostOnly,
    /// For the sandbox on loopback: WebKit stores no `Secure` cookie over plain HTTP, not even
    /// there.
    PlainLoopback,
}

impl CookieKind {
    /// The kind for the sandbox: an address that others can reach needs [`Self::HostOnly`], as a
    /// real upstream does.
    pub fn of_sandbox(listens: IpAddr) -> Self {
        if listens.is_loopback() {
            Self::PlainLoopback
        } else {
            Self::HostOnly
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::HostOnly => "__Host-vincula",
            Self::PlainLoopback => "vincula",
        }
    }

    /// The scheme of the addresses at which a browser sends the cookie.
    pub fn scheme(self) -> &'static str {
        if self.is_secure() { "https" } else { "http" }
    }

    pub(super) fn is_secure(self) -> bool {
        self == Self::HostOnly
    }
}

#[cfg(test)]
mod tests {
    use axum::http::header::COOKIE;
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use vincula_domain::bank::BankCode;
    use vincula_testing::log_of_this_thread;

    use super::*;
    use crate::session::{ChosenBank, Consent, Linking, SuccessCall, Visit, client::tests::client};

    const KINDS: [CookieKind; 2] = [CookieKind::HostOnly, CookieKind::PlainLoopback];
    const LIFE: Duration = Duration::from_hours(4);
    const OLD: [u8; 64] = [1; 64];
    const NEW: [u8; 64] = [2; 64];

    fn codec(list: &[[u8; 64]], now: fn() -> u64) -> SessionCodec {
        codec_of(CookieKind::HostOnly, list, now)
    }

    fn codec_of(kind: CookieKind, list: &[[u8; 64]], now: fn() -> u64) -> SessionCodec {
        SessionCodec::new(SessionKeys::from_list(list), kind, LIFE, now)
    }

    fn session(token: &str) -> Session {
        let token = LinkToken::parse(token).unwrap();
        let client = client("12ABC34501DE35", "Bia", "111.444.777-35");
        let id = codec(&[NEW], || 1_000).id_of(&token, &client);
        Session::new(id, token, client, 1_000)
    }

    /// The request that a browser sends after it received this `Set-Cookie`.
    fn request_with(set_cookie: &HeaderValue) -> HeaderMap {
        let pair = set_cookie.to_str().unwrap().split(';').next().unwrap();
        HeaderMap::from_iter([(COOKIE, pair.parse().unwrap())])
    }

    #[test]
    fn a_session_survives_the_browser() {
        for (kind, start, secure) in [
            (CookieKind::HostOnly, "__Host-vincula=", true),
            (CookieKind::PlainLoopback, "vincula=", false),
        ] {
            let codec = codec_of(kind, &[NEW], || 1_000);
            let before = Session {
                visit: Visit::ConnectOpen(None),
                ..session("tok-123")
            };
            let header = codec.seal(&before).unwrap();
            let text = header.to_str().unwrap();
            for attribute in [
                "; Path=/",
                "; HttpOnly",
                "; SameSite=Lax",
                "; Max-Age=14400",
            ] {
                assert!(text.contains(attribute), "{attribute} in {text}");
            }
            assert!(
                text.starts_with(start) && text.contains("Secure") == secure,
                "{text}"
            );
            // Three letters of a name would stand in one of 300 sealed sessions by chance.
            assert!(
                !text.contains("tok-123") && !text.contains("Souza"),
                "sealed"
            );
            let after = codec.open(&request_with(&header)).unwrap();
            assert_eq!(after.id, before.id);
            assert_eq!(
                (after.token.expose(), &after.client, &after.visit),
                ("tok-123", &before.client, &before.visit)
            );
        }
    }

    /// Not even renamed: the encryption binds the value to the name.
    #[test]
    fn a_cookie_of_one_kind_does_not_open_as_the_other() {
        for [kind, other] in [KINDS, [KINDS[1], KINDS[0]]] {
            let header = codec_of(kind, &[NEW], || 1_000)
                .seal(&session("t"))
                .unwrap();
            let stranger = codec_of(other, &[NEW], || 1_000);
            assert!(stranger.open(&request_with(&header)).is_none());
            let renamed = header
                .to_str()
                .unwrap()
                .replacen(kind.name(), other.name(), 1);
            assert!(
                renamed.starts_with(other.name()) && renamed.len() > 100,
                "{renamed}"
            );
            assert!(
                stranger
                    .open(&request_with(&renamed.parse().unwrap()))
                    .is_none()
            );
        }
    }

    #[test]
    fn retired_keys_open_and_the_first_seals() {
        let header = codec(&[OLD], || 1_000).seal(&session("t")).unwrap();
        assert!(
            codec(&[NEW, OLD], || 1_000)
                .open(&request_with(&header))
                .is_some()
        );
        assert!(
            codec(&[NEW], || 1_000)
                .open(&request_with(&header))
                .is_none()
        );
        let renewed = codec(&[NEW, OLD], || 1_000).seal(&session("t")).unwrap();
        assert!(
            codec(&[NEW], || 1_000)
                .open(&request_with(&renewed))
                .is_some()
        );
    }

    #[test]
    fn one_link_is_one_session_in_every_process() {
        let token = |text| LinkToken::parse(text).unwrap();
        let of = |document| client(document, "", "");
        let company = of("12.ABC.345/01DE-35");
        let replica = |list: &[[u8; 64]], text| codec(list, || 1_000).id_of(&token(text), &company);
        let id = replica(&[NEW], "t");
        assert_eq!(id.len(), 32);
        assert_eq!(id, replica(&[NEW, OLD], "t"), "the first key decides");
        assert_ne!(id, replica(&[NEW], "u"));
        assert_ne!(id, replica(&[OLD, NEW], "t"));
        let same = codec(&[NEW], || 1_000);
        assert_eq!(
            id,
            same.id_of(&token("t"), &of("12ABC34501DE35")),
            "the same document, written otherwise"
        );
        assert_ne!(
            id,
            same.id_of(&token("t"), &of("529.982.247-25")),
            "another client"
        );
        // Computed by another program: two HMAC-SHA256, of "vincula client" or "vincula session" and of
        // each text with its length in 8 bytes.
        assert_eq!(
            id, "836a60508dd6d2816d87ea09a9aef9e6",
            "stable from version to version"
        );
        let sibling = replica(&[NEW], "u");
        assert_eq!(id[..16], sibling[..16], "items are kept for the client");
        let before = codec(&[OLD], || 1_000);
        let session = Session {
            id: before.id_of(&token("t"), &company),
            ..session("t")
        };
        let cookie = request_with(&before.seal(&session).unwrap());
        assert_eq!(
            codec(&[NEW, OLD], || 1_000).open(&cookie).unwrap().id,
            session.id,
            "a retired key's id is kept"
        );
    }

    fn full() -> Session {
        let bank = ChosenBank {
            code: BankCode::parse("260").unwrap(),
            name: "Nubank".to_owned(),
        };
        Session {
            consent: Some(Consent { at: 5, version: 1 }),
            visit: Visit::ConnectOpen(Some(bank)),
            linking: Some(Linking {
                bank: "Inter".to_owned(),
                at: 1,
                awaits_approval: true,
                success: SuccessCall::Due,
            }),
            ..session("t")
        }
    }

    /// Written out, so that a new field without a default fails here: cookies outlive a deployment.
    #[test]
    fn opens_cookie_of_the_first_version_with_these_fields() {
        let codec = codec(&[NEW], || 1_000);
        let sealed = json!({
            "id": "0123456789abcdef0123456789abcdef",
            "token": "t",
            "xsrf": null,
            "client": {
                "name": "Ana Souza", "cpfcnpj": "12ABC34501DE35", "customer_id": 7,
                "customer_name": "Contábil Horizonte", "admin_name": "Bia", "admin_cpfcnpj": "111.444.777-35",
                "widget_type": "new", "bank": null, "link_id": null, "client_uuid": null,
            },
            "typed": { "name": "", "cpf": "" },
            "consent": { "at": 5, "version": 1 },
            "visit": { "connect_open": { "code": "260", "name": "Nubank" } },
            "linking": { "bank": "Inter", "at": 1, "awaits_approval": true, "success": "due" },
            "was_cancelled": false,
            "link_opened_at": 900,
        });
        let header = codec.seal_text(sealed.to_string(), Duration::from_mins(1));
        let opened = codec.open(&request_with(&header)).unwrap();
        let expected = Session {
            id: "0123456789abcdef0123456789abcdef".to_owned(),
            link_opened_at: 900,
            ..full()
        };
        assert_eq!(
            serde_json::to_value(&opened).unwrap(),
            serde_json::to_value(&expected).unwrap()
        );
    }

    /// The session of 0.1 had other fields: it ends, and the client opens the link again.
    #[test]
    fn cookie_of_the_release_before_ends_the_session() {
        let codec = codec(&[NEW], || 1_000);
        let sealed = json!({
            "i": "0123456789abcdef0123456789abcdef", "t": "t", "b": 900, "o": "o",
            "d": { "name": "Caio", "cpf": "52998224725" }, "u": { "c": "260", "n": "Nubank" },
            "s": { "BankChosen": [{ "t": 5, "v": 1 }, { "c": "260", "n": "Nubank" }] },
            "c": {
                "name": "Ana Souza", "cpfcnpj": "12ABC34501DE35", "customer_id": 7,
                "customer_name": "Contábil Horizonte", "admin_name": "Bia", "admin_cpfcnpj": "111.444.777-35",
                "widget_type": "new", "bank": null, "link_id": null, "client_uuid": null,
            },
            "m": { "linked": true, "success_reported": true },
        });
        let header = codec.seal_text(sealed.to_string(), Duration::from_mins(1));
        assert!(codec.open(&request_with(&header)).is_none());
    }

    /// In a rolling update, a replica of this version opens what one of the next version has sealed.
    #[test]
    fn opens_cookie_of_the_version_after() {
        let before = serde_json::to_value(full()).unwrap();
        let mut later = before.clone();
        add_fields(&mut later);
        let codec = codec(&[NEW], || 1_000);
        let header = codec.seal_text(later.to_string(), Duration::from_mins(1));
        let opened = codec.open(&request_with(&header)).unwrap();
        assert_eq!(serde_json::to_value(&opened).unwrap(), before);
    }

    /// Adds a field that this version does not know to each struct.
    fn add_fields(json: &mut Value) {
        if let Value::Object(fields) = json {
            fields.values_mut().for_each(add_fields);
            if !fields.contains_key("connect_open") {
                fields.insert("later".to_owned(), json!(1));
            }
        }
    }

    /// Sealed by a newer version, for example, before a deployment was undone.
    #[test]
    fn logs_sealed_cookie_with_unreadable_content() {
        let (lines, _guard) = log_of_this_thread();
        let codec = codec(&[NEW], || 1_000);
        let header = codec.seal_text(
            json!({ "token": "tok-123", "visit": "NewVisit" }).to_string(),
            Duration::from_mins(1),
        );
        assert!(codec.open(&request_with(&header)).is_none());
        let log = lines.take();
        assert!(
            log.contains("a session cannot be read") && log.contains("kind=Data"),
            "{log}"
        );
        assert!(
            !log.contains("tok-123") && !log.contains("NewVisit"),
            "{log}"
        );
        let foreign = codec_of(CookieKind::HostOnly, &[OLD], || 1_000)
            .seal(&session("t"))
            .unwrap();
        assert!(codec.open(&request_with(&foreign)).is_none());
        assert_eq!(lines.take(), "", "anybody can send a cookie of another key");
    }

    #[test]
    fn ignores_cookies_that_do_not_open() {
        let codec = codec(&[NEW], || 20_000);
        let pair = |token, link_opened_at| {
            let header = codec
                .seal(&Session {
                    link_opened_at,
                    ..session(token)
                })
                .unwrap();
            header
                .to_str()
                .unwrap()
                .split(';')
                .next()
                .unwrap()
                .to_owned()
        };
        let (mine, again, theirs) = (
            pair("mine", 20_000),
            pair("mine", 20_000),
            pair("theirs", 20_000),
        );
        let (over, name) = (pair("theirs", 1_000), codec.name());
        let carried = |pairs: &[&str]| {
            codec.open(&HeaderMap::from_iter([(
                COOKIE,
                pairs.join("; ").parse().unwrap(),
            )]))
        };
        for one in [
            &[&*mine][..],
            &[&mine, &mine],
            &[&mine, &again],
            &[&format!("{name}=QUJD"), &mine],
            &[&mine, &format!("{name}="), name],
            &[&mine.replacen(name, "vincula", 1), &mine],
            &[&theirs.replacen(name, "__Host%2dvincula", 1), &mine],
            &[&over, &mine],
        ] {
            assert_eq!(carried(one).unwrap().token.expose(), "mine", "{one:?}");
        }
        assert!(carried(&[&mine, &theirs]).is_none());
        assert!(carried(&[&theirs, &mine, &again]).is_none());
    }

    /// A longer session is refused when its link is opened.
    #[test]
    fn session_with_room_fits_the_cookie_at_its_longest() {
        let codec = codec(&[NEW], || 1_000);
        let with_token = |length| session(&"x".repeat(length));
        let longest = (1..2_048)
            .rev()
            .find(|length| codec.has_room(&with_token(*length)).is_ok())
            .unwrap();
        assert!(longest > 1_000, "{longest}");
        let grown = with_token(longest).at_its_longest();
        let sealed = codec.seal(&grown).unwrap();
        let pair = sealed.to_str().unwrap().split(';').next().unwrap();
        assert!((4_090..=MAX_BYTES).contains(&pair.len()), "{}", pair.len());
        assert!(codec.seal(&with_token(longest + 1)).is_ok(), "today");
    }

    proptest! {
        #[test]
        fn what_we_did_not_seal_never_opens(bytes in prop::collection::vec(any::<u8>(), 0..300), named in any::<bool>()) {
            for kind in KINDS {
                let codec = codec_of(kind, &[NEW, OLD], || 1_000);
                let name = if named { format!("{}=", codec.name()) } else { String::new() };
                if let Ok(value) = HeaderValue::from_bytes(&[name.as_bytes(), &bytes].concat()) {
                    let headers = HeaderMap::from_iter([(COOKIE, value)]);
                    prop_assert!(codec.open(&headers).is_none());
                }
            }
        }

        #[test]
        fn what_was_changed_after_sealing_never_opens(at in any::<prop::sample::Index>(), byte in b'!'..=b'~') {
            let codec = codec(&[NEW], || 1_000);
            let sealed = codec.seal(&session("t")).unwrap();
            let pair = sealed.to_str().unwrap().split(';').next().unwrap();
            let start = codec.name().len() + 1;
            let mut changed = pair.as_bytes().to_vec();
            let at = start + at.index(changed.len() - start);
            // A percent sign begins an escape, which may encode the original byte.
            prop_assume!(changed[at] != byte && byte != b'%');
            // The last digits of Base64 may hold unused bits.
            prop_assume!(at + 6 < changed.len());
            changed[at] = byte;
            let headers = HeaderMap::from_iter([(COOKIE, HeaderValue::from_bytes(&changed).unwrap())]);
            prop_assert!(codec.open(&headers).is_none());
        }
    }

    #[test]
    fn only_the_sandbox_on_loopback_has_the_plain_kind() {
        for (address, is_loopback) in [
            ("127.0.0.1", true),
            ("127.8.8.8", true),
            ("::1", true),
            ("0.0.0.0", false),
            ("192.168.0.7", false),
            ("::", false),
        ] {
            let expected = if is_loopback {
                CookieKind::PlainLoopback
            } else {
                CookieKind::HostOnly
            };
            assert_eq!(
                CookieKind::of_sandbox(address.parse().unwrap()),
                expected,
                "{address}"
            );
        }
    }
}
