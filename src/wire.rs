//! The wire types between server and browser: the page context, and the input and output of each
//! action.
//!
//! `make types` generates their TypeScript equivalents in `islands-react/src/generated/`.

use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;
use vincula_domain::Private;

use crate::{
    administrator::{Administrator, BankFormField},
    destination::Destination,
};

/// The purpose of the firm's link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "lowercase")]
pub enum WidgetType {
    /// Link new accounts. Also stands for an unknown or missing type.
    #[default]
    New,
    /// Renew one existing link.
    Update,
    /// Cancel every link.
    Cancel,
}

/// What a page's module and islands know of the session; never the token. The wasm module reads only
/// what its own islands show.
///
/// The server writes it into the page once, as JSON in `<script id="vincula-context">`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "camelCase")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts of a session that exclude no other"
)]
pub struct PageContext {
    /// Id of the session. Every action sends it, so that a page of a replaced session cannot act.
    pub session: String,
    #[cfg_attr(test, ts(as = "String"))]
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    pub client_name: Private<String>,
    /// The accounting firm.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    pub customer_name: String,
    /// Whether the firm was authorized in this session.
    pub authorized: bool,
    /// Whether everything was cancelled and the firm is not authorized again.
    pub cancelled: bool,
    pub widget_type: WidgetType,
    /// Whether the firm asked for a connection to be renewed, and it has not been renewed yet.
    pub renewal_due: bool,
    /// Whether the success call needs not be made: it was, or every link was cancelled.
    pub is_confirmed: bool,
    /// The account that was linked last in this session. It may already be on the list.
    pub linking: Option<LinkingNotice>,
    /// The chosen bank's name as the form showed it, or empty.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    pub bank: String,
    /// Present on the consent only.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    pub consent: Option<ConsentContext>,
    /// Present on the bank form only.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    pub bank_form: Option<BankFormContext>,
}

/// An account that was linked in this session.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "camelCase")]
pub struct LinkingNotice {
    /// The bank's name as Connect gave it with the item, else as the form showed it, or empty.
    pub bank: String,
    /// The time of day in Brasília: "16h40".
    pub time: String,
    /// Whether another person has to approve the account at the bank.
    pub waits_for_approval: bool,
    /// For how many more seconds the accounts screen mentions it. It mentions an account that waits
    /// for an approval as long as the session lives.
    pub shown_secs: u32,
}

/// What the consent shows besides the names of firm and client.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "camelCase")]
pub struct ConsentContext {
    /// The client's document after its kind, for example "CPF ***.982.247-**". Empty if it is
    /// neither a CPF nor a CNPJ.
    #[cfg_attr(test, ts(as = "String"))]
    pub client_document: Private<String>,
}

/// The initial values of the bank form.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "camelCase")]
pub struct BankFormContext {
    /// The code of the previously chosen bank, or empty.
    pub bank: String,
    /// That bank's name as the form showed it, or empty.
    pub bank_name: String,
    /// The saved administrator, as the fields show it.
    #[serde(flatten)]
    pub administrator: Administrator,
    /// The fields that cannot be edited.
    pub fixed: Vec<BankFormField>,
    /// Whether Connect asks for the bank again, because the form's bank codes are not Connect's.
    pub bank_is_asked_again: bool,
}

/// One authorised account: a row of the table.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct AccountRow {
    /// The name under which people know the bank, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub brand: String,
    pub bank: String,
    /// The branch; leading zeros matter.
    pub agency: Private<String>,
    /// The account number with its check digit.
    pub number: Private<String>,
    pub name: Private<String>,
}

/// One bank of the bank list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
pub struct BankOption {
    pub code: String,
    pub name: String,
    /// The name under which people know the bank, or empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub brand: String,
}

/// Input of the actions that need only a session.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
pub struct FromPage {
    /// The id of the page's session.
    pub session: String,
}

/// Input of `validate_token`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
pub struct ValidateTokenInput {
    /// The query string of the link as the address bar shows it, with or without `?`.
    #[cfg_attr(test, ts(as = "String"))]
    pub query: Private<String>,
}

/// Input of `save_bank_form`, as typed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "camelCase")]
pub struct SaveBankFormInput {
    pub session: String,
    /// [`BankOption::code`].
    pub bank: String,
    /// The bank's name as the form shows it, which distinguishes it from others of its code.
    #[serde(default)]
    pub bank_name: String,
    #[serde(flatten)]
    pub administrator: Administrator,
}

