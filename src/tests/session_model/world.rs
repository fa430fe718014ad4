//! One sequence: the browser that all its tabs share, and its requests.

use std::{collections::HashSet, net::SocketAddr};

use axum::{
    body::Body,
    extract::ConnectInfo,
    http::{
        Request,
        header::{COOKIE, HOST},
    },
};
use serde_json::{Value, json};
use tower::ServiceExt;
use vincula_testing::Received;

use super::{
    CallResult, LINKS, NEW, Step, TABS, UPDATE,
    truth::{Broken, Truth, name_of},
};
use crate::tests::{
    Act, Answer, HOST_NAME, ITEM, Jar, LINK_ID, OWN, TestApp, bank_form, json_request, profile,
};

/// One sequence: a browser, and the model's state.
pub struct World<'a> {
    app: &'a TestApp,
    number: u32,
    jar: Jar,
    /// The link that was opened last.
    current: Option<usize>,
    tabs: [Option<Shown>; TABS],
    /// The items that the browser keeps, and those that the widget API has, each with its link.
    kept: Vec<(usize, String)>,
    accepted: Vec<(usize, String)>,
    truth: [Truth; LINKS],
}

/// The page in a tab.
#[derive(Debug, Clone)]
struct Shown {
    link: usize,
    session: String,
    page: String,
    /// Connect is open, and will report this item.
    item: Option<String>,
}

/// An action of a page.
struct Action {
    name: &'static str,
    /// The call of the widget API that may fail; empty for none.
    call: &'static str,
    input: Value,
}

impl Action {
    fn new(name: &'static str, call: &'static str) -> Self {
        Self {
            name,
            call,
            input: json!({}),
        }
    }
}

impl<'a> World<'a> {
    pub fn new(app: &'a TestApp, number: u32) -> Self {
        let world = Self {
            app,
            number,
            jar: Jar::default(),
            current: None,
            tabs: Default::default(),
            kept: Vec::new(),
            accepted: Vec::new(),
            truth: Default::default(),
        };
        let changes = [
            json!({}),
            json!({ "link_id": LINK_ID }),
            json!({ "widget_type": "update", "link_id": ITEM }),
        ];
        for (link, mut changes) in changes.into_iter().enumerate() {
            changes["client_name"] = name_of(link).into();
            let data = Act::data(&profile(changes));
            let token = world.token(link);
            app.upstream.on_for(&token, "validate-token", data);
            world.list_accounts_well(link);
        }
        world
    }

    fn list_accounts_well(&self, link: usize) {
        let accounts =
            json!([{ "bank": "B", "agency": "1", "number": "2", "name": name_of(link) }]);
        self.app
            .upstream
            .on_for(&self.token(link), "list-accounts", Act::data(&accounts));
    }

    pub async fn take(&mut self, step: Step) -> Result<(), Broken> {
        match step {
            Step::Open { tab, link } => {
                let query = format!("?token={}", self.token(link));
                self.enter(tab, link, &query, None).await
            }
            Step::Return {
                tab,
                link: Some(link),
            } => {
                let query = format!("?token={}&of-success", self.token(link));
                self.enter(tab, link, &query, Some(true)).await
            }
            Step::Return { tab, link: None } => {
                let Some(link) = self.held() else {
                    return Ok(());
                };
                let counts = self.truth[link].opened || self.truth[link].returned;
                self.enter(tab, link, "?of-success", Some(counts)).await
            }
            Step::Act { tab, result } => self.act(tab, result).await,
            Step::Cancel { tab, result } => {
                let action = Action::new("cancel_integrations", "cancel-integrations");
                self.send_action(tab, action, result).await
            }
            Step::Close { tab, result } => match &self.tabs[tab] {
                Some(shown) if shown.page == "connect" => {
                    let action = Action::new("close_connect", "");
                    self.send_action(tab, action, result).await
                }
                _ => Ok(()),
            },
            Step::Again { tab, result } => self.submit_again(tab, result).await,
            Step::Look { tab, page } if self.held().is_some() => self.go(tab, page).await,
            Step::Look { .. } => Ok(()),
        }
    }

