//! The steps of a person.

use axum::{body::Body, http::Request};
use serde_json::{Value, json};

use super::{
    steps::{How, PAGES, PAUSE_SECS, RENEWING, Step},
    truth::{Broken, name_of},
    world::{Flight, Shown, World},
};
use crate::{
    session::Session,
    tests::{Act, Answer, FORM, Jar, OWN, bank_form, json_request},
};

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
            Step::Ask {
                tab,
                action,
                late,
                pause,
            } => {
                if pause {
                    self.pause();
                }
                self.ask(tab, RENEWING[action], late).await
            }
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
            Step::Pause => {
                self.pause();
                Ok(())
            }
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
        let is_checked = !truth.opened && truth.session_firm == truth.firm;
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

    /// Time passes without a use of the session.
    pub fn pause(&mut self) {
        let Some(session) = self.session() else {
            return;
        };
        let unused = Session {
            seen_at: self.codec().now() - PAUSE_SECS,
            ..session
        };
        self.jar = Jar::of(&unused, self.codec());
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
            let counts = query.contains("token=") || truth.opened;
            if counts && (begins || truth.session_firm == truth.firm) {
                truth.come_back(link);
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
            ("connect", Some(item)) => (
                "finish_connect",
                "update-link-account",
                json!({ "itemId": item }),
            ),
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
        if !RENEWING.contains(&action) {
            self.make_way(shown.link, action, false).await?;
        }
        let (token, own) = (self.token(shown.link), self.is_own(shown));
        let fails = how.fails && !call.is_empty();
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
        self.check_consent(before, shown)?;
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
            match (how.lost, action) {
                _ if answer.status != 200 => {}
                (false, _) => self.note(shown, action, answer, index, told)?,
                (true, "finish_connect") if index == 0 => {
                    self.truth[shown.link].lost.extend(shown.item.clone())
                }
                (true, "confirm_success") => self.truth[shown.link].told_in_vain = true,
                _ => {}
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

    /// Updates the model after a successful action, and compares.
    pub fn note(
        &mut self,
        shown: &Shown,
        action: &str,
        answer: &Answer,
        index: usize,
        told: usize,
    ) -> Result<(), Broken> {
        let truth = &mut self.truth[shown.link];
        match action {
            "save_bank_form" => truth.opened = false,
            "open_connect" if index == 0 => {
                truth.forget_attempt();
                truth.opened = true;
                truth.openings += 1;
            }
            "finish_connect" if index == 0 => {
                let item = shown.item.clone().expect("Connect has given it");
                truth.link(item);
                truth.renewed = true;
            }
            "confirm_success" => {
                if index == 0 && told > usize::from(truth.due) {
                    return Err(Broken::ToldTwice);
                }
                // A process that has made the call for a lost response does not repeat it.
                if told > 0 || truth.told_in_vain {
                    truth.due = false;
                }
                if truth.due {
                    return Err(Broken::NeverTold);
                }
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
