//! The state of the accounts, and their table (spec §2, "Accounts screen").

use leptos::prelude::*;
use vincula_domain::{
    wire::{Account, AccountList, LinkingState, WaitingAccount},
    words,
};

use super::{
    dynamic::{Dynamic, bool_attr, flag, text},
    linkings::LinkingRow,
    markup::SKELETON,
};

/// What a page knows of the accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountsState {
    Loading,
    /// The first load had no answer.
    Nothing,
    Listed(AccountList),
}

impl AccountsState {
    pub fn is_loading(&self) -> bool {
        matches!(self, Self::Loading)
    }

    pub fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }

    pub fn is_listed(&self) -> bool {
        matches!(self, Self::Listed(_))
    }

    /// How many authorised accounts there are, if that is known.
    pub fn count(&self) -> Option<usize> {
        self.list().map(|list| list.accounts.len())
    }

    /// The widget API's list, if that is known.
    pub fn list(&self) -> Option<&AccountList> {
        if let Self::Listed(list) = self { Some(list) } else { None }
    }

    /// Whether the list is known and has neither an account nor one that waits.
    pub fn is_empty_list(&self) -> bool {
        self.list().is_some_and(|list| list.accounts.is_empty() && list.waiting.is_empty())
    }

    /// What the first waiting account of the list waits for.
    pub fn waits_for(&self) -> Option<LinkingState> {
        self.list()?.waiting.first().map(|waiting| waiting.state)
    }

    /// The lead above the list: there are accounts (or that is not known), something waits, or nothing is known of any.
    /// `wait_for`: what an account waits for, be it on the list or linked in this session.
    pub fn lead(&self, wait_for: Option<LinkingState>, firm: &str) -> String {
        match (self.count(), wait_for) {
            (Some(0), None) => words::ACCOUNTS_LEAD_NONE.to_owned(),
            (Some(0), Some(LinkingState::Awaits)) => words::accounts_lead_awaiting(firm),
            (Some(0), Some(_)) => words::accounts_lead_waiting(firm),
            _ => words::accounts_lead(firm),
        }
    }
}

/// The table, with explicit roles: on phones CSS shows its rows as cards, which would take the implicit ones away. An
/// empty list is one full-width row that says so. All parts are rendered and toggled with `hidden`, which keeps the wasm small.
/// `linkings`: the accounts that were linked but may not be on the list yet; `kept`: one that only the tab knows. `firm`: whom to ask if one does not come;
/// not needed where a cancellation would end them (`to_cancel`).
#[component]
pub fn AccountsTable(
    known: RwSignal<AccountsState>,
    #[prop(optional)] linkings: Vec<LinkingRow>,
    #[prop(optional)] kept: Option<RwSignal<Option<WaitingAccount>>>,
    #[prop(optional)] firm: String,
    #[prop(optional)] to_cancel: bool,
) -> impl IntoView {
    let row = |Account { bank, agency, number, name }: Account| {
        view! {
            <tr class="accounts__row" role="row">
                <td role="cell" data-label=words::BANK>{bank}</td>
                <td role="cell" data-label=words::AGENCY>{agency}</td>
                <td role="cell" data-label=words::NUMBER>{number}</td>
                <td role="cell" data-label=words::NAME>{name}</td>
            </tr>
        }
    };
    let rows: Dynamic<Vec<_>> = Box::new(move || match known.get() {
        AccountsState::Listed(list) => list.accounts.into_iter().map(row).collect(),
        AccountsState::Loading | AccountsState::Nothing => Vec::new(),
    });
    let linking = move |LinkingRow { bank, says, hidden, dismiss }: LinkingRow| {
        let (bank_cell, columns) = if to_cancel { (None, "4") } else { (Some(bank), "3") };
        let dismiss = dismiss.map(|dismiss| {
            view! { <button class="link-quiet" type="button" on:click=dismiss>{words::DISMISS}</button> }
        });
        view! {
            <tr class="accounts__linking" role="row" hidden=hidden>
                {bank_cell.map(|bank| view! { <td role="cell" data-label=words::BANK>{bank}</td> })}
                <td role="cell" colspan=columns><span class="accounts__waits">{says}</span> {dismiss}</td>
            </tr>
        }
    };
    let linkings: Vec<_> = linkings.into_iter().map(linking).collect();
    let waiting = move |WaitingAccount { bank, state, approve_by }: WaitingAccount| {
        let bank = if bank.is_empty() { words::LINKED_ACCOUNT.to_owned() } else { bank };
        let says = match to_cancel {
            true => words::linking_to_cancel(&bank, state),
            false => words::linking(state, &firm, &approve_by),
        };
        linking(LinkingRow { bank, says: text(move || says.clone()), hidden: flag(|| false), dismiss: None })
    };
    let waiting: Dynamic<Vec<_>> = Box::new(move || {
        let list = known.get().list().map(|list| list.waiting.clone()).unwrap_or_default();
        kept.and_then(|kept| kept.get()).into_iter().chain(list).map(&waiting).collect()
    });
    let note = |says: &'static str, hidden: Dynamic<Option<&'static str>>| {
        view! { <tr role="row" hidden=hidden><td role="cell" class="accounts__empty" colspan="4">{says}</td></tr> }
    };
    view! {
        <table class="accounts" role="table" aria-busy=bool_attr(move || known.get().is_loading())>
            <caption class="visually-hidden">{words::ACCOUNTS_CAPTION}</caption>
            <thead role="rowgroup">
                <tr role="row">
                    <th role="columnheader" scope="col">{words::BANK}</th>
                    <th role="columnheader" scope="col">{words::AGENCY}</th>
                    <th role="columnheader" scope="col">{words::NUMBER}</th>
                    <th role="columnheader" scope="col">{words::NAME}</th>
                </tr>
            </thead>
            <tbody role="rowgroup">
                {linkings}
                {waiting}
                {rows}
                {note(words::ACCOUNTS_EMPTY, flag(move || to_cancel || known.get().count() != Some(0)))}
                {note(words::ACCOUNTS_UNKNOWN, flag(move || !known.get().is_nothing()))}
                <tr class="accounts__loading" role="row" hidden=flag(move || !known.get().is_loading())>
                    <td role="cell" class="accounts__empty" colspan="4"><span class=SKELETON></span></td>
                </tr>
            </tbody>
        </table>
    }
}
