//! The pages of the tabs, which must agree with the model.

use axum::{body::Body, http::Request};
use serde_json::json;

use super::{
    steps::UPDATE,
    truth::{Broken, firm_of, name_of},
    world::{Shown, World},
};
use crate::tests::{Answer, OWN};

impl World<'_> {
    /// The tab follows a link of the product.
    pub async fn go(&mut self, tab: usize, path: &str) -> Result<(), Broken> {
        self.go_from(tab, path, OWN.1).await
    }

    /// The tab opens a page, following redirects, and the page must agree with the model. `site` is
    /// the origin of the link.
    pub async fn go_from(&mut self, tab: usize, path: &str, site: &str) -> Result<(), Broken> {
        self.leave(tab);
        let mut at = path.to_owned();
        for _ in 0..5 {
            let request = Request::get(&at).header(OWN.0, site);
            let answer = self.send(request.body(Body::empty()).unwrap()).await;
            self.check_reads(&answer)?;
            let cancelled = self
                .current
                .is_some_and(|link| self.truth[link].cancelled || self.is_changing(link));
            if answer.location() == Some("/cancel/success") && !cancelled {
                return Err(Broken::FalselyCancelled);
            }
            match answer.location() {
                Some(to) => at = to.to_owned(),
                None => return self.show(tab, &answer),
            }
        }
        panic!("{path} leads around in circles")
    }

    pub fn show(&mut self, tab: usize, answer: &Answer) -> Result<(), Broken> {
        let page = answer.page().unwrap_or_default().to_owned();
        if matches!(&*page, "error" | "entry" | "not-found") {
            // The newest link's session must exist on every page.
            return if self.current.is_some() && page == "error" {
                Err(Broken::PutBack)
            } else {
                Ok(())
            };
        }
        let link = self.current.ok_or(Broken::ShowsAnother)?;
        let is_changing = self.is_changing(link);
        let truth = &mut self.truth[link];
        match &*page {
            "cancel-success" if !truth.cancelled && !is_changing => {
                return Err(Broken::FalselyCancelled);
            }
            "success" if !truth.linked && !is_changing => return Err(Broken::FalselyLinked),
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
        let firm = context["customerName"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        if page == "accounts" && !is_changing {
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
            firm,
            item: None,
        });
        Ok(())
    }

    /// Whether a page is of the link that was opened last, and of the firm that its session has.
    pub fn is_own(&self, shown: &Shown) -> bool {
        self.current == Some(shown.link)
            && shown.firm == firm_of(self.truth[shown.link].session_firm)
    }

    /// Whether a response in flight changes a link's session.
    pub fn is_changing(&self, link: usize) -> bool {
        self.flights
            .iter()
            .any(|flight| flight.link == link && !flight.only_reads())
    }

    pub fn leave(&mut self, tab: usize) {
        self.tabs[tab] = None;
        self.visits[tab] += 1;
    }
}
