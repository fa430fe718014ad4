//! Cookies that another site has planted, that were changed on the way, or that belong to somebody else.

use clap::Parser;
use serde_json::json;

use super::*;
use crate::{
    config::Config,
    state::AppState,
    tests::{bank_form, profile, scripted::Act, site},
};

/// The session that a server sees with such a cookie.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Seen {
    Nobody,
    Owner,
}
use Seen::{Nobody, Owner};

/// The name of the client whose cookie another site plants.
const OTHER: &str = "Oficina da Vizinha";

/// The `Cookie` lines of a request.
type Lines = Vec<Vec<u8>>;

fn line(text: impl Into<Vec<u8>>) -> Lines {
    vec![text.into()]
}

/// Names that browsers do not take for ours, so that another site may set them for the whole domain.
fn planted(value: &str) -> Vec<(String, Lines, Seen)> {
    let every_letter = |name: &str| name.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
    let names = [
        "__Host%2dvincula".to_owned(),
        "__Host%2Dvincula".into(),
        "%5f%5fHost-vincula".into(),
        "%5F_Host-vincula".into(),
        "__Host-vincul%61".into(),
        "__%48ost-vincula".into(),
        every_letter("__Host-vincula"),
        "__Host%252dvincula".into(),
        "__host-vincula".into(),
        "__HOST-VINCULA".into(),
        "__Host-Vincula".into(),
        "__Secure-vincula".into(),
        "vincula".into(),
        "Host-vincula".into(),
        "x__Host-vincula".into(),
        "__Host-vinculax".into(),
        "__Host-vincula%00".into(),
        "__Host-vincula%20".into(),
        "__Host_vincula".into(),
        "__Host\u{2010}vincula".into(),
        "\"__Host-vincula\"".into(),
        "$__Host-vincula".into(),
        "__Host-vincula[]".into(),
        "x=__Host-vincula".into(),
    ];
    names.map(|name| (format!("named {name}"), line(format!("{name}={value}")), Nobody)).into()
}

/// Our own cookie, beside others.
fn beside_others(own: &str) -> Vec<(String, Lines, Seen)> {
    let bytes = |before: &[u8], after: &[u8]| line([before, own.as_bytes(), after].concat());
    let rows: [(&str, Lines); 14] = [
        ("by itself", line(own)),
        ("behind a name with an accent", bytes("nome=José; ".as_bytes(), b"")),
        ("before a name with an accent", bytes(b"", "; nome=José".as_bytes())),
        ("behind bytes that are no UTF-8", bytes(b"nome=Jos\xe9; ", b"")),
        ("before bytes that are no UTF-8", bytes(b"", b"; \xff\xfe=\x80")),
        ("behind 40 others", bytes("a=b; ".repeat(40).as_bytes(), b"")),
        ("behind 4 kB of another", bytes(format!("a={}; ", "b".repeat(4_000)).as_bytes(), b"")),
        ("behind empty pairs", bytes(b"; ;;; =; ", b";;")),
        ("behind one without a value", bytes(b"a; ", b"; b")),
        ("behind one in quotes", bytes(b"a=\"b; c\"; ", b"")),
        ("behind one that is no encoding", bytes(b"a=%zz; %=%; ", b"")),
        ("without a blank", bytes(b"a=b;", b";c=d")),
        ("on a line of its own", vec![b"a=b".to_vec(), own.into()]),
        ("behind a planted name", bytes(b"__Host%2dvincula=x; ", b"")),
    ];
    rows.map(|(name, lines)| (name.to_owned(), lines, Owner)).into()
}

/// Values that were changed after sealing, or never sealed.
fn broken(own: &str, value: &str) -> Vec<(String, Lines, Seen)> {
    let name = &own[..own.len() - value.len() - 1];
    let (start, end) = value.split_at(value.len() / 2);
    let changed = |at: usize| {
        let other = if value.as_bytes()[at] == b'A' { "B" } else { "A" };
        format!("{}{other}{}", &value[..at], &value[at + 1..])
    };
    let values = [
        ("empty", String::new()),
        ("cut short", start.into()),
        ("without its start", end.into()),
        ("turned round", format!("{end}{start}")),
        ("twice in one", format!("{value}{value}")),
        ("longer", format!("{value}AAAA")),
        ("changed at its start", changed(0)),
        ("changed in the middle", changed(value.len() / 2)),
        ("encoded once more", value.replace('%', "%25")),
        ("all else encoded, wrongly", format!("%zz{value}")),
        ("with a zero byte", format!("{value}%00")),
        ("8 kB", "A".repeat(8_000)),
        ("plain JSON", "{\"t\":\"abc\",\"at\":99999999999}".into()),
        ("a list of percent signs", "%".repeat(100)),
    ];
    values.map(|(what, value)| (what.to_owned(), line(format!("{name}={value}")), Nobody)).into()
}

