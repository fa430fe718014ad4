//! The accounts that a page knows, and their table.

use leptos::{prelude::*, task::spawn_local};
use vincula_domain::{
    bank::is_same_bank,
    plain_text::plain_text,
    wire::{Account, AccountList, Linking, LinkingState, PageContext, WaitingAccount},
    words,
};

use crate::{
    call, js, page,
    view::{Dynamic, bool_attr},
};

/// How long the confirmation of an account may take, in seconds.
const CONFIRMED_WITHIN_SECS: u32 = 5 * 60;

/// How long an account that was not confirmed is shown, in seconds. The list may name its bank
/// differently, so the page does not claim for longer that the account is missing.
const SHOWN_FOR_SECS: u32 = 60 * 60;

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
    /// A text about the bank of its row, over several columns: as a cell, it would be read with the
    /// heading of the first of them. Without a role, Orca would not get past it.
    pub const ABOUT_ROW: &str = "rowheader";
}

/// The widget API's list of accounts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ListState {
    #[default]
    Loading,
    /// The list could not be loaded.
    Unknown,
    Listed(AccountList),
}

/// What a page knows of the accounts: the list, and the accounts that were linked in this session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownAccounts {
    pub list: ListState,
    linkings: Vec<Linking>,
}

impl KnownAccounts {
    pub fn new(list: ListState, context: &PageContext) -> Self {
        let mut known = Self {
            list,
            linkings: context.linkings.clone(),
        };
        known.mark_overdue(0);
        known
    }

    /// The list, once there is one.
    pub fn listed(&self) -> Option<&AccountList> {
        if let ListState::Listed(list) = &self.list {
            Some(list)
        } else {
            None
        }
    }

    /// How many authorised accounts there are, if that is known.
    pub fn count(&self) -> Option<usize> {
        self.listed().map(|list| list.accounts.len())
    }

    /// Whether there are neither authorised nor waiting accounts.
    pub fn is_empty(&self) -> bool {
        self.count() == Some(0) && self.waiting().next().is_none()
    }

    /// How many accounts are shown, including waiting ones.
    pub fn shown_count(&self) -> usize {
        self.count().unwrap_or_default() + self.waiting().count()
    }

    /// The text for a list without authorised accounts: the number of waiting ones, if any.
    pub fn none_listed(&self) -> String {
        let waiting = self.waiting().count();
        if waiting == 0 {
            words::NONE_LISTED.to_owned()
        } else if self.waiting().all(|row| row.state == LinkingState::Awaits) {
            words::awaiting_count(waiting)
        } else {
            words::confirming_count(waiting)
        }
    }

    /// Whether a consent can be withdrawn although there is no account: it was given, or accounts
    /// are waiting.
    pub fn may_withdraw(&self, authorized: bool) -> bool {
        self.count() == Some(0) && (authorized || self.waiting().next().is_some())
    }

    /// The lead above the list.
    pub fn lead(&self) -> &'static str {
        let confirmed_first = self
            .unlisted()
            .find(|row| row.state != LinkingState::Awaits);
        let wait_for = confirmed_first
            .or_else(|| self.waiting().next())
            .map(|row| row.state);
        match (self.count(), wait_for) {
            (Some(0), None) => words::ACCOUNTS_LEAD_NONE,
            (Some(0), Some(LinkingState::Awaits)) => words::ACCOUNTS_LEAD_AWAITING,
            (Some(0), Some(_)) => words::ACCOUNTS_LEAD_WAITING,
            _ => words::ACCOUNTS_LEAD,
        }
    }

    /// The waiting accounts: those of this session that the list does not have, then those of the
    /// list.
    fn waiting(&self) -> impl Iterator<Item = &WaitingAccount> {
        self.unlisted()
            .chain(self.listed().into_iter().flat_map(|list| &list.waiting))
    }

    /// The accounts of this session that the list does not have, by their bank. A second account of
    /// a bank counts as listed with the first one. An account is late only according to a list. An
    /// account of an unknown bank is late only if the list is empty.
    fn unlisted(&self) -> impl Iterator<Item = &WaitingAccount> {
        let list = self.listed();
        let is_shown = move |row: &&WaitingAccount| match list {
            Some(list) if row.bank.is_empty() => {
                row.state != LinkingState::Late || list.accounts.is_empty()
            }
            Some(list) => !is_listed(&row.bank, list),
            None => row.state != LinkingState::Late,
        };
        self.linkings
            .iter()
            .map(|linking| &linking.row)
            .filter(is_shown)
    }

    /// Takes the list of a response, or keeps the previous one (`None`). `secs` is the age of the
    /// page. Returns whether anything has changed.
    pub fn update(&mut self, list: Option<AccountList>, secs: u32) -> bool {
        let before = self.linkings.clone();
        self.mark_overdue(secs);
        let is_new = list.is_some();
        if let Some(list) = list {
            self.list = ListState::Listed(list);
        }
        is_new || self.linkings != before
    }

    /// Marks accounts that are not confirmed after five minutes, and removes them after an hour.
    /// `secs` is the age of the page.
    fn mark_overdue(&mut self, secs: u32) {
        self.linkings.retain_mut(|Linking { row, age_secs, .. }| {
            let age = age_secs.saturating_add(secs);
            if row.state != LinkingState::Awaits && age >= CONFIRMED_WITHIN_SECS {
                row.state = LinkingState::Late;
            }
            row.state == LinkingState::Awaits || age < SHOWN_FOR_SECS
        });
    }

    /// Adds accounts that the tab keeps because the server does not have them yet.
    fn add_kept(&mut self, kept: Vec<Linking>) {
        for linking in kept {
            // The server may have recorded it, if the page was left before the response.
            let is_recorded = self.linkings.iter().any(|recorded| {
                recorded.row.bank == linking.row.bank && recorded.age_secs <= linking.age_secs
            });
            if !is_recorded {
                self.linkings.push(linking);
            }
        }
        self.mark_overdue(0);
    }
}