    /// The entry posts its link. `returns`: for a return from the bank, whether it counts as a
    /// success.
    async fn enter(
        &mut self,
        tab: usize,
        link: usize,
        query: &str,
        returns: Option<bool>,
    ) -> Result<(), Broken> {
        let begins = self.held() != Some(link);
        let body = json!({ "input": { "query": query } });
        let answer = self.send(json_request("/api/validate_token", &body)).await;
        assert_eq!(answer.status, 200);
        self.keep(&answer);
        self.current = Some(link);
        let truth = &mut self.truth[link];
        if begins {
            truth.begin();
        }
        if let Some(counts) = returns {
            truth.come_back(link, counts);
        }
        self.follow(tab, &answer).await
    }

    /// Does what the tab's page is for.
    async fn act(&mut self, tab: usize, result: CallResult) -> Result<(), Broken> {
        let Some(shown) = &self.tabs[tab] else {
            return Ok(());
        };
        let action = match (&*shown.page, &shown.item) {
            ("consent", _) => Action::new("accept_consent", "authorize-customer"),
            ("bank-form", _) => Action {
                input: bank_form(),
                ..Action::new("save_bank_form", "")
            },
            ("connect", None) => Action::new("open_connect", "connect-token"),
            ("connect", Some(item)) => {
                let again = self.kept.contains(&(shown.link, item.clone()));
                submission(shown.link, item, again)
            }
            ("success", _) => Action::new("confirm_success", "success"),
            ("cancel-confirm", _) => Action::new("cancel_integrations", "cancel-integrations"),
            ("accounts", _) => Action::new("list_accounts", "list-accounts"),
            _ => return Ok(()),
        };
        self.send_action(tab, action, result).await
    }

    /// A page of the link submits an item that the browser keeps.
    async fn submit_again(&mut self, tab: usize, result: CallResult) -> Result<(), Broken> {
        let Some(link) = self.tabs[tab].as_ref().map(|shown| shown.link) else {
            return Ok(());
        };
        match self.kept_item(link) {
            Some(item) => {
                self.send_action(tab, submission(link, &item, true), result)
                    .await
            }
            None => Ok(()),
        }
    }

    /// Sends an action of the tab's page, and checks calls and response.
    async fn send_action(
        &mut self,
        tab: usize,
        Action {
            name,
            call,
            mut input,
        }: Action,
        result: CallResult,
    ) -> Result<(), Broken> {
        let Some(shown) = self.tabs[tab].clone() else {
            return Ok(());
        };
        let is_own = self.current == Some(shown.link);
        let token = self.token(shown.link);
        let item = input["itemId"].as_str().map(str::to_owned);
        let again = input["again"] == true;
        let fails = result == CallResult::Fails && !call.is_empty();
        if fails {
            let outage = Act::error(500, "out of order");
            self.app.upstream.on_for(&token, call, outage);
        }
        input["session"] = shown.session.clone().into();
        let body = json!({ "input": input });
        let before = self.app.upstream.calls().len();
        let answer = self
            .send(json_request(&format!("/api/{name}"), &body))
            .await;
        let calls = self.app.upstream.calls().split_off(before);
        if fails {
            self.app.upstream.recover_for(&token, call);
            self.list_accounts_well(shown.link);
        }
        self.check_calls(&calls, &shown, again)?;
        let refused = answer.status == 401 || answer.text.contains("other_tab");
        match (is_own, refused) {
            (true, true) => return Err(Broken::OwnLinkRefused),
            (false, false) => return Err(Broken::OldLinkActs),
            _ => {}
        }
        if let Some(item) = &item {
            self.keep_item(shown.link, item, &answer, result);
        }
        if result == CallResult::Lost {
            return Ok(());
        }
        self.keep(&answer);
        if answer.status != 200 {
            return Ok(());
        }
        if name == "list_accounts" {
            check_writes_nothing(&answer)?;
            if !answer.text.contains(&name_of(shown.link)) {
                return Err(Broken::ShowsAnother);
            }
        }
        self.note(&shown, name, item, &answer, &calls)?;
        if name == "open_connect" {
            let item = self.new_item(shown.link);
            if let Some(shown) = &mut self.tabs[tab] {
                shown.item.get_or_insert(item);
            }
        }
        self.follow(tab, &answer).await
    }

