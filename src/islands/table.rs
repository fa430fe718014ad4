//! The widget API's list of accounts, and its table.

use leptos::{html::Table, prelude::*};
use vincula_domain::plain_text::plain_text;

use crate::{wire::AccountRow, words};

/// How long a call may take before the page says that it is slow, in milliseconds.
pub const SLOW_AFTER_MS: u32 = 8000;

/// The roles of the table's parts. On a phone, the style sheet shows no table, so screen readers
/// would not find one without roles.
mod role {
    pub const ROWS: &str = "rowgroup";
    pub const ROW: &str = "row";
    pub const CELL: &str = "cell";
    pub const COLUMN: &str = "columnheader";
    pub const HEAD: &str = "rowheader";
}

/// The widget API's list of accounts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ListState {
    #[default]
    Loading,
    /// The list could not be loaded.
    Unknown,
    Listed(Vec<AccountRow>),
}

impl ListState {
    /// How many accounts there are, if that is known.
    pub fn count(&self) -> Option<usize> {
        if let Self::Listed(accounts) = self {
            Some(accounts.len())
        } else {
            None
        }
    }

    /// Whether there are no accounts.
    pub fn is_empty(&self) -> bool {
        self.count() == Some(0)
    }

    /// Whether a row of the table says that there are no accounts, or that they are unknown.
    pub fn is_told_by_row(&self) -> bool {
        self.is_empty() || *self == Self::Unknown
    }

    /// Whether an account at this bank is listed, or any account if the bank's name is empty. Lists
    /// and Connect may name a bank differently: "Itaú" and "Itaú Empresas" are one.
    pub fn has_account_at(&self, bank: &str) -> bool {
        let Self::Listed(accounts) = self else {
            return false;
        };
        let bank = plain_text(bank);
        let is_same = |name: &str| {
            let name = plain_text(name);
            !name.is_empty() && (name.starts_with(&bank) || bank.starts_with(&name))
        };
        accounts
            .iter()
            .any(|account| is_same(&account.brand) || is_same(&account.bank))
    }

    /// The lead above the list of a client who has linked no account in this session.
    pub fn lead(&self, authorized: bool) -> &'static str {
        match self {
            Self::Listed(accounts) if !accounts.is_empty() => words::ACCOUNTS_LEAD,
            Self::Loading | Self::Listed(_) if authorized => words::ACCOUNTS_LEAD_FIRST,
            Self::Listed(_) => words::ACCOUNTS_LEAD_NONE,
            Self::Loading | Self::Unknown => words::ACCOUNTS_LEAD,
        }
    }
}

/// The table; on phones CSS shows its rows as cards. An empty list is one full-width row that says
/// so. It takes the focus after a retry: a screen reader reads its caption and its size.
#[component]
pub fn AccountsTable(list: RwSignal<ListState>, node_ref: NodeRef<Table>) -> impl IntoView {
    let accounts = move || match &*list.read() {
        ListState::Listed(accounts) => accounts.iter().map(row).collect_view(),
        ListState::Loading | ListState::Unknown => Vec::new(),
    };
    let note = move || {
        placeholder(&list.read()).map(|text| {
            view! {
                <tr role=role::ROW>
                    <td role=role::CELL class="accounts__empty" colspan="4">
                        <span class:skeleton__line=text.is_empty() prop:textContent=text></span>
                    </td>
                </tr>
            }
        })
    };
    view! {
        <table
            node_ref=node_ref
            class="accounts"
            role="table"
            tabindex="-1"
            aria-busy=move || (*list.read() == ListState::Loading).to_string()
        >
            <caption class="visually-hidden">{words::ACCOUNTS_CAPTION}</caption>
            <thead role=role::ROWS>
                <tr role=role::ROW>
                    <th role=role::COLUMN scope="col">{words::BANK}</th>
                    <th role=role::COLUMN scope="col">{words::AGENCY}</th>
                    <th role=role::COLUMN scope="col">{words::NUMBER}</th>
                    <th role=role::COLUMN scope="col">{words::NAME}</th>
                </tr>
            </thead>
            <tbody role=role::ROWS>{accounts}</tbody>
            <tbody role=role::ROWS>{note}</tbody>
        </table>
    }
}