fn is_listed(bank: &str, AccountList { accounts, waiting }: &AccountList) -> bool {
    let accounts = accounts
        .iter()
        .map(|account| (&account.brand, &account.bank));
    let mut banks = accounts.chain(waiting.iter().map(|row| (&row.brand, &row.bank)));
    banks.any(|(brand, listed)| brand == bank || is_same_bank(listed, bank))
}

/// Shows the accounts that the tab keeps, and submits them to the server.
pub fn show_kept_items(session: &str, known: RwSignal<KnownAccounts>) {
    let kept: Vec<Linking> = js::read(page::kept_linkings(session)).unwrap_or_default();
    let session = session.to_owned();
    // In a task, because the server has not rendered these rows, so they must not exist during
    // hydration.
    spawn_local(async move {
        if !kept.is_empty() {
            known.update(|known| known.add_kept(kept));
        }
        call::submit_items(&session).await;
    });
}

/// The table; on phones CSS shows its rows as cards. An empty list is one full-width row that says
/// so. `firm` is whom to ask about a missing account. It is not needed where a cancellation would
/// end the accounts (`to_cancel`).
#[component]
pub fn AccountsTable(
    known: RwSignal<KnownAccounts>,
    #[prop(optional)] firm: String,
    #[prop(optional)] to_cancel: bool,
) -> impl IntoView {
    let waiting: Dynamic<Vec<_>> = Box::new(move || {
        known
            .read()
            .waiting()
            .map(|waits| row(waiting_row(waits, &firm, to_cancel)))
            .collect()
    });
    let accounts = move || {
        known
            .read()
            .listed()
            .map(|list| numbered(&list.accounts))
            .unwrap_or_default()
    };
    let note: Dynamic<Vec<_>> = Box::new(move || {
        note_row(&known.read(), to_cancel)
            .into_iter()
            .map(row)
            .collect()
    });
    view! {
        <table
            class="accounts"
            role="table"
            tabindex="-1"
            aria-busy=bool_attr(move || known.read().list == ListState::Loading)
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
            <tbody role=role::ROWS>{waiting}</tbody>
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

fn waiting_row(row: &WaitingAccount, firm: &str, to_cancel: bool) -> Row {
    let WaitingAccount {
        brand,
        bank,
        state,
        approve_by,
    } = row;
    let (bank, note) = names_of(brand, bank);
    let bank = if bank.is_empty() {
        words::LINKED_ACCOUNT
    } else {
        bank
    };
    let wide = |columns, text| Cell {
        columns: Some(columns),
        text,
        ..Cell::default()
    };
    let cells = if to_cancel {
        vec![Cell {
            note,
            ..wide("4", words::linking_to_cancel(bank, *state))
        }]
    } else {
        vec![
            Cell {
                note,
                ..cell(words::BANK, bank)
            },
            Cell {
                role: role::ABOUT_ROW,
                ..wide("3", words::linking(*state, firm, approve_by))
            },
        ]
    };
    Row {
        class: Some("accounts__linking"),
        cells,
    }
}

/// The row in place of accounts: there are none, none are known, or they are not loaded yet.
fn note_row(known: &KnownAccounts, to_cancel: bool) -> Option<Row> {
    let cell = Cell {
        class: Some("accounts__empty"),
        columns: Some("4"),
        ..Cell::default()
    };
    let (class, cell) = match &known.list {
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
        ListState::Listed(list) if list.accounts.is_empty() && !to_cancel => (
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
    use LinkingState::{Awaits, Confirming, Late};
    use vincula_domain::bank::brand_of;

    use super::*;

    fn waiting_account(bank: &str, state: LinkingState) -> WaitingAccount {
        let brand = brand_of(bank).unwrap_or_default().to_owned();
        WaitingAccount {
            brand,
            bank: bank.to_owned(),
            state,
            approve_by: String::new(),
        }
    }

    fn linking(bank: &str, state: LinkingState, age_secs: u32) -> Linking {
        Linking {
            row: waiting_account(bank, state),
            linked_at: String::new(),
            age_secs,
        }
    }

    /// A page with these linkings and these accounts, `secs` after both.
    fn page(linkings: &[(&str, LinkingState)], list: Option<&[&str]>, secs: u32) -> KnownAccounts {
        let linkings = linkings
            .iter()
            .map(|(bank, state)| linking(bank, *state, 0))
            .collect();
        let mut known = KnownAccounts {
            list: ListState::Loading,
            linkings,
        };
        known.update(list.map(accounts), secs);
        known
    }

    fn accounts(banks: &[&str]) -> AccountList {
        let account = |bank: &&str| Account {
            brand: brand_of(bank).unwrap_or_default().to_owned(),
            bank: (*bank).to_owned(),
            agency: "1".to_owned(),
            number: "2".to_owned(),
            name: "N".to_owned(),
        };
        AccountList {
            accounts: banks.iter().map(account).collect(),
            waiting: Vec::new(),
        }
    }

    fn shown(known: &KnownAccounts) -> Vec<(&str, LinkingState)> {
        known.waiting().map(|row| (&*row.bank, row.state)).collect()
    }

    #[test]
    fn kept_item_that_server_has_recorded_adds_no_row() {
        let mut known = page(&[("Inter", Confirming)], None, 0);
        known.linkings[0].age_secs = 5;
        known.add_kept(vec![linking("Inter", Confirming, 6)]);
        assert_eq!(shown(&known), [("Inter", Confirming)]);
        known.add_kept(vec![
            linking("Inter", Confirming, 4),
            linking("Nubank", Confirming, 6),
        ]);
        assert_eq!(known.linkings.len(), 3, "linked later, or at another bank");
    }

    #[test]
    fn shows_linked_account_until_bank_is_listed() {
        let linkings = [
            ("Inter", Confirming),
            ("Itaú", Confirming),
            ("Nubank", Awaits),
        ];
        assert_eq!(shown(&page(&linkings, None, 0)), linkings);
        assert_eq!(shown(&page(&linkings, Some(&[]), 0)), linkings);
        assert_eq!(
            shown(&page(&linkings, Some(&["ITAU UNIBANCO S.A."]), 0)),
            [linkings[0], linkings[2]]
        );
        assert_eq!(
            shown(&page(
                &linkings,
                Some(&["NU PAGAMENTOS - IP", "Banco Inter S.A."]),
                0
            )),
            [linkings[1]]
        );
        let registered = "PagSeguro Internet Instituição de Pagamento S.A.";
        assert_eq!(
            shown(&page(&[("PagBank", Confirming)], Some(&[registered]), 0)),
            []
        );
        let mut known = page(&linkings, None, 0);
        known.update(
            Some(AccountList {
                waiting: vec![waiting_account("Itaú Unibanco", Awaits)],
                ..accounts(&[])
            }),
            0,
        );
        assert_eq!(
            shown(&known),
            [linkings[0], linkings[2], ("Itaú Unibanco", Awaits)],
            "taken over"
        );
    }

    #[test]
    fn unconfirmed_account_is_late_after_five_minutes_and_removed_after_an_hour() {
        let linkings = [("Inter", Confirming), ("Nubank", Awaits)];
        assert_eq!(shown(&page(&linkings, Some(&[]), 299)), linkings);
        let late = [("Inter", Late), ("Nubank", Awaits)];
        assert_eq!(shown(&page(&linkings, Some(&[]), 300)), late);
        assert_eq!(
            shown(&page(&linkings, Some(&["Brand of Inter's"]), 3599)),
            late,
            "under another name"
        );
        assert_eq!(
            shown(&page(&linkings, Some(&["Brand of Inter's"]), 3600)),
            [("Nubank", Awaits)]
        );
    }

    #[test]
    fn list_with_bank_codes_marks_no_account_late() {
        assert_eq!(
            shown(&page(&[("Itaú", Confirming)], Some(&["341"]), 300)),
            []
        );
        assert_eq!(
            shown(&page(&[("", Confirming)], Some(&["Itaú"]), 300)),
            [],
            "nor a bank without a name"
        );
        assert_eq!(
            shown(&page(&[("", Confirming)], Some(&[]), 300)),
            [("", Late)],
            "unless there is no account at all"
        );
        assert_eq!(
            shown(&page(&[("Inter", Confirming)], None, 300)),
            [],
            "nor does a missing list"
        );
    }

    #[test]
    fn account_of_unknown_bank_waits_next_to_other_accounts() {
        assert_eq!(
            shown(&page(&[("", Confirming)], Some(&["Itaú"]), 299)),
            [("", Confirming)]
        );
    }

    #[test]
    fn detects_changes_by_list_and_by_time() {
        let mut known = page(&[("Inter", Confirming)], Some(&[]), 0);
        assert!(!known.update(None, 200));
        assert!(known.update(None, 300) && !known.update(None, 400));
        assert!(known.update(Some(accounts(&["Itaú"])), 400));
        assert!(known.update(None, 3600));
    }

    #[test]
    fn lead_names_what_is_missing() {
        let lead = |linkings: &[(&str, LinkingState)], banks: &[&str]| {
            page(linkings, Some(banks), 0).lead()
        };
        let (inter, itau) = (("Inter", Confirming), ("Itaú", Awaits));
        assert_eq!(lead(&[], &[]), words::ACCOUNTS_LEAD_NONE);
        assert_eq!(lead(&[inter], &[]), words::ACCOUNTS_LEAD_WAITING);
        assert_eq!(lead(&[itau], &[]), words::ACCOUNTS_LEAD_AWAITING);
        assert_eq!(
            lead(&[itau, inter], &[]),
            words::ACCOUNTS_LEAD_WAITING,
            "the confirmation comes first"
        );
        assert_eq!(lead(&[inter], &["X"]), words::ACCOUNTS_LEAD);
        assert_eq!(
            page(&[inter], None, 0).lead(),
            words::ACCOUNTS_LEAD,
            "not known yet"
        );
    }

    #[test]
    fn empty_list_shows_number_of_waiting_accounts() {
        let says = |linkings: &[(&str, LinkingState)]| page(linkings, Some(&[]), 0).none_listed();
        let (inter, itau) = (("Inter", Confirming), ("Itaú", Awaits));
        assert_eq!(says(&[]), "Nenhuma conta na lista");
        assert_eq!(says(&[inter]), "1 conta em confirmação");
        assert_eq!(says(&[itau]), "1 conta em aprovação");
        assert_eq!(says(&[itau, itau]), "2 contas em aprovação");
        assert_eq!(
            says(&[itau, inter]),
            "2 contas em confirmação",
            "the confirmation comes first"
        );
    }

    #[test]
    fn row_shows_brand_above_listed_name() {
        let names = |bank: &str| {
            let list = accounts(&[bank]);
            let cell = account_row(&list.accounts[0]).cells.swap_remove(0);
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
        let waits = waiting_account("NU PAGAMENTOS - IP", Awaits);
        for to_cancel in [false, true] {
            let cell = waiting_row(&waits, "", to_cancel).cells.swap_remove(0);
            assert!(cell.text.starts_with("Nubank"), "{}", cell.text);
            assert_eq!(cell.note.as_deref(), Some("NU PAGAMENTOS - IP"));
        }
    }

    #[test]
    fn equal_accounts_get_different_keys() {
        let list = accounts(&["Itaú", "Inter", "Itaú"]);
        let numbers: Vec<_> = numbered(&list.accounts)
            .into_iter()
            .map(|(_, number)| number)
            .collect();
        assert_eq!(numbers, [0, 0, 1]);
    }

    #[test]
    fn hides_empty_message_if_cancellation_would_end_waiting_accounts() {
        let note = |known: &KnownAccounts, to_cancel| {
            note_row(known, to_cancel).map(|row| row.cells[0].text.clone())
        };
        let empty = page(&[("Inter", Confirming)], Some(&[]), 0);
        assert_eq!(note(&empty, false).as_deref(), Some(words::ACCOUNTS_EMPTY));
        assert_eq!(note(&empty, true), None);
        assert_eq!(note(&page(&[], Some(&["Inter"]), 0), false), None);
        let known = KnownAccounts {
            list: ListState::Unknown,
            ..empty
        };
        assert_eq!(
            note(&known, false).as_deref(),
            Some(words::ACCOUNTS_UNKNOWN)
        );
    }
}
