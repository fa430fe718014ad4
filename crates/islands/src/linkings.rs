//! The accounts that were linked a moment ago, shown beside the list until they are on it.

use leptos::{prelude::*, task::spawn_local};
use vincula_domain::{
    bank::is_same_bank,
    wire::{Account, AccountList, Linking, LinkingState, WaitingAccount},
    words,
};

use super::{
    call,
    dynamic::{Dynamic, click, flag, text},
    page,
    session::PageSession,
};

/// Under this name the tab remembers how many accounts there are.
const COUNT: &str = "vincula-accounts";

/// How long the confirmation of an account may take, in milliseconds (spec §9).
const LATE_AFTER_MS: f64 = 5.0 * 60.0 * 1000.0;

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
    /// Linked at the bank, but the server may not know it yet: only the tab does.
    kept: RwSignal<Option<WaitingAccount>>,
    /// How many accounts the list had before; `None` until there is a list.
    before: RwSignal<Option<usize>>,
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
            kept: RwSignal::new(None),
            before: RwSignal::new(None),
            opened_at: RwSignal::new(0.0),
        }
    }

    /// Shows what the tab keeps, and delivers it; the success call follows, which the success screen would have made.
    pub fn deliver(&self) {
        let Some(item) = page::undelivered(&self.session) else { return };
        let this = self.clone();
        // As a task: the server does not know the row, so it must not be there while the browser hydrates the island.
        spawn_local(async move {
            if this.kept.get_untracked().is_none() {
                let late = page::now_ms() - item.at() > LATE_AFTER_MS;
                let state = if late { LinkingState::Late } else { LinkingState::Confirming };
                this.kept.set(Some(WaitingAccount { bank: item.bank(), state, approve_by: String::new() }));
            }
            if page::deliver(&this.session).await == page::Delivery::Delivered {
                let _ = call::confirm_success(&this.session).await;
            }
        });
    }

    /// What the tab keeps, as a row of the table.
    pub fn kept(&self) -> RwSignal<Option<WaitingAccount>> {
        self.kept
    }

    /// What the linkings that are still shown wait for; `None` if there are none. A confirmation comes first.
    pub fn wait_for(&self) -> Option<LinkingState> {
        let states = self.all.iter().filter(|one| !one.gone.get()).map(|one| one.state.get());
        let states: Vec<_> = states.chain(self.kept.get().map(|kept| kept.state)).collect();
        states.iter().copied().find(|state| *state != LinkingState::Awaits).or(states.first().copied())
    }

    /// Takes the linkings away that are on the list now, as accounts or as waiting.
    pub fn listed(&self, AccountList { accounts, waiting: known }: &AccountList) {
        let waiting: Vec<_> = self.all.iter().filter(|one| !one.gone.get_untracked()).collect();
        let before = self.before.get_untracked().or_else(|| page::remembered(COUNT, &self.session));
        // Until the list grows the tab remembers what it was before the linking.
        let count = match before {
            Some(before) if !waiting.is_empty() => accounts.len().min(before),
            _ => accounts.len(),
        };
        let linkings: Vec<_> = waiting.iter().map(|one| &one.linking).collect();
        let mut found = on_the_list(&linkings, accounts, before);
        let count = if found.is_empty() { count } else { accounts.len() };
        let has_grown = before.is_none_or(|before| accounts.len() > before);
        let is_listed = |kept: &WaitingAccount| {
            let is_named = accounts.iter().any(|account| is_same_bank(&account.bank, &kept.bank));
            (has_grown && is_named) || known.iter().any(|row| is_same_bank(&row.bank, &kept.bank))
        };
        if self.kept.get_untracked().as_ref().is_some_and(is_listed) {
            self.kept.set(None);
        }
        self.before.set(Some(count));
        page::remember(COUNT, &self.session, count);
        let is_known = |at: &usize| known.iter().any(|row| is_same_bank(&row.bank, &linkings[*at].bank));
        let taken_over: Vec<_> = (0..waiting.len()).filter(|at| !found.contains(at) && is_known(at)).collect();
        found.extend(taken_over);
        for at in found {
            self.forget(waiting[at]);
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
            let (approve_by, firm) = (one.linking.approve_by.clone(), self.firm.clone());
            let (all, this) = (self.clone(), one.clone());
            LinkingRow {
                bank: one.bank(),
                says: text(move || words::linking(state.get(), &firm, &approve_by)),
                hidden: flag(move || gone.get()),
                dismiss: Some(click(move || all.forget(&this))),
            }
        };
        self.all.iter().map(row).collect()
    }

    /// The rows of the table of what a cancellation would end.
    pub fn rows_to_cancel(&self) -> Vec<LinkingRow> {
        let row = |one: &ShownLinking| {
            let (state, gone, bank) = (one.state, one.gone, one.bank());
            LinkingRow {
                bank: String::new(),
                says: text(move || words::linking_to_cancel(&bank, state.get())),
                hidden: flag(move || gone.get()),
                dismiss: None,
            }
        };
        self.all.iter().map(row).collect()
    }

    /// Whether any is still shown.
    pub fn are_shown(&self) -> bool {
        self.kept.get().is_some() || self.all.iter().any(|one| !one.gone.get())
    }
}

