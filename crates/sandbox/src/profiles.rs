//! The people and companies behind the links. All are invented; their documents have valid check digits.

use serde::Serialize;

/// A client of the firm; serializes to the session data of validate-token.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Profile {
    pub client_name: &'static str,
    /// CPF or CNPJ, with or without punctuation.
    pub client_cpfcnpj: &'static str,
    pub customer_id: u32,
    pub customer_name: &'static str,
    pub widget_account_admin_name: &'static str,
    pub widget_account_admin_cpfcnpj: &'static str,
    /// `new`, `update` or `cancel`.
    pub widget_type: &'static str,
    pub widget_account_bank: Option<&'static str>,
    /// Id of the item that an update renews.
    pub link_id: Option<&'static str>,
    pub client_uuid: Option<&'static str>,
}

/// A client without administrator, bank and item.
const fn client(client_name: &'static str, client_cpfcnpj: &'static str, client_uuid: &'static str) -> Profile {
    Profile {
        client_name,
        client_cpfcnpj,
        customer_id: 4217,
        customer_name: "Contábil Horizonte",
        widget_account_admin_name: "",
        widget_account_admin_cpfcnpj: "",
        widget_type: "new",
        widget_account_bank: None,
        link_id: None,
        client_uuid: Some(client_uuid),
    }
}

pub const BAKERY: Profile = client("Padaria Aurora Ltda", "40817256000100", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b01");

/// An individual. The widget API leaves the administrator empty; the product fills it in.
pub const PERSON: Profile = client("Marina Alves de Souza", "41708293523", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b02");

/// A company whose CNPJ has letters, as issued since July 2026. It has neither of the ids for connect-token.
pub const LETTERED: Profile = Profile { client_uuid: None, ..client("Estúdio Maré Alta Ltda", "12ABC34501DE35", "") };

/// A company whose CNPJ has punctuation and whose administrator is saved.
pub const WORKSHOP: Profile = Profile {
    widget_account_admin_name: "João Batista Ferreira",
    widget_account_admin_cpfcnpj: "52819304605",
    ..client("Oficina Três Rios Ltda", "51.728.361/0001-90", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b04")
};

pub const PHARMACY: Profile = Profile {
    widget_account_admin_name: "Célia Regina Prado",
    widget_account_admin_cpfcnpj: "63920415752",
    widget_type: "update",
    widget_account_bank: Some("341"),
    link_id: Some("0c9d7a54-3f0e-4a8b-8d6f-6f1c2b3a4d05"),
    ..client("Farmácia Santa Luzia Ltda", "62839471000145", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b05")
};

pub const GROCERY: Profile = Profile {
    widget_type: "cancel",
    ..client("Mercearia Boa Vista Ltda", "73940582000160", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b06")
};

pub const FLORIST: Profile =
    client("Floricultura Jasmim Ltda", "84051693000131", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b07");

/// The company of the links whose failure has nothing to do with its data.
pub const UNLUCKY: Profile =
    client("Transportes Bom Jesus Ltda", "95162704000177", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b08");

/// A company whose item the provider no longer knows.
pub const ORPHANED: Profile = Profile {
    widget_type: "update",
    link_id: Some("0c9d7a54-3f0e-4a8b-8d6f-6f1c2b3a4d09"),
    ..client("Papelaria Central Ltda", "30617285000175", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b09")
};

/// A company whose update changes nothing at the provider.
pub const UNCHANGED: Profile = Profile {
    widget_type: "update",
    link_id: Some("0c9d7a54-3f0e-4a8b-8d6f-6f1c2b3a4d10"),
    ..client("Clínica Vida Leve Ltda", "41728396000175", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b10")
};

pub const BUILDER: Profile =
    client("Construtora Pedra Alta Ltda", "63940517000180", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b12");

/// A company of another firm.
pub const SCHOOL: Profile = Profile {
    customer_id: 5108,
    customer_name: "Bússola Contabilidade",
    ..client("Escola Pequeno Mundo Ltda", "52839406000166", "5b0f3c1e-7a52-4d0c-9c1b-0d6f5a1e2b11")
};