/// Sealed with another key, or expired.
fn foreign(target: &mut Target) -> Vec<(String, Lines, Seen)> {
    let own = target.app.cookie.clone();
    let keys: String = (0..64).map(|byte| format!("{:02x}", byte * 3 + 1)).collect();
    let base = target.app.upstream.base();
    let options = ["vincula", "--widget-api-url", &base, "--session-keys", &keys, "--trusted-proxies", "none"];
    let config = Config::try_parse_from(options).unwrap().check().unwrap();
    let another = AppState::new(&config, &site::site(), None).unwrap().codec.clone();
    let sealed = another.seal(&target.app.session().unwrap()).unwrap();
    let of_another = sealed.to_str().unwrap().split(';').next().unwrap().to_owned();
    target.app.idle_for(2 * 60 * 60 + 60);
    let idle = target.cookie();
    target.app.cookie = own;
    vec![("of another key".into(), line(of_another), Nobody), ("idle for too long".into(), line(idle), Nobody)]
}

/// Two valid sessions at once: the server cannot know whose browser it is.
fn two(own: &str, other: &str) -> Vec<(String, Lines, Seen)> {
    vec![
        ("another session before".into(), line(format!("{other}; {own}")), Nobody),
        ("another session behind".into(), line(format!("{own}; {other}")), Nobody),
        ("another session on a line before".into(), vec![other.into(), own.into()], Nobody),
        ("another session on a line behind".into(), vec![own.into(), other.into()], Nobody),
        ("another session among others".into(), line(format!("a=b; {own}; c=d; {other}; e=f")), Nobody),
    ]
}

#[tokio::test]
async fn only_our_own_cookie_is_a_session() {
    let mut app = TestApp::consented(json!({})).await;
    let own = app.cookie.take();
    app.upstream.on("validate-token", Act::data(&profile(json!({ "client_name": OTHER }))));
    assert_eq!(app.validate("?token=of-the-sibling-site").await.status, 200);
    let other = std::mem::replace(&mut app.cookie, own);
    let mut target = Target::of(app).await;
    let (own, value) = (target.cookie(), target.app.cookie.clone().unwrap());
    let other = format!("{}={}", target.app.codec.name(), other.unwrap());
    let cases = [planted(&value), beside_others(&own), broken(&own, &value), foreign(&mut target), two(&own, &other)];
    let mut area = Area::begin("cookies");
    for (name, lines, seen) in cases.into_iter().flatten() {
        let with = |ask: Ask| lines.iter().fold(ask, |ask, line| ask.with("cookie", line.clone()));
        let page = target.ask(&with(Ask::get("/integration/accounts"))).await;
        let action = target.action("save_bank_form", bank_form()).without("cookie");
        let acted = target.ask(&with(action)).await;
        let mut violations = Violations::default();
        let to = page.header("location").map(|to| to.into_owned());
        let shown = (page.status, page.holds(CLIENT), to.as_deref());
        let is_so = match seen {
            Owner => shown == (200, true, None),
            // To the entry, or to the error screen about two sessions.
            Nobody => matches!(shown, (303, false, Some(to)) if to == "/" || to.starts_with("/error/")),
        };
        violations.check(is_so, format_args!("{shown:?} where {seen:?} is to be seen"));
        violations.check((acted.status == 200) == (seen == Owner), format_args!("the action is {}", acted.status));
        violations.check(!page.holds(OTHER), "shows the client of the sibling site");
        violations.check_common(&page);
        violations.check_common(&acted);
        if seen == Nobody {
            violations.check_no_cookie(&page);
            violations.check_no_cookie(&acted);
        }
        violations.check_no_upstream_call(&target);
        area.case(name, violations);
    }
    area.finish();
}