impl ShownLinking {
    /// The bank's name, or what stands for it.
    fn bank(&self) -> String {
        if self.linking.bank.is_empty() { words::LINKED_ACCOUNT.to_owned() } else { self.linking.bank.clone() }
    }
}

/// Which of the waiting linkings, the last one first, are on the list now: those whose bank it names, if it has grown since
/// `before`, else the oldest one that waits for no approval. Where nobody knows what the list was before (another tab), a
/// bank that is on it is taken for the account.
fn on_the_list(waiting: &[&Linking], accounts: &[Account], before: Option<usize>) -> Vec<usize> {
    if before.is_some_and(|before| accounts.len() <= before) {
        return Vec::new();
    }
    let is_named = |linking: &Linking| accounts.iter().any(|account| is_same_bank(&account.bank, &linking.bank));
    let named: Vec<_> = (0..waiting.len()).filter(|at| is_named(waiting[*at])).collect();
    if !named.is_empty() || before.is_none() {
        return named;
    }
    (0..waiting.len()).rev().find(|at| waiting[*at].state != LinkingState::Awaits).into_iter().collect()
}

/// One row of the table.
pub struct LinkingRow {
    pub bank: String,
    pub says: Dynamic<String>,
    pub hidden: Dynamic<Option<&'static str>>,
    /// Takes the row away.
    pub dismiss: Option<Box<dyn FnMut(leptos::ev::MouseEvent)>>,
}

#[cfg(test)]
mod tests {
    use LinkingState::{Awaits, Confirming};

    use super::*;

    const NONE: [usize; 0] = [];

    fn found(waiting: &[(&str, LinkingState)], banks: &[&str], before: Option<usize>) -> Vec<usize> {
        let linking = |(bank, state): &(&str, LinkingState)| Linking {
            id: String::new(),
            bank: (*bank).to_owned(),
            linked_at: String::new(),
            state: *state,
            late_in_secs: 0,
            approve_by: String::new(),
        };
        let account = |bank: &&str| Account {
            bank: (*bank).to_owned(),
            agency: String::new(),
            number: String::new(),
            name: String::new(),
        };
        let waiting: Vec<_> = waiting.iter().map(linking).collect();
        let accounts: Vec<_> = banks.iter().map(account).collect();
        on_the_list(&waiting.iter().collect::<Vec<_>>(), &accounts, before)
    }

    #[test]
    fn another_account_of_a_bank_that_is_on_the_list_is_waited_for() {
        let waiting = [("Itaú", Confirming)];
        assert_eq!(found(&waiting, &["ITAU UNIBANCO S.A."], Some(1)), NONE);
        assert_eq!(found(&waiting, &["ITAU UNIBANCO S.A.", "ITAU UNIBANCO S.A."], Some(1)), [0]);
        assert_eq!(found(&[("Itaú", Awaits)], &["Itaú", "Nubank"], Some(1)), [0], "by its bank");
        assert_eq!(found(&[("Itaú", Awaits)], &["Inter", "Nubank"], Some(1)), NONE, "of another bank");
    }

    #[test]
    fn of_a_bank_that_the_list_names_otherwise_the_oldest_is_taken() {
        let waiting = [("Inter", Confirming), ("Nubank", Awaits), ("Itaú", Confirming)];
        assert_eq!(found(&waiting, &["341"], Some(0)), [2]);
        assert_eq!(found(&waiting, &["341", "Banco Inter S.A."], Some(1)), [0]);
        assert_eq!(found(&waiting, &["341", "Inter"], Some(2)), NONE);
    }

    #[test]
    fn where_nobody_knows_what_the_list_was_a_bank_on_it_is_the_account() {
        assert_eq!(found(&[("Inter", Confirming), ("Itaú", Confirming)], &["Itaú", "X"], None), [1]);
        assert_eq!(found(&[("Inter", Confirming)], &["Itaú"], None), NONE);
    }
}
