//! The sessions and responses of the gallery. All people, companies and documents are invented.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;
use vincula_domain::{
    bank::BankCode,
    routes,
    token::LinkToken,
    wire::{AccountList, Accounts, Banks, ConnectStart},
};
use vincula_pages::{Face, brands::Picture};
use vincula_upstream::SessionData;

use super::scenario::CallOutcome;
pub use crate::state::unix_seconds as now;
use crate::{
    session::{ChosenBank, Client, Session, Stage},
    steps::accounts::ServerListedAccounts,
};

pub const SOMEBODYS_CPF: &str = "529.982.247-25";

pub fn company() -> Session {
    session(&[])
}

pub fn person() -> Session {
    session(&[
        ("client_name", "Marina Alves de Souza"),
        ("client_cpfcnpj", "41708293523"),
    ])
}

/// A company whose administrator and bank are known.
pub fn saved() -> Session {
    session(&[
        ("widget_account_admin_name", "Rosana Prado"),
        ("widget_account_admin_cpfcnpj", SOMEBODYS_CPF),
        ("widget_account_bank", "260"),
    ])
}

pub fn long_named() -> Session {
    session(&[
        (
            "client_name",
            "Comercial de Panificação, Confeitaria e Produtos Coloniais Irmãos Albuquerque Cavalcanti Ltda",
        ),
        (
            "customer_name",
            "Horizonte & Irmãos Assessoria Contábil, Tributária e Empresarial Sociedade Simples",
        ),
    ])
}

/// Names in capitals, as registries write them.
pub fn capitals() -> Session {
    session(&[
        (
            "client_name",
            "PADARIA E CONFEITARIA IRMÃOS ALBUQUERQUE CAVALCANTI LTDA",
        ),
        (
            "customer_name",
            "HORIZONTE CONTABILIDADE E CONSULTORIA EMPRESARIAL LTDA",
        ),
    ])
}

pub fn updating() -> Session {
    session(&[("widget_type", "update"), ("link_id", "galeria")])
}

/// A link for a cancellation.
pub fn cancelling() -> Session {
    session(&[("widget_type", "cancel")])
}

pub fn cancelled() -> Session {
    let mut session = linked(now() - 3600);
    session.cancel(now());
    session
}

pub fn consented(session: Session) -> Session {
    Session {
        stage: session.stage.authorize(now(), 0x1f2e_3d4c),
        ..session
    }
}

pub fn bank_chosen() -> Session {
    let session = consented(saved());
    let consent = session.stage.consent().expect("it has just been given");
    let code = BankCode::parse("260").expect("a bank code of three digits");
    let bank = ChosenBank {
        code,
        name: "Nubank".into(),
        key: String::new(),
    };
    Session {
        stage: Stage::BankChosen(consent, bank),
        ..session
    }
}

/// An account was linked at this time.
pub fn linked(at: u64) -> Session {
    let mut session = consented(company());
    session.linkings.linked("Inter".into(), at);
    session.progress.linked = true;
    session
}

/// An account waits for another person's approval.
pub fn awaiting() -> Session {
    let mut session = consented(company());
    session.linkings.awaits("Inter".into(), now());
    session
}

/// A session with this data; the rest is that of a company.
fn session(others: &[(&str, &str)]) -> Session {
    let mut data = json!({
        "client_name": "Padaria Aurora Ltda",
        "client_cpfcnpj": "40817256000100",
        "customer_id": "1",
        "customer_name": "Contábil Horizonte",
    });
    for (name, value) in others {
        data[name] = (*value).into();
    }
    let data: SessionData = serde_json::from_value(data).expect("they are session data");
    let token = LinkToken::parse("galeria").expect("visible ASCII");
    Session::new("1".to_owned(), token, Client::from(data), 0)
}

pub fn connect_start() -> ConnectStart {
    ConnectStart {
        connect_token: "galeria".into(),
        update_item: None,
        include_sandbox: true,
        products: vec!["ACCOUNTS".into(), "TRANSACTIONS".into()],
        url: format!("{}/connect", routes::SANDBOX),
        cpf: Some("52998224725".into()),
        cnpj: Some("40817256000100".into()),
        selected_connector_id: Some(260),
        connector_type: None,
    }
}

pub fn listed(count: usize) -> CallOutcome {
    listed_as(AccountList {
        waiting: Vec::new(),
        ..account_list(count)
    })
}

/// A list on which one account waits for another person, and one for its confirmation.
pub fn listed_waiting(count: usize) -> CallOutcome {
    listed_as(account_list(count))
}

fn listed_as(list: AccountList) -> CallOutcome {
    CallOutcome::ok(&Accounts::Listed {
        digest: list.accounts.len().to_string(),
        list,
    })
}

/// The accounts, where the server lists them for a browser without JavaScript.
pub fn server_listed(count: usize) -> ServerListedAccounts {
    ServerListedAccounts(AccountList {
        waiting: Vec::new(),
        ..account_list(count)
    })
}

/// The first accounts, and the two that wait.
fn account_list(count: usize) -> AccountList {
    let mut list: AccountList =
        serde_json::from_str(include_str!("accounts.json")).expect("it is a list of accounts");
    list.accounts.truncate(count);
    list
}

pub fn banks() -> CallOutcome {
    let banks = serde_json::from_str(include_str!("banks.json")).expect("it is a list of banks");
    CallOutcome::ok(&Banks { banks })
}

/// A firm with a dark colour, and everything that a brand may have.
pub fn dark() -> Face {
    face(
        include_str!("../../deploy/brands-example/4217/brand.json"),
        include_str!("../../deploy/brands-example/4217/logo.svg"),
        "132",
    )
}

/// A firm with a light colour and few other parts.
pub fn light() -> Face {
    face(
        include_str!("../../deploy/brands-example/5108/brand.json"),
        include_str!("../../deploy/brands-example/5108/logo.svg"),
        "44",
    )
}

/// The logo's address is a data URL, so it needs no folder.
fn face(json: &str, svg: &str, width: &str) -> Face {
    let face = Face::parse(json.as_bytes(), &Face::default()).expect("the examples are tested");
    let src = format!(
        "data:image/svg+xml,{}",
        utf8_percent_encode(svg, NON_ALPHANUMERIC)
    );
    Face {
        logo: Some(Picture {
            src,
            width: width.to_owned(),
        }),
        ..face
    }
}
