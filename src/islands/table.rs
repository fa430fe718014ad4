//! The widget API's list of accounts, and its table.

use leptos::prelude::*;
use vincula_domain::{
    plain_text::plain_text,
    wire::{Account, Linking},
    words,
};

use crate::islands::view::{Dynamic, bool_attr};

/// The selector of the table, which takes the focus: a screen reader reads its caption and its
/// size.
pub const TABLE: &str = ".accounts";

/// The roles of the table's parts. On a phone, the style sheet shows no table, so screen readers
/// would not find one without roles.
mod role {
    pub const ROWS: &str = "rowgroup";
    pub const ROW: &str = "row";
    pub const CELL: &str = "cell";
    pub const COLUMN: &str = "columnheader";
}

/// The widget API's list of accounts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ListState {
    #[default]
    Loading,
    /// The list could not be loaded.
    Unknown,
    Listed(Vec<Account>),
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

    /// The lead above the list.
    pub fn lead(&self, linking: Option<&Linking>) -> &'static str {
        if self.is_empty() && linking.is_none() {
            words::ACCOUNTS_LEAD_NONE
        } else {
            words::ACCOUNTS_LEAD
        }
    }
}

/// The table; on phones CSS shows its rows as cards. An empty list is one full-width row that says
/// so.
#[component]
pub fn AccountsTable(list: RwSignal<ListState>) -> impl IntoView {
    let accounts = move || match &*list.read() {
        ListState::Listed(accounts) => numbered(accounts),
        ListState::Loading | ListState::Unknown => Vec::new(),
    };
    let note: Dynamic<Vec<_>> =
        Box::new(move || note_row(&list.read()).into_iter().map(row).collect());
    view! {
        <table
            class="accounts"
            role="table"
            tabindex="-1"
            aria-busy=bool_attr(move || *list.read() == ListState::Loading)
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
            <tbody role=role::ROWS>
                // Keyed, so that the new row is highlighted.
                <For each=accounts key=Clone::clone children=|(account, _)| row(account_row(&account))/>
            </tbody>
            <tbody role=role::ROWS>{note}</tbody>
        </table>
    }
}

/// A row of the table, as text and class names.
struct Row {
    class: Option<&'static str>,
    cells: Vec<Cell>,
}

struct Cell {
    role: &'static str,
    /// The column's heading, for cards.
    label: Option<&'static str>,
    class: Option<&'static str>,
    /// How many columns it takes, if more than one.
    columns: Option<&'static str>,
    text: String,
    text_class: Option<&'static str>,
    /// Shown small below the text.
    note: Option<String>,
}

impl Default for Cell {
    fn default() -> Self {
        Self {
            role: role::CELL,
            label: None,
            class: None,
            columns: None,
            text: String::new(),
            text_class: None,
            note: None,
        }
    }
}

/// A cell under one heading.
fn cell(label: &'static str, text: &str) -> Cell {
    Cell {
        label: Some(label),
        text: text.to_owned(),
        ..Cell::default()
    }
}

/// Each account with the number of equal ones before it, as a unique key.
fn numbered(accounts: &[Account]) -> Vec<(Account, usize)> {
    let equal_before = |index: usize| {
        accounts[..index]
            .iter()
            .filter(|one| **one == accounts[index])
            .count()
    };
    accounts
        .iter()
        .enumerate()
        .map(|(index, account)| (account.clone(), equal_before(index)))
        .collect()
}

/// The bank in a row: the brand with the widget API's name below it, or only that name if there is
/// no brand or both are equal.
fn names_of<'a>(brand: &'a str, bank: &'a str) -> (&'a str, Option<String>) {
    if brand.is_empty() || plain_text(brand) == plain_text(bank) {
        (bank, None)
    } else {
        (brand, Some(bank.to_owned()))
    }
}