/// An account. On phones, each cell shows its column's heading. The bank is the heading of the row,
/// because a cell would be read with the heading of its column alone.
fn row(account: &AccountRow) -> impl IntoView + use<> {
    let (bank, listed_as) = names_of(account);
    let AccountRow {
        agency,
        number,
        name,
        ..
    } = account.clone();
    view! {
        <tr role=role::ROW translate="no">
            <th role=role::HEAD scope="row" data-label=words::BANK>
                <span>{bank}{listed_as.map(|name| view! { <small>{name}</small> })}</span>
            </th>
            <td role=role::CELL data-label=words::AGENCY><span>{agency.into_inner()}</span></td>
            <td role=role::CELL data-label=words::NUMBER><span>{number.into_inner()}</span></td>
            <td role=role::CELL data-label=words::NAME><span>{name.into_inner()}</span></td>
        </tr>
    }
}

/// The bank in a row: the brand with the widget API's name below it, or only that name if there is
/// no brand or both are equal.
pub fn names_of(AccountRow { brand, bank, .. }: &AccountRow) -> (String, Option<String>) {
    if brand.is_empty() || plain_text(brand) == plain_text(bank) {
        (bank.clone(), None)
    } else {
        (brand.clone(), Some(bank.clone()))
    }
}

/// The text of the row in place of accounts: there are none, none are known, or they are not loaded
/// yet.
fn placeholder(list: &ListState) -> Option<&'static str> {
    match list {
        ListState::Loading => Some(""),
        ListState::Unknown => Some(words::ACCOUNTS_UNKNOWN),
        ListState::Listed(accounts) if accounts.is_empty() => Some(words::ACCOUNTS_EMPTY),
        ListState::Listed(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use vincula_domain::bank::brand_of;

    use super::*;

    fn accounts(banks: &[&str]) -> Vec<AccountRow> {
        let account = |bank: &&str| AccountRow {
            brand: brand_of(bank).unwrap_or_default().to_owned(),
            bank: (*bank).to_owned(),
            agency: "1".into(),
            number: "2".into(),
            name: "N".into(),
        };
        banks.iter().map(account).collect()
    }

    #[test]
    fn lead_names_what_is_missing() {
        let none = ListState::Listed(Vec::new());
        assert_eq!(none.lead(true), words::ACCOUNTS_LEAD_FIRST);
        assert_eq!(none.lead(false), words::ACCOUNTS_LEAD_NONE);
        let one = ListState::Listed(accounts(&["Inter"]));
        assert_eq!(one.lead(true), words::ACCOUNTS_LEAD);
        assert_eq!(ListState::Loading.lead(true), words::ACCOUNTS_LEAD_FIRST);
        assert_eq!(ListState::Loading.lead(false), words::ACCOUNTS_LEAD);
        assert_eq!(ListState::Unknown.lead(true), words::ACCOUNTS_LEAD);
    }

    #[test]
    fn finds_account_at_bank_by_either_name() {
        let list = ListState::Listed(accounts(&["ITAU UNIBANCO S.A.", "Nu Pagamentos"]));
        for bank in ["Itaú", "Itaú Empresas", "Nubank", "Nu Pagamentos", ""] {
            assert!(list.has_account_at(bank), "{bank}");
        }
        assert!(!list.has_account_at("Inter"));
        let none = ListState::Listed(Vec::new());
        for list in [none, ListState::Loading, ListState::Unknown] {
            assert!(!list.has_account_at(""), "{list:?}");
        }
    }

    #[test]
    fn row_shows_brand_above_listed_name() {
        let names = |bank: &str| names_of(&accounts(&[bank])[0]);
        assert_eq!(
            names("ITAU UNIBANCO S.A."),
            ("Itaú".to_owned(), Some("ITAU UNIBANCO S.A.".to_owned()))
        );
        assert_eq!(
            names("Nu Pagamentos"),
            ("Nubank".to_owned(), Some("Nu Pagamentos".to_owned()))
        );
        assert_eq!(
            names("ITAÚ"),
            ("ITAÚ".to_owned(), None),
            "as the list writes it"
        );
        assert_eq!(names("Banco do Vale"), ("Banco do Vale".to_owned(), None));
    }

    #[test]
    fn empty_list_says_so_in_a_row() {
        let none = ListState::Listed(Vec::new());
        assert_eq!(placeholder(&none), Some(words::ACCOUNTS_EMPTY));
        assert_eq!(placeholder(&ListState::Listed(accounts(&["Inter"]))), None);
        assert_eq!(
            placeholder(&ListState::Unknown),
            Some(words::ACCOUNTS_UNKNOWN)
        );
    }
}
