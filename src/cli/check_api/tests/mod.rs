//! `check-api` over real HTTP: the sandbox passes, and each of many faulty APIs is caught by name.

mod broken;
mod faults;

use clap::Parser;
use tokio::time::Instant;

use self::broken::{Broken, Fault};
use super::{report::Finding, verdict::Exchange, *};
use crate::cli::Cli;

/// An update link with an account, and a cancel link.
const TOKEN: &str = "demo-atualizar.privado";
const CANCEL_TOKEN: &str = "demo-cancelar.privado";

/// Values that no report may contain: tokens and the sandbox's personal data.
const PERSONAL: [&str; 9] = [
    "privado",
    "demo-",
    "Boa Vista",
    "Bom Jesus",
    "Contábil",
    "73940582000160",
    "95162704000177",
    "12345-6",
    "0405-X",
];

fn link_token(text: &str) -> LinkToken {
    token(text).unwrap()
}

fn options(url: &str, write: bool) -> Options {
    Options {
        url: url.parse().unwrap(),
        token: link_token(TOKEN),
        expired_token: Some(link_token("demo-expirado")),
        cancel_token: Some(link_token(CANCEL_TOKEN)),
        write,
        timeout: 60,
    }
}

fn bad(report: &Report) -> Vec<&Finding> {
    report
        .findings
        .iter()
        .filter(|finding| finding.level != Level::Good)
        .collect()
}

#[tokio::test]
async fn sandbox_passes() {
    let api = Broken::start(Fault::None).await;
    let report = check(&options(&api.url, true)).await.unwrap();
    assert!(bad(&report).is_empty(), "{}", report.text());
    let waits = Options {
        token: link_token("demo-aguardando.privado"),
        ..options(&api.url, false)
    };
    let waits = check(&waits).await.unwrap();
    assert_eq!(
        (waits.count(Level::Warning), waits.count(Level::Failure)),
        (0, 0),
        "{}",
        waits.text()
    );
    for &call in vincula_upstream::Call::ALL {
        let tried = |finding: &&Finding| finding.call == call.path() && finding.name == "answer";
        assert!(
            report.findings.iter().any(|finding| tried(&finding)),
            "{call:?}: {}",
            report.text()
        );
    }
}

#[tokio::test]
async fn makes_only_reading_calls_without_write() {
    let api = Broken::start(Fault::None).await;
    let report = check(&options(&api.url, false)).await.unwrap();
    assert!(report.is_good(), "{}", report.text());
    let text = report.text();
    assert!(
        text.contains("\nPOST /validate-token\n  ✓ answer "),
        "{text}"
    );
    assert!(
        text.ends_with(" ok, 0 warnings, 0 failures, 2 not tried\n"),
        "{text}"
    );
    let mut calls = api.calls();
    calls.sort_unstable();
    calls.dedup();
    assert_eq!(
        calls,
        [
            "GET list-accounts",
            "GET list-banks",
            "HEAD ",
            "POST validate-token"
        ]
    );
}

#[tokio::test]
async fn cancellation_and_expired_link_need_tokens_of_their_own() {
    let api = Broken::start(Fault::None).await;
    let report = check(&Options {
        expired_token: None,
        cancel_token: None,
        ..options(&api.url, true)
    })
    .await
    .unwrap();
    assert!(report.is_good(), "{}", report.text());
    for variable in ["CHECK_API_EXPIRED_TOKEN", "CHECK_API_CANCEL_TOKEN"] {
        assert!(report.text().contains(variable), "{}", report.text());
    }
    assert!(
        !api.calls().iter().any(|call| call.contains("cancel")),
        "{:?}",
        api.calls()
    );
}

#[tokio::test]
async fn reports_unreachable_api() {
    let report = check(&options("https://127.0.0.1:9", true)).await.unwrap();
    let [reach, rest] = &report.findings[..] else {
        panic!("{}", report.text())
    };
    assert!(
        reach.level == Level::Failure && reach.name == "reach",
        "{reach:?}"
    );
    assert!(
        reach.seen.contains("refused") && rest.level == Level::NotTried,
        "{}",
        report.text()
    );
    let plain = Broken::start(Fault::None).await;
    let report = check(&options(&plain.url.replace("http:", "https:"), true))
        .await
        .unwrap();
    assert!(
        report.findings[0].name == "reach" && report.findings[0].seen.contains("is it http://"),
        "{}",
        report.text()
    );
}