fn account_row(
    Account {
        brand,
        bank,
        agency,
        number,
        name,
    }: &Account,
) -> Row {
    let (bank, note) = names_of(brand, bank);
    let cells = vec![
        Cell {
            note,
            ..cell(words::BANK, bank)
        },
        cell(words::AGENCY, agency),
        cell(words::NUMBER, number),
        cell(words::NAME, name),
    ];
    Row {
        class: Some("accounts__row"),
        cells,
    }
}

/// The row in place of accounts: there are none, none are known, or they are not loaded yet.
fn note_row(list: &ListState) -> Option<Row> {
    let cell = Cell {
        class: Some("accounts__empty"),
        columns: Some("4"),
        ..Cell::default()
    };
    let (class, cell) = match list {
        ListState::Loading => (
            Some("accounts__loading"),
            Cell {
                text_class: Some("skeleton skeleton__line"),
                ..cell
            },
        ),
        ListState::Unknown => (
            None,
            Cell {
                text: words::ACCOUNTS_UNKNOWN.to_owned(),
                ..cell
            },
        ),
        ListState::Listed(accounts) if accounts.is_empty() => (
            None,
            Cell {
                text: words::ACCOUNTS_EMPTY.to_owned(),
                ..cell
            },
        ),
        ListState::Listed(_) => return None,
    };
    Some(Row {
        class,
        cells: vec![cell],
    })
}

fn row(Row { class, cells }: Row) -> impl IntoView {
    let cell = |Cell {
                    role,
                    label,
                    class,
                    columns,
                    text,
                    text_class,
                    note,
                }: Cell| {
        let note = note.map(|note| view! { <small>{note}</small> });
        view! {
            <td role=role class=class data-label=label colspan=columns><span class=text_class>{text}{note}</span></td>
        }
    };
    view! { <tr role=role::ROW class=class>{cells.into_iter().map(cell).collect::<Vec<_>>()}</tr> }
}

#[cfg(test)]
mod tests {
    use vincula_domain::bank::brand_of;

    use super::*;

    fn accounts(banks: &[&str]) -> Vec<Account> {
        let account = |bank: &&str| Account {
            brand: brand_of(bank).unwrap_or_default().to_owned(),
            bank: (*bank).to_owned(),
            agency: "1".to_owned(),
            number: "2".to_owned(),
            name: "N".to_owned(),
        };
        banks.iter().map(account).collect()
    }

    #[test]
    fn lead_names_what_is_missing() {
        let linking = Linking {
            bank: "Inter".to_owned(),
            day: "22/11/2026".to_owned(),
            time: "16h40".to_owned(),
            waits_for_approval: false,
            shown_secs: 600,
        };
        let none = ListState::Listed(Vec::new());
        assert_eq!(none.lead(None), words::ACCOUNTS_LEAD_NONE);
        assert_eq!(none.lead(Some(&linking)), words::ACCOUNTS_LEAD);
        let one = ListState::Listed(accounts(&["Inter"]));
        assert_eq!(one.lead(None), words::ACCOUNTS_LEAD);
        assert_eq!(ListState::Loading.lead(None), words::ACCOUNTS_LEAD);
    }

    #[test]
    fn row_shows_brand_above_listed_name() {
        let names = |bank: &str| {
            let cell = account_row(&accounts(&[bank])[0]).cells.swap_remove(0);
            (cell.text, cell.note)
        };
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
    fn equal_accounts_get_different_keys() {
        let numbers: Vec<_> = numbered(&accounts(&["Itaú", "Inter", "Itaú"]))
            .into_iter()
            .map(|(_, number)| number)
            .collect();
        assert_eq!(numbers, [0, 0, 1]);
    }

    #[test]
    fn empty_list_says_so_in_a_row() {
        let note = |list: &ListState| note_row(list).map(|row| row.cells[0].text.clone());
        let none = ListState::Listed(Vec::new());
        assert_eq!(note(&none).as_deref(), Some(words::ACCOUNTS_EMPTY));
        assert_eq!(note(&ListState::Listed(accounts(&["Inter"]))), None);
        let unknown = note(&ListState::Unknown);
        assert_eq!(unknown.as_deref(), Some(words::ACCOUNTS_UNKNOWN));
    }
}