    /// Updates the model after a successful action, and compares.
    fn note(
        &mut self,
        shown: &Shown,
        action: &str,
        item: Option<String>,
        answer: &Answer,
        calls: &[Received],
    ) -> Result<(), Broken> {
        let truth = &mut self.truth[shown.link];
        match action {
            "accept_consent" => truth.consented = true,
            "save_bank_form" => truth.choose(),
            "open_connect" => truth.open(),
            "close_connect" => truth.close(),
            "finish_connect" => {
                let is_late = answer.json()["to"] == "/cancel/success";
                if is_late != (truth.ended && !truth.consented) {
                    return Err(Broken::FalselyLinked);
                }
                if let Some(item) = item.filter(|_| !is_late) {
                    truth.link(item, answer.json()["item"] == "accepted");
                }
            }
            "confirm_success" => {
                let told = calls
                    .iter()
                    .filter(|call| call.line == "POST /success")
                    .count();
                match (truth.due, told) {
                    (true, 0) => return Err(Broken::NeverTold),
                    (true, 1) | (false, 0) => {}
                    _ => return Err(Broken::ToldTwice),
                }
                truth.due = false;
            }
            "cancel_integrations" => truth.cancel(),
            _ => {}
        }
        Ok(())
    }

    /// The browser keeps an item until a response says that the widget API has it.
    fn keep_item(&mut self, link: usize, item: &str, answer: &Answer, result: CallResult) {
        let kept = (link, item.to_owned());
        let is_accepted = answer.status == 200 && answer.json()["item"] == "accepted";
        if is_accepted && result != CallResult::Lost {
            self.kept.retain(|other| *other != kept);
            self.accepted.push(kept);
        } else if !self.kept.contains(&kept) && !self.accepted.contains(&kept) {
            self.kept.push(kept);
        }
    }

    /// Checks that the calls are of the page's link, that an older link makes none, and that
    /// Connect has a consent. An item that is submitted `again` was linked under an earlier one.
    fn check_calls(&self, calls: &[Received], shown: &Shown, again: bool) -> Result<(), Broken> {
        let truth = &self.truth[shown.link];
        let may_connect = truth.consented || ((shown.link == UPDATE || again) && !truth.ended);
        // Some log calls run in the background.
        for call in calls.iter().filter(|call| call.line != "POST /log") {
            if call.token() != Some(&self.token(shown.link)) {
                return Err(Broken::ActsOnAnother);
            }
            if self.current != Some(shown.link) {
                return Err(Broken::OldLinkActs);
            }
            let is_connect = matches!(
                &*call.line,
                "POST /connect-token" | "PUT /update-link-account"
            );
            if is_connect && !may_connect {
                return Err(Broken::WithoutConsent);
            }
        }
        Ok(())
    }

    /// The tab goes where a response leads, if it leads somewhere.
    async fn follow(&mut self, tab: usize, answer: &Answer) -> Result<(), Broken> {
        match answer.json()["to"].as_str() {
            Some(to) => self.go(tab, to).await,
            None => Ok(()),
        }
    }

    /// The tab opens a page, following redirects, and the page must agree with the model.
    async fn go(&mut self, tab: usize, path: &str) -> Result<(), Broken> {
        self.tabs[tab] = None;
        let mut at = path.to_owned();
        for _ in 0..5 {
            let request = Request::get(&at).header(OWN.0, OWN.1);
            let answer = self.send(request.body(Body::empty()).unwrap()).await;
            check_writes_nothing(&answer)?;
            match answer.location() {
                Some(to) => at = to.to_owned(),
                None => return self.show(tab, &answer),
            }
        }
        panic!("{path} leads around in circles")
    }

    fn show(&mut self, tab: usize, answer: &Answer) -> Result<(), Broken> {
        let page = answer.page().unwrap_or_default().to_owned();
        if matches!(&*page, "error" | "entry" | "not-found") {
            return Err(Broken::SessionLost);
        }
        let link = self.current.ok_or(Broken::ShowsAnother)?;
        let truth = &mut self.truth[link];
        match &*page {
            "cancel-success" if !truth.cancelled => return Err(Broken::FalselyCancelled),
            "success" if !truth.linked => return Err(Broken::FalselyLinked),
            "cancel-success" => return Ok(()),
            _ => {}
        }
        let context = answer.context();
        if context["clientName"] != name_of(link) {
            return Err(Broken::ShowsAnother);
        }
        let session = context["session"].as_str().unwrap_or_default().to_owned();
        if *truth.id.get_or_insert_with(|| session.clone()) != session {
            return Err(Broken::TwoSessions);
        }
        if page == "accounts" {
            let is_due = link == UPDATE && !truth.renewed && !truth.ended;
            let is_cancelled = truth.ended && !truth.consented;
            let says = (
                &context["authorized"],
                context["cancelled"] == true,
                &context["renewalDue"],
            );
            if says != (&json!(truth.consented), is_cancelled, &json!(is_due)) {
                return Err(Broken::AccountsUntrue);
            }
        }
        self.tabs[tab] = Some(Shown {
            link,
            session,
            page,
            item: None,
        });
        Ok(())
    }

