//! The types that cross between the server and the browser: the context blob, and what each action takes and answers.
//!
//! `make types` writes their TypeScript twins to `islands-react/src/generated/`.

use std::fmt;

use serde::{Deserialize, Serialize};

#[cfg(test)]
use ts_rs::TS;

/// What the firm's link was made for (spec §3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "lowercase")]
pub enum WidgetType {
    /// Link new accounts. Also what an unknown or missing type means.
    #[default]
    New,
    /// Renew one existing link.
    Update,
    /// Cancel every link.
    Cancel,
}

/// What the islands of one page need to know about the session (design D4); never the token.
///
/// Written once per page as JSON into `<script id="vincula-context">`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Context {
    /// Goes with every action, so that a page of a replaced session cannot act (design D11).
    pub session: String,
    pub client_name: String,
    /// The accounting firm.
    pub customer_name: String,
    pub widget_type: WidgetType,
    /// The success call has been made.
    pub is_success: bool,
    /// Only on the bank form.
    pub bank_form: Option<BankFormContext>,
}

/// What the bank form starts with (spec §2, "Bank and administrator form").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct BankFormContext {
    /// The code of the bank chosen before, or empty.
    pub bank: String,
    /// The saved administrator's name, or empty.
    pub name: String,
    /// The name cannot be edited.
    pub name_is_fixed: bool,
    /// The saved administrator's CPF as the field shows it (`000.000.000-00`), or empty.
    pub cpf: String,
    /// The CPF cannot be edited.
    pub cpf_is_fixed: bool,
}

/// One authorised account: a row of the table (spec §3).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Account {
    pub bank: String,
    /// The branch; left zeros matter.
    pub agency: String,
    /// The account number with its check digit.
    pub number: String,
    pub name: String,
}

/// One bank of the bank list (spec §3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct BankOption {
    pub code: String,
    pub name: String,
}

/// Input of the actions that need nothing but a session.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct FromPage {
    /// [`Context::session`] of the page that acts.
    pub session: String,
}

/// Input of `list_accounts`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ListAccounts {
    pub session: String,
    /// [`Accounts::Listed`]'s digest of the list that the page has.
    #[serde(default)]
    pub known: Option<String>,
}

/// Input of `validate_token`.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ValidateToken {
    /// The query string of the link as the address bar shows it, with or without `?`.
    pub query: String,
}

/// Input of `save_bank_form`: texts as typed.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct SaveBankForm {
    pub session: String,
    /// [`BankOption::code`].
    pub bank: String,
    pub name: String,
    /// With or without punctuation.
    pub cpf: String,
}

impl fmt::Debug for ValidateToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ValidateToken(…)")
    }
}

impl fmt::Debug for SaveBankForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SaveBankForm(…)")
    }
}

/// Input of `finish_connect`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct FinishConnect {
    pub session: String,
    /// Id of the item that Connect made or updated.
    pub item_id: String,
}

/// Input of `report_connect_error`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ReportConnectError {
    pub session: String,
    /// Connect's own message, or the reason why Connect did not open.
    pub message: String,
    pub item_id: Option<String>,
}

/// Input of `report_island`: an island that could not start or broke.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ReportIsland {
    /// The island's name, as in the manifest.
    pub island: String,
    /// A short technical reason, without personal data.
    pub reason: String,
}

/// Where the page goes next: always a path of ours, and the history entry is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Next {
    pub to: String,
}

/// Output of `list_accounts`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Accounts {
    /// `digest` stands for the list: a page that sends it back learns whether anything has changed.
    Listed { digest: String, accounts: Vec<Account> },
    /// The list is still the one whose digest the page sent.
    Unchanged,
}

/// Output of `list_banks`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Banks {
    pub banks: Vec<BankOption>,
}

/// Output of the actions that answer nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
pub struct Done {}

/// Output of `open_connect`: what Pluggy Connect is started with (spec §7, design D14).
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ConnectStart {
    pub connect_token: String,
    /// The session's `link_id`, if it has one.
    pub update_item: Option<String>,
    pub include_sandbox: bool,
    /// Address of the Connect page.
    pub url: String,
    /// Prefills the bank's form: the administrator's CPF, digits only.
    pub cpf: Option<String>,
    /// Prefills the bank's form where the client is a company.
    pub cnpj: Option<String>,
}

/// Why an action failed and what the page does about it (spec §8, design D8). The body of every answer that is not 2xx.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    #[serde(flatten)]
    pub reaction: Reaction,
    /// Support code: the id of the request in our log. Absent when no request reached us.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

/// What the page does about a failed action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reaction {
    /// Nobody answered: toast 'Houve falha na requisição.' and stay.
    NoReply,
    /// Go there, replacing the history entry.
    Navigate { to: String },
    /// The session of this page was replaced in another tab: say so, do nothing.
    OtherTab,
    /// What was typed does not pass: show the words under each field.
    Invalid { fields: Vec<FieldError> },
}

/// One field of the bank form that does not pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct FieldError {
    pub field: BankFormField,
    pub code: FieldErrorCode,
}

/// A field of the bank form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "lowercase")]
pub enum BankFormField {
    Bank,
    Name,
    Cpf,
}

/// What is wrong with a field; the words are the browser's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(TS), ts(export))]
#[serde(rename_all = "lowercase")]
pub enum FieldErrorCode {
    /// Empty.
    Required,
    /// Filled, but not valid.
    Invalid,
}
