//! The account that was linked last, on the accounts screen and the success screen.

use serde_json::{Value, json};

use crate::session::{Linking, Session};
use crate::tests::{ITEM, TestApp, bank_form, item, update};

const AWAITS: &str = "Falta o outro responsável aprovar no aplicativo do banco.";

/// Bank and state of the account in the context of the accounts.
async fn linking(app: &mut TestApp) -> Option<(String, bool)> {
    let context = app.get("/integration/accounts").await.context();
    let linking = &context["linking"];
    let bank = linking["bank"].as_str()?.to_owned();
    Some((bank, linking["waitsForApproval"].as_bool().unwrap()))
}

#[tokio::test]
async fn accounts_name_the_account_that_was_linked_last() {
    let mut app = TestApp::chosen(json!({})).await;
    assert_eq!(linking(&mut app).await, None);
    app.link_another(bank_form(), "an-item").await;
    assert_eq!(linking(&mut app).await, Some(("Nubank".to_owned(), false)));
    let page = app.get("/integration/accounts").await;
    page.assert_shows(&[
        "Você conectou Nubank às ",
        "A conta aparece na lista em até 5 minutos.",
    ]);
    app.cancel().await;
    assert_eq!(linking(&mut app).await, None);

    let mut app = TestApp::entered(update()).await;
    app.done("open_connect", json!({})).await;
    app.finish().await;
    assert_eq!(linking(&mut app).await, None, "it is on the list already");
}

/// A pending approval is named as long as the session lives.
#[tokio::test]
async fn accounts_name_it_for_ten_minutes() {
    for (waits_for_approval, age, is_shown) in [
        (false, 599, true),
        (false, 601, false),
        (true, 601, true),
        (true, 14_000, true),
    ] {
        let mut app = TestApp::linked(json!({})).await;
        let session = app.session().unwrap();
        let linking = Linking {
            at: app.state.codec.now() - age,
            awaits_approval: waits_for_approval,
            ..session.linking.clone().unwrap()
        };
        app.hold(&Session {
            linking: Some(linking),
            ..session
        });
        let shown = app.get("/integration/accounts").await.shown();
        let line = if waits_for_approval {
            "Você autorizou Nubank às "
        } else {
            "Você conectou Nubank às "
        };
        assert_eq!(shown.contains(line), is_shown, "{age}");
        assert_eq!(shown.contains(AWAITS), waits_for_approval && is_shown);
    }
}

/// Each report has its own bank and its own time, whatever the session knows of other banks then.
#[tokio::test]
async fn linking_has_the_bank_and_the_time_of_its_item() {
    const NOW_ISH: u64 = 60;
    for kind in ["success", "pending"] {
        let mut app = TestApp::opened(json!({})).await;
        let other = json!({ "bank": "237", "bankName": "Bradesco", "name": "Bia Lima", "cpf": "111.444.777-35" });
        app.done("save_bank_form", other).await;
        app.done("open_connect", json!({})).await;
        let mut item = item(ITEM);
        item["kind"] = kind.into();
        item["waits"] = (kind == "pending").into();
        item["ageSecs"] = 120.into();
        app.done("finish_connect", item).await;
        let linked = app.session().unwrap().linking.unwrap();
        assert_eq!(linked.bank, "Nubank", "{kind}");
        let age = app.state.codec.now() - linked.at;
        assert!((120..120 + NOW_ISH).contains(&age), "{kind}: {age}");
    }
}

/// Another bank that is opened and closed afterwards changes nothing of it.
#[tokio::test]
async fn pending_approval_keeps_its_bank() {
    let mut app = TestApp::opened(json!({})).await;
    app.await_approval().await;
    app.done("close_connect", json!({})).await;
    let nubank = Some(("Nubank".to_owned(), true));
    assert_eq!(linking(&mut app).await, nubank);
    let page = app.get("/integration/accounts").await;
    page.assert_shows(&[AWAITS]);
    page.assert_lacks(&["não foi concluída"]);
    let other = json!({ "bank": "237", "bankName": "Bradesco", "name": "Bia Lima", "cpf": "111.444.777-35" });
    app.done("save_bank_form", other).await;
    app.done("open_connect", json!({})).await;
    app.done("close_connect", json!({})).await;
    assert_eq!(linking(&mut app).await, nubank);
    app.get("/integration/accounts")
        .await
        .assert_shows(&["A conexão com Bradesco não foi concluída."]);
}

/// The bank has sent the client to another tab than the one in which Connect reports the account.
#[tokio::test]
async fn account_reported_after_return_waits_only_if_connect_says_so() {
    for waits in [false, true] {
        let mut app = TestApp::opened(json!({})).await;
        app.validate("?of-success").await;
        let mut item = item(ITEM);
        item["waits"] = waits.into();
        app.done("finish_connect", item).await;
        assert_eq!(linking(&mut app).await, Some(("Nubank".to_owned(), waits)));
    }
}

/// With other codes than Connect's, the client chooses the bank again there.
#[tokio::test]
async fn return_names_the_bank_only_if_connect_opened_it() {
    for (codes, bank) in [("compe", ""), ("connector", "Nubank")] {
        let app = TestApp::opened(json!({})).await;
        let mut app = app.restarted(&["--bank-codes", codes]);
        app.validate("?of-success").await;
        assert_eq!(linking(&mut app).await, Some((bank.to_owned(), false)));
    }
}

/// The context has nothing of the linking but what the screens show.
#[tokio::test]
async fn context_has_no_item() {
    let mut app = TestApp::linked(json!({})).await;
    let page = app.get("/integration/accounts").await;
    page.assert_lacks(&[ITEM]);
    let Value::Object(linking) = page.context()["linking"].clone() else {
        panic!("an account was linked");
    };
    let mut names: Vec<_> = linking.keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(names, ["bank", "shownSecs", "time", "waitsForApproval"]);
}