#[tokio::test(start_paused = true)]
async fn gives_up_on_address_that_never_responds() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let begun = Instant::now();
    let report = check(&Options {
        timeout: 1,
        ..options(&url, true)
    })
    .await
    .unwrap();
    assert_eq!(
        (report.findings[0].name, report.is_good()),
        ("reach", false)
    );
    assert_eq!(begun.elapsed().as_secs(), 1);
}

/// Calls have the same headers as those of the product.
#[tokio::test]
async fn findings_name_id_of_their_call() {
    let api = Broken::start(Fault::After(|ask, reply| {
        let has_id = ask.headers.contains_key("x-request-id");
        if ask.call == "list-banks" && (!has_id || ask.nth == 4) {
            reply.refuse(400, "the last one, or one without an id");
        }
    }))
    .await;
    let report = check(&options(&api.url, false)).await.unwrap();
    let named: Vec<_> = bad(&report)
        .into_iter()
        .filter_map(|finding| finding.request_id.clone())
        .collect();
    assert_eq!((named.len(), named[0].len()), (1, 12), "{}", report.text());
    assert!(
        report
            .text()
            .contains(&format!("(X-Request-Id {})", named[0]))
    );
    assert!(
        report
            .findings
            .iter()
            .all(|finding| finding.level != Level::Good || finding.request_id.is_none())
    );
}

#[tokio::test(start_paused = true)]
async fn stops_after_call_without_response() {
    let api = Broken::start(Fault::Hang("validate-token")).await;
    let report = check(&Options {
        timeout: 1,
        expired_token: None,
        ..options(&api.url, true)
    })
    .await
    .unwrap();
    assert_eq!(bad(&report)[0].name, "timeout", "{}", report.text());
    assert!(
        api.calls()
            .iter()
            .all(|call| matches!(call.as_str(), "HEAD " | "POST validate-token"))
    );
}

#[test]
fn rejects_invalid_token_without_showing_it() {
    for (value, problem) in [
        ("segredo é", "no token: expected visible ASCII"),
        (
            "https://vincula.example/?token=segredo",
            "a link: expected what follows token= in it",
        ),
    ] {
        for option in ["--token", "--expired-token", "--cancel-token"] {
            let rest = if option == "--token" {
                vec![]
            } else {
                vec!["--token", TOKEN]
            };
            let line = [
                &["vincula", "check-api", "http://127.0.0.1:9", option, value][..],
                &rest,
            ]
            .concat();
            let error = Cli::try_parse_from(line).unwrap_err().to_string();
            assert!(
                error.contains(option) && error.contains(problem) && !error.contains("segredo"),
                "{error}"
            );
        }
    }
}

#[test]
fn slow_response_is_a_warning() {
    let exchange = |took| Exchange {
        call: ListBanks,
        error: None,
        response: vincula_upstream::Observed::default(),
        json: serde_json::Value::Null,
        took: Duration::from_secs(took),
        xsrf: vincula_upstream::XsrfChange::None,
        had_xsrf: false,
    };
    assert_eq!(exchange(2).unusual(), []);
    assert!(
        matches!(&exchange(3).unusual()[..], [(Level::Warning, "time", seen)] if seen.starts_with("3000 ms"))
    );
}

/// The report stays readable for every response of the API.
#[tokio::test]
async fn list_with_many_findings_makes_short_report() {
    let api = Broken::start(Fault::After(|ask, reply| {
        if ask.call == "list-accounts" && reply.is_good() {
            reply.json(|body| {
                let good = body["data"][0].clone();
                let row = |at: usize| {
                    let mut row = good.clone();
                    row[format!("field-{}", "a".repeat(at % 30)) + ["x", "y"][at % 2]] = 1.into();
                    row
                };
                let mut rows: Vec<_> = (0..300).map(row).collect();
                rows.push(
                    serde_json::json!({ "bank": {}, "agency": null, "number": "1", "name": "x" }),
                );
                body["data"] = rows.into();
            });
        }
    }))
    .await;
    let report = check(&options(&api.url, false)).await.unwrap();
    let of_list: Vec<_> = bad(&report)
        .into_iter()
        .filter(|finding| finding.name == "fields")
        .collect();
    assert!((3..=22).contains(&of_list.len()), "{}", report.text());
    assert!(of_list.iter().any(
        |finding| finding.level == Level::Failure && finding.seen.contains("bank is an object")
    ));
    let last = &of_list[of_list.len() - 1];
    assert!(last.seen.ends_with("further problems in rows"), "{last:?}");
}
