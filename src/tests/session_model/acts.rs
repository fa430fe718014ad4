//! The steps of a person.

use axum::{body::Body, http::Request};
use serde_json::{Value, json};

use super::{
    steps::{How, NEW, PAGES, READING, Step},
    truth::{Broken, name_of},
    world::{Flight, Shown, World},
};
use crate::tests::{Act, Answer, FORM, OWN, bank_form, json_request};

impl World<'_> {
    pub async fn take(&mut self, step: Step) -> Result<(), Broken> {
        match step {
            Step::Open { tab, link, late } => {
                let query = format!("?token={}", self.token(link));
                self.validate(tab, link, "open", &query, late).await
            }
            Step::Return {
                tab,
                link,
                named: true,
                late,
            } => {
                let query = format!("?token={}&of-success", self.token(link));
                self.validate(tab, link, "return", &query, late).await
            }
            Step::Return {
                tab,
                named: false,
                late,
                ..
            } => self.come_back(tab, late).await,
            Step::Act { tab, how } => self.act(tab, how).await,
            Step::Cancel { tab, how, native } => self.cancel(tab, how, native).await,
            Step::Ask { tab, action, late } => self.ask(tab, READING[action], late).await,
            Step::Close { tab, how } => self.close(tab, how).await,
            Step::Again { tab, how } => self.submit_again(tab, how).await,
            Step::Look { tab, page } if self.jar.session.is_some() => {
                self.go(tab, PAGES[page]).await
            }
            Step::Look { .. } => Ok(()),
            Step::Sent {
                tab,
                page: None,
                late,
            } => self.come_back(tab, late).await,
            Step::Sent {
                tab,
                page: Some(page),
                ..
            } if self.jar.session.is_some() => {
                let before = self.state_of_jar();
                self.go_from(tab, PAGES[page], "cross-site").await?;
                self.check_unchanged(&before)
            }
            Step::Sent { .. } => Ok(()),
            Step::Arrive { which } if !self.flights.is_empty() => {
                let flight = self.flights.remove(which % self.flights.len());
                self.arrive(flight).await
            }
            Step::Arrive { .. } => Ok(()),
            Step::OtherFirm { link } => {
                // A late response of the previous firm would restore that firm's session with its
                // cancellation. This is correct, but not modelled.
                self.make_way(link, "", false).await?;
                self.truth[link].firm += 1;
                self.name_firm(link);
                Ok(())
            }
            Step::Replace => {
                self.all_arrive().await?;
                self.setting.processes[self.process].1.drain().await;
                self.process = 1 - self.process;
                Ok(())
            }
        }
    }

    /// Opens the return address without a token, as the bank or another site does. Before Connect
    /// is open, only another site can do so.
    pub async fn come_back(&mut self, tab: usize, late: bool) -> Result<(), Broken> {
        let Some(link) = self.held() else {
            return Ok(());
        };
        self.make_way(link, "return", false).await?;
        let Some(link) = self.held() else {
            return Ok(());
        };
        let truth = &self.truth[link];
        let is_checked = !truth.opened
            && !truth.returned
            && !truth.unfinished
            && truth.session_firm == truth.firm;
        let before = self.state_of_jar();
        self.validate(tab, link, "return", "?of-success", late)
            .await?;
        if is_checked && !late {
            self.check_unchanged(&before)
        } else {
            Ok(())
        }
    }

    /// Sends an action that changes nothing. Its response may arrive at any time.
    pub async fn ask(
        &mut self,
        tab: usize,
        action: &'static str,
        late: bool,
    ) -> Result<(), Broken> {
        let Some(shown) = self.tabs[tab].clone() else {
            return Ok(());
        };
        let input = match action {
            "report_connect_error" => json!({ "message": "closed", "itemId": null }),
            _ => json!({}),
        };
        let how = How {
            late,
            twice: false,
            fails: false,
            lost: false,
        };
        self.does(tab, &shown, (action, "", input), how).await
    }

    /// The client closes Connect.
    pub async fn close(&mut self, tab: usize, how: How) -> Result<(), Broken> {
        match self.tabs[tab].clone() {
            Some(shown) if shown.page == "connect" => {
                self.does(tab, &shown, ("close_connect", "", json!({})), how)
                    .await
            }
            _ => Ok(()),
        }
    }

    /// A page of the link submits an item that the browser keeps.
    pub async fn submit_again(&mut self, tab: usize, how: How) -> Result<(), Broken> {
        let Some(mut shown) = self.tabs[tab].clone() else {
            return Ok(());
        };
        let Some(item) = self.kept_item(shown.link) else {
            return Ok(());
        };
        shown.item = Some(item.clone());
        let input = json!({ "itemId": item, "again": true });
        let call = self.call_of_item(shown.link);
        self.does(tab, &shown, ("finish_connect", call, input), how)
            .await
    }

    /// The call that may fail when an item of this link is submitted.
    fn call_of_item(&self, link: usize) -> &'static str {
        if link == NEW {
            "log"
        } else {
            "update-link-account"
        }
    }

    /// The page at the entry posts its link.
    pub async fn validate(
        &mut self,
        tab: usize,
        link: usize,
        kind: &'static str,
        query: &str,
        late: bool,
    ) -> Result<(), Broken> {
        let begins = self.held() != Some(link);
        self.make_way(link, kind, begins).await?;
        // A response that has arrived may have changed the jar's session.
        let begins = self.held() != Some(link);
        self.leave(tab);
        let body = json!({ "input": { "query": query } });
        let answer = self.send(json_request("/api/validate_token", &body)).await;
        let truth = &mut self.truth[link];
        if kind == "return" && answer.status == 200 {
            if begins {
                truth.begin();
            }
            let counts = query.contains("token=") || truth.opened || truth.returned;
            if begins || truth.session_firm == truth.firm {
                truth.come_back(link, counts);
            }
        }
        let firm = truth.firm;
        let flight = Flight {
            tab,
            visit: self.visits[tab],
            link,
            kind,
            answer,
            begins,
            firm,
        };
        self.launch(flight, late).await
    }

    /// Sends the action of the tab's page.
    pub async fn act(&mut self, tab: usize, how: How) -> Result<(), Broken> {
        let Some(shown) = self.tabs[tab].clone() else {
            return Ok(());
        };
        let (action, call, input) = match (&*shown.page, &shown.item) {
            ("consent", _) => ("accept_consent", "authorize-customer", json!({})),
            ("bank-form", _) => ("save_bank_form", "", bank_form()),
            ("connect", None) => ("open_connect", "connect-token", json!({})),
            ("connect", Some(item)) => {
                let again = self.kept.contains(&(shown.link, item.clone()));
                (
                    "finish_connect",
                    self.call_of_item(shown.link),
                    json!({ "itemId": item, "again": again }),
                )
            }
            ("success", _) => ("confirm_success", "success", json!({})),
            ("cancel-confirm", _) => ("cancel_integrations", "cancel-integrations", json!({})),
            ("accounts", _) if how.twice => return self.go(tab, "/integration/widget").await,
            ("accounts", _) => ("list_accounts", "list-accounts", json!({})),
            _ => return Ok(()),
        };
        self.does(tab, &shown, (action, call, input), how).await
    }

    pub async fn cancel(&mut self, tab: usize, how: How, native: bool) -> Result<(), Broken> {
        let Some(shown) = self.tabs[tab].clone() else {
            return Ok(());
        };
        if !native {
            return self
                .does(
                    tab,
                    &shown,
                    ("cancel_integrations", "cancel-integrations", json!({})),
                    how,
                )
                .await;
        }
        // A native form leaves the page, so its response arrives before the next step.
        self.all_arrive().await?;
        let Some(shown) = self.tabs[tab].clone() else {
            return Ok(());
        };
        let own = self.is_own(&shown);
        let before = self.calls().len();
        let request = Request::post("/cancel/confirm")
            .header(OWN.0, OWN.1)
            .header(FORM.0, FORM.1);
        let answer = self
            .send(
                request
                    .body(Body::from(format!("session={}", shown.session)))
                    .unwrap(),
            )
            .await;
        let to = answer.location().unwrap_or_default().to_owned();
        self.check_calls(before, shown.link, own)?;
        if own && to != "/cancel/success" {
            return Err(self.refused(shown.link));
        }
        if own {
            self.truth[shown.link].cancel();
        }
        self.keep(&answer);
        self.go(tab, &to).await
    }

    /// Sends an action of a page once or twice, and checks the responses.
    pub async fn does(
        &mut self,
        tab: usize,
        shown: &Shown,
        (action, call, mut input): (&'static str, &str, Value),
        how: How,
    ) -> Result<(), Broken> {
        let fails = how.fails && !call.is_empty();
        if !READING.contains(&action) {
            // A failed call is another change than the one that succeeds.
            let kind = if fails { "" } else { action };
            self.make_way(shown.link, kind, false).await?;
        }
        let (token, own) = (self.token(shown.link), self.is_own(shown));
        if fails {
            self.setting
                .app
                .upstream
                .on_for(&token, call, Act::error(500, "out of order"));
        }
        input["session"] = shown.session.clone().into();
        let body = json!({ "input": input });
        let path = format!("/api/{action}");
        let before = self.calls().len();
        let answers: Vec<_> = if how.twice {
            let send = || self.send(json_request(&path, &body));
            <[Answer; 2]>::from(tokio::join!(send(), send())).into()
        } else {
            vec![self.send(json_request(&path, &body)).await]
        };
        self.check_calls(before, shown.link, own)?;
        self.check_consent(before, shown, input["again"] == true)?;
        if fails {
            self.setting.app.upstream.well_for(&token, call);
            self.list_accounts_well(shown.link);
        }
        let told = self.calls()[before..]
            .iter()
            .filter(|call| call.line == "POST /success")
            .count();
        for (index, answer) in answers.iter().enumerate() {
            let refused = answer.status == 401 || answer.text.contains("other_tab");
            match (own, refused) {
                (true, true) => return Err(self.refused(shown.link)),
                (false, false) => return Err(Broken::OldLinkActs),
                _ => {}
            }
            if action == "finish_connect" {
                self.keep_item(shown, answer, how.lost);
            }
            if answer.status == 200 && !how.lost {
                self.note(shown, action, answer, (index, answers.len()), told)?;
            }
        }
        if how.lost {
            return Ok(());
        }
        for answer in answers {
            let flight = Flight {
                tab,
                visit: self.visits[tab],
                link: shown.link,
                kind: action,
                answer,
                begins: false,
                firm: self.truth[shown.link].firm,
            };
            self.launch(flight, how.late).await?;
        }
        Ok(())
    }

    /// The browser keeps an item until the response says that the widget API has it.
    fn keep_item(&mut self, shown: &Shown, answer: &Answer, is_lost: bool) {
        let item = shown.item.clone().expect("Connect has given it");
        let kept = (shown.link, item);
        let is_accepted = answer.status == 200 && answer.json()["item"] == "accepted";
        if is_accepted && !is_lost {
            self.kept.retain(|other| *other != kept);
            self.accepted.push(kept);
        } else if !self.kept.contains(&kept) && !self.accepted.contains(&kept) {
            self.kept.push(kept);
        }
    }

    /// Updates the model after a successful action, and compares. `which` of how many that were
    /// sent at the same time.
    pub fn note(
        &mut self,
        shown: &Shown,
        action: &str,
        answer: &Answer,
        (which, sent): (usize, usize),
        told: usize,
    ) -> Result<(), Broken> {
        let truth = &mut self.truth[shown.link];
        match action {
            "save_bank_form" => truth.choose(),
            "open_connect" if which == 0 => {
                truth.open();
                truth.openings += 1;
            }
            "close_connect" if which == 0 => truth.close(),
            "finish_connect" if which == 0 => {
                let is_late = answer.json()["to"] == "/cancel/success";
                if is_late != (truth.ended && !truth.consented) {
                    return Err(Broken::FalselyLinked);
                }
                if !is_late {
                    let item = shown.item.clone().expect("Connect has given it");
                    truth.link(item, answer.json()["item"] == "accepted");
                }
            }
            "confirm_success" if which == 0 => {
                let most = if truth.due { sent } else { 0 };
                // A second page that does not know yet that the first has told.
                let is_telling = self
                    .flights
                    .iter()
                    .any(|flight| flight.link == shown.link && flight.kind == "confirm_success");
                if told > most && !is_telling {
                    return Err(Broken::ToldTwice);
                }
                if truth.due && told == 0 {
                    return Err(Broken::NeverTold);
                }
                truth.due = false;
            }
            "accept_consent" => truth.consented = true,
            "cancel_integrations" => truth.cancel(),
            "list_accounts" if !answer.text.contains(&name_of(shown.link)) => {
                return Err(Broken::ShowsAnother);
            }
            _ => {}
        }
        Ok(())
    }
}
