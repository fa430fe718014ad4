//! Responses in flight, and how they arrive.

use super::{
    steps::UPDATE,
    truth::Broken,
    world::{Flight, World},
};
use crate::tests::ITEM;

impl World<'_> {
    /// Lets other changes of the same session arrive first, so that two are never in flight at
    /// once.
    pub async fn make_way(&mut self, link: usize, kind: &str, begins: bool) -> Result<(), Broken> {
        let in_the_way = |flight: &Flight| {
            flight.link == link
                && !flight.only_reads()
                && (flight.kind != kind || flight.begins != begins || flight.answer.status != 200)
        };
        while let Some(at) = self.flights.iter().position(in_the_way) {
            let flight = self.flights.remove(at);
            self.arrive(flight).await?;
        }
        Ok(())
    }

    pub async fn launch(&mut self, flight: Flight, late: bool) -> Result<(), Broken> {
        if late {
            self.flights.push(flight);
            return Ok(());
        }
        self.arrive(flight).await
    }

    pub async fn all_arrive(&mut self) -> Result<(), Broken> {
        while !self.flights.is_empty() {
            let flight = self.flights.remove(0);
            self.arrive(flight).await?;
        }
        Ok(())
    }

    /// A response arrives: the jar takes its cookie, and its page follows it if it is still shown.
    pub async fn arrive(&mut self, flight: Flight) -> Result<(), Broken> {
        let is_entry = matches!(flight.kind, "open" | "return");
        if flight.only_reads() {
            self.check_reads(&flight.answer)?;
        }
        self.keep(&flight.answer);
        if is_entry && flight.answer.status == 200 {
            if self.abort && self.current != Some(flight.link) {
                self.flights.retain(|other| {
                    matches!(other.kind, "open" | "return") || other.link == flight.link
                });
            }
            let truth = &mut self.truth[flight.link];
            let is_other = truth.session_firm != flight.firm;
            if flight.begins || is_other {
                truth.begin();
            }
            if is_other {
                truth.id = None;
            }
            // A session begins with a token only.
            if flight.begins && flight.kind == "return" {
                truth.come_back(flight.link, true);
            }
            truth.session_firm = flight.firm;
            self.current = Some(flight.link);
        }
        if self.visits[flight.tab] != flight.visit {
            return Ok(());
        }
        if flight.answer.status != 200 {
            return Ok(());
        }
        if flight.kind == "open_connect" {
            let item = self.item(flight.link);
            if let Some(shown) = &mut self.tabs[flight.tab] {
                shown.item.get_or_insert(item);
            }
            return Ok(());
        }
        match flight.answer.json()["to"].as_str() {
            Some(to) => self.go(flight.tab, to).await,
            None => Ok(()),
        }
    }

    /// The item that Connect reports in this opening. An update renews the same item each time.
    pub fn item(&self, link: usize) -> String {
        if link == UPDATE {
            ITEM.to_owned()
        } else {
            format!("item-{link}-{}-{}", self.number, self.truth[link].openings)
        }
    }
}