/// How Connect reported an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "lowercase")]
pub enum ItemKind {
    #[default]
    Success,
    /// In an error: the account waits for another person's approval.
    Pending,
}

/// Input of `finish_connect` and `submit_item`: an item as the browser keeps it.
// The defaults are for pages of the version before.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "camelCase")]
pub struct ItemInput {
    pub session: String,
    /// Id of the item that Connect created or updated.
    pub item_id: String,
    #[serde(default)]
    pub kind: ItemKind,
    /// The bank's name as Connect gave it with the item, else as chosen, or empty.
    #[serde(default)]
    pub bank: String,
    /// Whether another person has to approve the account at the bank.
    #[serde(default, alias = "pending")]
    pub waits: bool,
    /// The link that Connect was to update; empty for a new one. Absent: the session's.
    #[serde(default)]
    pub renews: Option<String>,
    /// How long ago Connect reported the item, in seconds.
    #[serde(default)]
    pub age_secs: u32,
    /// Whether the item was sent before. Then an update that changes nothing is no failure.
    #[serde(default)]
    pub again: bool,
}

/// What became of an item of Connect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "snake_case")]
pub enum ItemOutcome {
    /// The widget API has it: the browser forgets it.
    Accepted,
    /// The widget API does not have it yet: the browser keeps it and submits it again.
    Kept,
    /// The widget API refuses it, and would refuse it again: the browser forgets it.
    Refused,
}

/// Output of `finish_connect`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
pub struct FinishedConnect {
    /// Where the client goes on; absent if the page stays.
    #[cfg_attr(test, ts(type = "string | null"))]
    pub to: Option<Destination>,
    pub item: ItemOutcome,
}

/// Output of `submit_item`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
pub struct SubmittedItem {
    pub item: ItemOutcome,
}

/// Input of `report_connect_error`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "camelCase")]
pub struct ReportConnectErrorInput {
    pub session: String,
    /// Connect's error message, or the reason why Connect did not open.
    #[cfg_attr(test, ts(as = "String"))]
    pub message: Private<String>,
    pub item_id: Option<String>,
}

/// Input of `report_island`: an island that failed to start or crashed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
pub struct ReportIslandInput {
    /// The island's name, as in the manifest.
    pub island: String,
    /// A technical reason. A library's message may repeat typed text, so the server redacts it.
    #[cfg_attr(test, ts(as = "String"))]
    pub reason: Private<String>,
}

/// The page to navigate to: always a path of the product, replacing the history entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
pub struct Onward {
    #[cfg_attr(test, ts(type = "string"))]
    pub to: Destination,
}

impl<T: Into<Destination>> From<T> for Onward {
    fn from(to: T) -> Self {
        Self { to: to.into() }
    }
}

/// Output of `list_accounts`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Accounts {
    pub accounts: Vec<AccountRow>,
    /// The time of day of the list in Brasília: "16h40".
    pub time: String,
}

/// Output of `list_banks`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
pub struct Banks {
    pub banks: Vec<BankOption>,
}

/// Input of `accept_consent`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
pub struct AcceptConsentInput {
    pub session: String,
    /// The version of the text that was shown.
    pub version: u32,
}

/// Output of the actions that return no data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
pub struct Done {}

/// Output of `open_connect`: the options of Pluggy Connect.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export, export_to = "types.ts"))]
#[serde(rename_all = "camelCase")]
pub struct ConnectStart {
    #[cfg_attr(test, ts(as = "String"))]
    pub connect_token: Private<String>,
    /// The session's `link_id`, if it has one.
    pub update_item: Option<String>,
    pub include_sandbox: bool,
    /// Address of the Connect page.
    pub url: String,
    /// Prefills the bank's form: the administrator's CPF, digits only.
    #[cfg_attr(test, ts(as = "Option<String>"))]
    pub cpf: Option<Private<String>>,
    /// Prefills the bank's form: the CNPJ of a client that is a company.
    #[cfg_attr(test, ts(as = "Option<String>"))]
    pub cnpj: Option<Private<String>>,
    /// The connector of the chosen bank. Connect opens it directly instead of its own list.
    pub selected_connector_id: Option<u32>,
}
