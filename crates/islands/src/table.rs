//! The state of the accounts, and their table (spec §2, "Accounts screen").

use leptos::prelude::*;
use vincula_domain::{wire::Account, words};

use super::{
    dynamic::{Dynamic, bool_attr, flag},
    linkings::LinkingRow,
    markup::SKELETON,
};

/// What a page knows of the accounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccountsState {
    Loading,
    /// The first load had no answer.
    Nothing,
    Listed(Vec<Account>),
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

    /// How many there are, if that is known.
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Listed(accounts) => Some(accounts.len()),
            Self::Loading | Self::Nothing => None,
        }
    }
}

/// The table, with explicit roles: on phones CSS shows its rows as cards, which would take the implicit ones away. An
/// empty list is one full-width row that says so. All parts are rendered and toggled with `hidden`, which keeps the wasm small.
/// `linkings`: the accounts that were linked but may not be on the list yet.
#[component]
pub fn AccountsTable(known: RwSignal<AccountsState>, #[prop(optional)] linkings: Vec<LinkingRow>) -> impl IntoView {
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
        AccountsState::Listed(accounts) => accounts.into_iter().map(row).collect(),
        AccountsState::Loading | AccountsState::Nothing => Vec::new(),
    });
    let linking = |LinkingRow { bank, says, hidden, dismiss }: LinkingRow| {
        view! {
            <tr class="accounts__linking" role="row" hidden=hidden>
                <td role="cell" data-label=words::BANK>{bank}</td>
                <td role="cell" colspan="3">
                    <span class="accounts__waits">{says}</span>
                    <button class="link-quiet" type="button" on:click=dismiss>{words::DISMISS}</button>
                </td>
            </tr>
        }
    };
    let linkings: Vec<_> = linkings.into_iter().map(linking).collect();
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
                {rows}
                {note(words::ACCOUNTS_EMPTY, flag(move || known.get().count() != Some(0)))}
                {note(words::ACCOUNTS_UNKNOWN, flag(move || !known.get().is_nothing()))}
                <tr class="accounts__loading" role="row" hidden=flag(move || !known.get().is_loading())>
                    <td role="cell" class="accounts__empty" colspan="4"><span class=SKELETON></span></td>
                </tr>
            </tbody>
        </table>
    }
}
