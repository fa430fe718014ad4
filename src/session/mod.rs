//! Who is at the door: what is known of the client between the first request and the last.

pub mod acting;
pub mod client;
pub mod cookie;
pub mod door;
pub mod guard;
pub mod stage;
pub mod token;

pub use acting::Acting;
pub use client::Client;
pub use cookie::{CookieKind, Keeper, SessionKeys};
pub use door::Visitor;
pub use guard::{Admission, admit};
pub use stage::Stage;
pub use token::{LinkToken, XsrfToken};

use serde::{Deserialize, Serialize};

use crate::{
    upstream::Caller,
    wire::{BankFormContext, Context},
};

/// Everything kept about one client, sealed in the session cookie (design D3).
#[derive(Debug, Clone)]
pub struct Session {
    pub id: SessionId,
    pub token: LinkToken,
    pub xsrf: Option<XsrfToken>,
    pub client: Client,
    pub stage: Stage,
    pub marks: Marks,
    /// Unix seconds of the last use, to within a minute.
    pub seen_at: u64,
}

/// What has happened in a session, whatever its stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Marks {
    /// Connect finished, or the client came back from the bank: the success screen may be shown.
    #[serde(default)]
    pub linked: bool,
    /// The success call was made, or all was cancelled (spec §3, "isSuccess").
    #[serde(default)]
    pub is_success: bool,
    /// All integrations were cancelled: `/cancel/success` may be shown (design D12).
    #[serde(default)]
    pub cancelled: bool,
}

/// Random name of a session. Every page carries it and every action sends it back (design D11).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionId(String);

impl SessionId {
    /// 128 random bits.
    pub fn random() -> Self {
        Self(format!("{:032x}", rand::random::<u128>()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Session {
    /// A session that has just been validated.
    pub fn new(token: LinkToken, client: Client, seen_at: u64) -> Self {
        let (stage, marks) = (Stage::Arrived, Marks::default());
        Self { id: SessionId::random(), token, xsrf: None, client, stage, marks, seen_at }
    }

    /// The same person's link, validated again (a return from the bank, the link opened twice): the upstream's data
    /// is fresh, what was done in this session stays. What the client typed outlives an upstream that does not know it.
    pub fn renewed(self, fresh: Client, seen_at: u64) -> Self {
        Self { client: fresh.keeping_admin_of(&self.client), seen_at, ..self }
    }

    /// Everything was cancelled (spec §4): there is nothing left to be a success but the cancellation.
    pub fn cancel(&mut self) {
        self.marks = Marks { linked: false, is_success: true, cancelled: true };
        self.stage = std::mem::take(&mut self.stage).forget_bank();
    }

    /// Who calls the upstream.
    pub fn caller(&self) -> Caller {
        Caller { token: Some(self.token.clone()), xsrf: self.xsrf.clone() }
    }

    /// What the islands of a page may know (design D4).
    pub fn context(&self) -> Context {
        Context {
            session: self.id.as_str().to_owned(),
            client_name: self.client.name.clone(),
            customer_name: self.client.customer_name.clone(),
            widget_type: self.client.widget_type,
            is_success: self.marks.is_success,
            bank_form: None,
        }
    }

    /// [`Session::context`] with what the bank form needs.
    pub fn bank_form_context(&self) -> Context {
        let bank_form = BankFormContext {
            bank: self.stage.bank().or(self.client.bank.as_ref()).map_or_else(String::new, |b| b.as_str().to_owned()),
            name: self.client.admin_name.clone(),
            name_is_fixed: self.client.admin_name_is_fixed(),
            cpf: self.client.admin_cpfcnpj.as_cpf_field(),
            cpf_is_fixed: self.client.admin_cpf_is_fixed(),
        };
        Context { bank_form: Some(bank_form), ..self.context() }
    }
}