    /// The browser submits the items that it keeps for the newest link. Then the widget API must
    /// have each.
    pub async fn end(mut self) -> Result<(), Broken> {
        if let (Some(link), Some(session)) = (self.current, self.session_id()) {
            while let Some(item) = self.kept_item(link) {
                let mut input = submission(link, &item, true).input;
                input["session"] = session.clone().into();
                let body = json!({ "input": input });
                let answer = self.send(json_request("/api/finish_connect", &body)).await;
                if answer.json()["item"] != "accepted" {
                    return Err(Broken::Item);
                }
                self.keep(&answer);
                self.keep_item(link, &item, &answer, CallResult::Succeeds);
            }
        }
        self.app.state.upstream.drain().await;
        let mut logged = HashSet::new();
        let mut updated = HashSet::new();
        for call in self.app.upstream.calls() {
            let Some(link) = call.token().and_then(|token| self.link_of(token)) else {
                continue;
            };
            if call.body["type"] == "pluggy-widget-success" {
                let data = call.data_log();
                logged.insert((link, data["item"]["id"].as_str().unwrap().to_owned()));
            }
            if call.line == "PUT /update-link-account" {
                updated.insert((link, call.body["link"].as_str().unwrap().to_owned()));
            }
        }
        let has_all = self.accepted.iter().all(|item| logged.contains(item));
        let is_updated = self.truth.iter().enumerate().all(|(link, truth)| {
            let mut items = truth.items.iter();
            link == NEW || items.all(|item| updated.contains(&(link, item.clone())))
        });
        if has_all && is_updated {
            Ok(())
        } else {
            Err(Broken::Item)
        }
    }

    /// Sends a request with the jar's cookie.
    async fn send(&self, mut request: Request<Body>) -> Answer {
        let headers = request.headers_mut();
        headers.insert(HOST, HOST_NAME.parse().unwrap());
        if let Some(cookies) = self.jar.header(&self.app.state.codec) {
            headers.insert(COOKIE, cookies);
        }
        // Each sequence has its own client address, because limits are tested elsewhere.
        let address = SocketAddr::from(((0x0a00_0000 + self.number).to_be_bytes(), 1));
        request.extensions_mut().insert(ConnectInfo(address));
        let response = self.app.router.clone().oneshot(request).await.unwrap();
        let answer = Answer::of(response).await;
        assert!(
            !matches!(answer.status, 429 | 503),
            "no limit plays a part here: {answer:?}"
        );
        answer
    }

    fn keep(&mut self, answer: &Answer) {
        self.jar.keep(answer, &self.app.state.codec);
    }

    fn session_id(&self) -> Option<String> {
        Some(self.jar.session(&self.app.state.codec)?.id)
    }

    /// The link whose session the jar holds.
    fn held(&self) -> Option<usize> {
        let session = self.jar.session(&self.app.state.codec)?;
        self.link_of(session.token.expose())
    }

    fn token(&self, link: usize) -> String {
        format!("link-{link}-of-{}", self.number)
    }

    fn link_of(&self, token: &str) -> Option<usize> {
        (0..LINKS).find(|link| self.token(*link) == token)
    }

    /// The oldest item that the browser keeps for a link.
    fn kept_item(&self, link: usize) -> Option<String> {
        let kept = self.kept.iter().find(|(of, _)| *of == link);
        kept.map(|(_, item)| item.clone())
    }

    /// The item that Connect reports in this opening. An update renews the same item each time.
    fn new_item(&self, link: usize) -> String {
        if link == UPDATE {
            ITEM.to_owned()
        } else {
            format!("item-{link}-{}-{}", self.number, self.truth[link].openings)
        }
    }
}

/// Checks that a response writes no session.
fn check_writes_nothing(answer: &Answer) -> Result<(), Broken> {
    match answer.header_of("set-cookie") {
        None => Ok(()),
        Some(_) => Err(Broken::WritesSession),
    }
}

fn submission(link: usize, item: &str, again: bool) -> Action {
    let call = if link == NEW {
        "log"
    } else {
        "update-link-account"
    };
    Action {
        input: json!({ "itemId": item, "again": again }),
        ..Action::new("finish_connect", call)
    }
}
