//! The people and companies of the cast. All are invented; their documents have valid check digits.

use serde::Serialize;

/// The accounting firm of most links.
const FIRM: &str = "Contábil Horizonte";

/// A client of the firm; serializes to the session data of spec §3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Profile {
    pub client_name: &'static str,
    /// CPF or CNPJ, with or without punctuation.
    pub client_cpfcnpj: &'static str,
    pub customer_id: u32,
    pub customer_name: &'static str,
    pub widget_account_admin_name: &'static str,
    pub widget_account_admin_cpfcnpj: &'static str,
    pub widget_type: Purpose,
    pub widget_account_bank: Option<&'static str>,
    /// Id of the item that an update renews.
    pub link_id: Option<&'static str>,
    pub client_uuid: Option<&'static str>,
}

/// The purpose of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    New,
    Update,
    Cancel,
}

/// The defaults: no administrator, no bank, no ids.
const BLANK: Profile = Profile {
    client_name: "",
    client_cpfcnpj: "",
    customer_id: 4217,
    customer_name: FIRM,
    widget_account_admin_name: "",
    widget_account_admin_cpfcnpj: "",
    widget_type: Purpose::New,
    widget_account_bank: None,
    link_id: None,
    client_uuid: None,
};

/// A company that links its first account.
pub const BAKERY: Profile = Profile {
    client_name: "Padaria Aurora Ltda",
    client_cpfcnpj: "40817256000100",
    client_uuid: Some("5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b01"),
    ..BLANK
};

/// An individual. The widget API leaves the administrator empty; the product fills it in (spec §3).
pub const PERSON: Profile = Profile {
    client_name: "Marina Alves de Souza",
    client_cpfcnpj: "41708293523",
    client_uuid: Some("5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b02"),
    ..BLANK
};

/// A company whose CNPJ has letters, as issued since July 2026. It has neither of the ids for connect-token.
pub const LETTERED: Profile =
    Profile { client_name: "Estúdio Maré Alta Ltda", client_cpfcnpj: "12ABC34501DE35", ..BLANK };

/// A company whose CNPJ has punctuation and whose administrator is saved.
pub const WORKSHOP: Profile = Profile {
    client_name: "Oficina Três Rios Ltda",
    client_cpfcnpj: "51.728.361/0001-90",
    widget_account_admin_name: "João Batista Ferreira",
    widget_account_admin_cpfcnpj: "52819304605",
    client_uuid: Some("5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b04"),
    ..BLANK
};

/// A company that renews its one integration.
pub const PHARMACY: Profile = Profile {
    client_name: "Farmácia Santa Luzia Ltda",
    client_cpfcnpj: "62839471000145",
    widget_account_admin_name: "Célia Regina Prado",
    widget_account_admin_cpfcnpj: "63920415752",
    widget_type: Purpose::Update,
    widget_account_bank: Some("341"),
    link_id: Some("0c9d7a54-3f0e-4a8b-8d6f-6f1c2b3a4d05"),
    client_uuid: Some("5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b05"),
    ..BLANK
};

/// A company that cancels all integrations.
pub const GROCERY: Profile = Profile {
    client_name: "Mercearia Boa Vista Ltda",
    client_cpfcnpj: "73940582000160",
    widget_type: Purpose::Cancel,
    client_uuid: Some("5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b06"),
    ..BLANK
};

/// A company that returns from the bank's page.
pub const FLORIST: Profile = Profile {
    client_name: "Floricultura Jasmim Ltda",
    client_cpfcnpj: "84051693000131",
    client_uuid: Some("5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b07"),
    ..BLANK
};

/// The company of the faulty links.
pub const UNLUCKY: Profile = Profile {
    client_name: "Transportes Bom Jesus Ltda",
    client_cpfcnpj: "95162704000177",
    client_uuid: Some("5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b08"),
    ..BLANK
};

/// A company whose item the provider no longer knows.
pub const ORPHANED: Profile = Profile {
    client_name: "Papelaria Central Ltda",
    client_cpfcnpj: "30617285000175",
    widget_type: Purpose::Update,
    link_id: Some("0c9d7a54-3f0e-4a8b-8d6f-6f1c2b3a4d09"),
    client_uuid: Some("5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b09"),
    ..BLANK
};

/// A company whose update changes nothing at the provider.
pub const UNCHANGED: Profile = Profile {
    client_name: "Clínica Vida Leve Ltda",
    client_cpfcnpj: "41728396000175",
    widget_type: Purpose::Update,
    link_id: Some("0c9d7a54-3f0e-4a8b-8d6f-6f1c2b3a4d10"),
    client_uuid: Some("5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b10"),
    ..BLANK
};

/// A company with an account that a second person has to approve at the bank.
pub const BUILDER: Profile = Profile {
    client_name: "Construtora Pedra Alta Ltda",
    client_cpfcnpj: "63940517000180",
    client_uuid: Some("5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b12"),
    ..BLANK
};

/// A company of another firm.
pub const SCHOOL: Profile = Profile {
    client_name: "Escola Pequeno Mundo Ltda",
    client_cpfcnpj: "52839406000166",
    customer_id: 5108,
    customer_name: "Bússola Contabilidade",
    client_uuid: Some("5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b11"),
    ..BLANK
};
