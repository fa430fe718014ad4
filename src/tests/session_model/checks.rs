//! Checks of the calls to the widget API and of the browser's session.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use vincula_testing::Received;

use super::{
    steps::{NEW, UPDATE},
    truth::{Broken, firm_of},
    world::{Shown, World},
};

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

    /// Checks the calls made since. Log calls run in the background, and are checked at the end.
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
    pub fn check_consent(&self, before: usize, shown: &Shown) -> Result<(), Broken> {
        let truth = &self.truth[shown.link];
        let may_connect = truth.consented || (shown.link == UPDATE && !truth.ended);
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

    /// Lets everything arrive, then checks that every item was reported as often as Connect gave
    /// it.
    pub async fn end(mut self) -> Result<(), Broken> {
        self.all_arrive().await?;
        for (_, upstream) in &self.setting.processes {
            upstream.drain().await;
        }
        // A repetition of the same success has the same key.
        let (mut logged, mut updated) =
            (HashMap::<_, HashSet<_>>::new(), HashMap::<_, usize>::new());
        for call in self.calls() {
            let link = call.token().and_then(|token| self.link_of(token));
            if call.body["type"] == "pluggy-widget-success" {
                let item = call.data_log()["item"]["id"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned();
                logged
                    .entry((link, item))
                    .or_default()
                    .extend(call.header("idempotency-key").map(str::to_owned));
            }
            if call.line == "PUT /update-link-account" {
                let item = call.body["link"].as_str().unwrap_or_default().to_owned();
                *updated.entry((link, item)).or_default() += 1;
            }
        }
        for (link, truth) in self.truth.iter().enumerate() {
            for item in &truth.items {
                let times = truth.items.iter().filter(|other| *other == item).count();
                let key = (Some(link), item.clone());
                let lost = truth.lost.iter().filter(|lost| *lost == item).count();
                let reported = logged.get(&key).map_or(0, HashSet::len);
                if !(times..=times + lost).contains(&reported)
                    || link != NEW && updated.get(&key).is_none_or(|sent| *sent < times)
                {
                    return Err(Broken::Item);
                }
            }
        }
        Ok(())
    }
}
