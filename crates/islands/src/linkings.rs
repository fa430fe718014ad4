//! The accounts that were linked a moment ago, shown beside the list until they are on it.

use leptos::{prelude::*, task::spawn_local};
use vincula_domain::{
    bank::is_same_bank,
    wire::{Account, Linking, LinkingState},
    words,
};

use super::{
    call,
    dynamic::{Dynamic, click, flag, text},
    page,
    session::PageSession,
};

/// A linking on the screen.
#[derive(Clone)]
pub struct ShownLinking {
    linking: Linking,
    state: RwSignal<LinkingState>,
    gone: RwSignal<bool>,
}

/// Those of a page, and what is known of them.
#[derive(Clone)]
pub struct ShownLinkings {
    session: String,
    firm: String,
    all: Vec<ShownLinking>,
    /// How many accounts the first list had, once there is one.
    first_count: RwSignal<Option<usize>>,
    /// When the page was opened, in milliseconds since 1970; set with the first list.
    opened_at: RwSignal<f64>,
}

impl ShownLinkings {
    pub fn of_page() -> Self {
        let PageSession { id: session, firm, linkings, .. } = PageSession::of_page();
        let shown = |linking: Linking| ShownLinking {
            state: RwSignal::new(linking.state),
            gone: RwSignal::new(false),
            linking,
        };
        Self {
            session,
            firm,
            all: linkings.into_iter().map(shown).collect(),
            first_count: RwSignal::new(None),
            opened_at: RwSignal::new(0.0),
        }
    }

    /// What the linkings that are still shown wait for; `None` if there are none. A confirmation comes first.
    pub fn wait_for(&self) -> Option<LinkingState> {
        let states: Vec<_> = self.all.iter().filter(|one| !one.gone.get()).map(|one| one.state.get()).collect();
        states.iter().copied().find(|state| *state != LinkingState::Awaits).or(states.first().copied())
    }

    /// Takes the linkings away that are on the list now: their bank is on it, or it has grown since the page was opened.
    pub fn listed(&self, accounts: &[Account]) {
        let first = self.first_count.get_untracked().unwrap_or(accounts.len());
        self.first_count.set(Some(first));
        let has_grown = accounts.len() > first;
        for one in self.all.iter().filter(|one| !one.gone.get_untracked()) {
            let is_listed = accounts.iter().any(|account| is_same_bank(&account.bank, &one.linking.bank));
            let may_be_it = has_grown && one.linking.state != LinkingState::Awaits;
            if is_listed || may_be_it {
                self.forget(one);
            }
        }
    }

    /// Says of those that are not confirmed after five minutes that they are late.
    pub fn look_at_the_clock(&self) {
        if self.opened_at.get_untracked() == 0.0 {
            self.opened_at.set(page::now_ms());
        }
        let passed_ms = page::now_ms() - self.opened_at.get_untracked();
        for one in self.all.iter().filter(|one| one.state.get_untracked() == LinkingState::Confirming) {
            if passed_ms > f64::from(one.linking.late_in_secs) * 1000.0 {
                one.state.set(LinkingState::Late);
            }
        }
    }

    fn forget(&self, one: &ShownLinking) {
        one.gone.set(true);
        let (session, id) = (self.session.clone(), one.linking.id.clone());
        spawn_local(async move { call::forget_linking(&session, &id).await });
    }

    /// The rows of the table.
    pub fn rows(&self) -> Vec<LinkingRow> {
        let row = |one: &ShownLinking| {
            let (state, gone) = (one.state, one.gone);
            let (bank, approve_by, firm) =
                (one.linking.bank.clone(), one.linking.approve_by.clone(), self.firm.clone());
            let (all, this) = (self.clone(), one.clone());
            LinkingRow {
                bank: if bank.is_empty() { words::LINKED_ACCOUNT.to_owned() } else { bank },
                says: text(move || words::linking(state.get(), &firm, &approve_by)),
                hidden: flag(move || gone.get()),
                dismiss: click(move || all.forget(&this)),
            }
        };
        self.all.iter().map(row).collect()
    }
}

/// One row of the table.
pub struct LinkingRow {
    pub bank: String,
    pub says: Dynamic<String>,
    pub hidden: Dynamic<Option<&'static str>>,
    pub dismiss: Box<dyn FnMut(leptos::ev::MouseEvent)>,
}
