//! Checks of the calls to the widget API and of the browser's session.

use std::collections::HashSet;

use serde_json::{Value, json};
use vincula_testing::Received;

use super::{
    steps::{NEW, UPDATE},
    truth::{Broken, firm_of},
    world::{Shown, World},
};
use crate::tests::{Answer, json_request};

impl World<'_> {
    pub fn check_unchanged(&self, before: &Option<Value>) -> Result<(), Broken> {
        if self.state_of_jar() == *before {
            Ok(())
        } else {
            Err(Broken::ChangedFromElsewhere)
        }
    }

    /// Why the server has rejected a page of the newest link.
    pub fn refused(&self, link: usize) -> Broken {
        if self.held() == Some(link) {
            Broken::OwnLinkRefused
        } else {
            Broken::PutBack
        }
    }

    pub fn calls(&self) -> Vec<Received> {
        self.setting.app.upstream.calls()
    }

    /// Checks the calls made since. Some log calls run in the background.
    pub fn check_calls(&self, before: usize, link: usize, own: bool) -> Result<(), Broken> {
        for call in self.calls()[before..]
            .iter()
            .filter(|call| call.line != "POST /log")
        {
            if call.token() != Some(&self.token(link)) {
                return Err(Broken::ActsOnAnother);
            }
            if !own {
                return Err(Broken::OldLinkActs);
            }
        }
        Ok(())
    }

    /// Checks that the calls since then were covered by a consent: Connect, and the firm in the
    /// consent itself.
    /// An item that is submitted `again` was linked under an earlier one.
    pub fn check_consent(&self, before: usize, shown: &Shown, again: bool) -> Result<(), Broken> {
        let truth = &self.truth[shown.link];
        let may_connect = truth.consented || ((shown.link == UPDATE || again) && !truth.ended);
        for call in &self.calls()[before..] {
            match &*call.line {
                "POST /connect-token" | "PUT /update-link-account" if !may_connect => {
                    return Err(Broken::WithoutConsent);
                }
                "POST /authorize-customer" if firm_of(&call.body["customer_id"]) != shown.firm => {
                    return Err(Broken::ForAnotherFirm);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks that a response writes no session.
    pub fn check_reads(&self, answer: &Answer) -> Result<(), Broken> {
        match answer.header_of("set-cookie") {
            None => Ok(()),
            Some(_) => Err(Broken::WritesSession),
        }
    }

    /// Lets everything arrive. Then the browser submits the items that it keeps for the newest
    /// link, and the widget API must have each.
    pub async fn end(mut self) -> Result<(), Broken> {
        self.all_arrive().await?;
        if let Some(link) = self.current {
            let page = self.session().map(|session| session.id).unwrap_or_default();
            while let Some(item) = self.kept_item(link) {
                let input = json!({ "session": page, "itemId": item, "again": true });
                let body = json!({ "input": input });
                let answer = self.send(json_request("/api/finish_connect", &body)).await;
                self.keep(&answer);
                let may_finish = answer.status == 200;
                // After a cancellation and a new firm's data, the link of an update is refused.
                if may_finish && answer.json()["item"] != "accepted" {
                    return Err(Broken::Item);
                }
                self.kept.retain(|other| *other != (link, item.clone()));
                if may_finish {
                    self.accepted.push((link, item));
                }
            }
        }
        for (_, upstream) in &self.setting.processes {
            upstream.drain().await;
        }
        let (mut logged, mut updated) = (HashSet::new(), HashSet::new());
        for call in self.calls() {
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
        if !has_all {
            return Err(Broken::Item);
        }
        for (link, truth) in self.truth.iter().enumerate() {
            for item in &truth.items {
                if link != NEW && !updated.contains(&(link, item.clone())) {
                    return Err(Broken::Item);
                }
            }
        }
        Ok(())
    }
}
