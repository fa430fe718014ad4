//! The table of screens and states.

use serde_json::json;
use vincula_domain::{
    destination::Destination,
    problem::Problem,
    routes,
    wire::{Banks, ConnectStart, Done, Failure, Reaction},
    words,
};

use super::{
    samples::{
        SOMEBODYS_CPF, awaiting, bank_chosen, banks, cancelled, cancelling, capitals, company,
        connect_start, consented, dark, light, linked, listed, listed_waiting, long_named, now,
        person, saved, server_listed, updating,
    },
    scenario::{CallOutcome, State, screen},
};
use crate::session::{LeftConnect, Session};

/// Where the list of banks comes from.
const BANKS: &str = "/api/list_banks";
const SUBMIT: &str = "button[type=submit]:not([aria-disabled])";
const BOX: &str = "input[name=consent]";
const BANK: &str = "[role=combobox]:not([aria-busy])";
const FIRST_BANK: &str = "[role=option]";
const NAME: &str = "input[name=name]";
const CPF: &str = "input[name=cpf]";
const OPENING: &str = "text=/^Abrindo /";
const STAND_IN: &str = "iframe[name^=__zoid__pluggy][class$=_visible]";
/// The buttons of the stand-in for Connect, inside its frame.
const STAND_IN_SUCCEEDS: &str = ".stand-in__card:not([hidden]) [data-kind=primary]";
const STAND_IN_WAITS: &str = ".stand-in__card:not([hidden]) [data-kind=plain]:nth-of-type(3)";

const FIRST_ACCOUNT: &str = "text=1234567-8";
const CONCLUDE: &str = "role=button[name='Concluir integração']";
const CAPITALS: &str = "Names in capitals";
const EMPTY: &str = "text=/^Nenhuma conta autorizada\\. Se você/";
const WAITING_ROW: &str = ".accounts__linking";
const TO_ACCOUNTS: &str = "text=Abrir minhas contas";
const TOAST: &str = ".toast";
const RETRY: &str = "role=button[name='Tentar de novo']";
const BUSY: &str = ".button[aria-busy=true]";

/// Captions of several steps.
const SENDING: &str = "Sending; after 8 s it says that it is slow";
const LISTED_BY_SERVER: &str = "Listed by the server, without JavaScript";

pub struct Step {
    pub name: &'static str,
    pub states: Vec<State>,
}

pub fn all() -> Vec<Step> {
    vec![
        Step {
            name: "Entry",
            states: entry(),
        },
        Step {
            name: "Consent",
            states: consent(),
        },
        Step {
            name: "Accounts",
            states: accounts(),
        },
        Step {
            name: "Bank form",
            states: bank_form(),
        },
        Step {
            name: "Connect",
            states: connect(),
        },
        Step {
            name: "Success",
            states: success(),
        },
        Step {
            name: "Cancel",
            states: cancel(),
        },
        Step {
            name: "Problems and statements",
            states: problems(),
        },
        Step {
            name: "Everywhere",
            states: everywhere(),
        },
        Step {
            name: "Brands",
            states: brands(),
        },
    ]
}

fn entry() -> Vec<State> {
    let at = |slug, caption, outcome| {
        screen(slug, caption, &format!("{}?token=galeria", routes::ENTRY))
            .responding("validate_token", outcome)
    };
    vec![
        at("entry-validating", "Validating", CallOutcome::Pending)
            .showing("text=Abrindo o seu link…"),
        at(
            "entry-no-reply",
            "No response: a button",
            CallOutcome::NoResponse,
        )
        .showing(RETRY),
        at(
            "entry-busy",
            "The server is full",
            CallOutcome::response(503, &Failure::stay()),
        )
        .showing("text=Muitas pessoas estão acessando neste momento."),
    ]
}

fn consent() -> Vec<State> {
    let at = |slug, caption| screen(slug, caption, routes::WIDGET).session(company());
    vec![
        at("consent", "Not ticked"),
        at("consent-person", "An individual").session(person()),
        at("consent-refused", "Sent without the tick")
            .clicking("button[aria-disabled]")
            .showing("form[data-refused]"),
        at("consent-ticked", "Ticked").clicking(BOX).showing(SUBMIT),
        at("consent-sending", SENDING)
            .clicking(BOX)
            .clicking(SUBMIT)
            .showing(BUSY),
        at("consent-no-reply", "No response: toast")
            .clicking(BOX)
            .clicking(SUBMIT)
            .responding("accept_consent", CallOutcome::NoResponse)
            .showing(TOAST),
        at("consent-long", "Long names").session(long_named()),
        at("consent-capitals", CAPITALS).session(capitals()),
    ]
}

fn accounts() -> Vec<State> {
    let in_session = |slug, caption, session, outcome| {
        screen(slug, caption, routes::ACCOUNTS)
            .session(session)
            .responding("list_accounts", outcome)
    };
    let at = |slug, caption, outcome| in_session(slug, caption, consented(company()), outcome);
    vec![
        in_session(
            "accounts-confirming",
            "Just linked",
            linked(now()),
            listed(0),
        )
        .showing(WAITING_ROW),
        in_session(
            "accounts-late",
            "Linked six minutes ago, and not on the list",
            linked(now() - 360),
            listed(1),
        )
        .showing(WAITING_ROW),
        in_session(
            "accounts-awaits",
            "Another person has to approve",
            awaiting(),
            listed(0),
        )
        .showing(WAITING_ROW),
        at(
            "accounts-waiting",
            "The API lists two that wait",
            listed_waiting(0),
        )
        .showing(WAITING_ROW),
        at(
            "accounts-waiting-too",
            "The API lists two that wait beside one",
            listed_waiting(1),
        )
        .showing(WAITING_ROW),
        in_session(
            "accounts-not-linked",
            "Connect was left without a linking",
            bank_chosen(),
            listed(0),
        )
        .with(LeftConnect("Nubank".into()))
        .showing("text=A conexão com Nubank não foi concluída."),
        in_session(
            "accounts-renewal-due",
            "An update was left half-way",
            updating(),
            listed(1),
        )
        .showing("text=Falta renovar a conexão com o seu banco."),
        at("accounts-loading", "Loading", CallOutcome::Pending)
            .showing("text=Carregando suas contas…"),
        at("accounts-empty", "None yet", listed(0)).showing("text=Nenhuma conta autorizada."),
        at("accounts-one", "One", listed(1)).showing(FIRST_ACCOUNT),
        in_session(
            "accounts-capitals",
            CAPITALS,
            consented(capitals()),
            listed(1),
        )
        .showing(FIRST_ACCOUNT),
        at("accounts-many", "Many, with long names", listed(usize::MAX)).showing(FIRST_ACCOUNT),
        at(
            "accounts-slow",
            "A poll hangs: after 10 s it is told as slow",
            listed(2),
        )
        .responding("list_accounts", CallOutcome::Pending)
        .showing(FIRST_ACCOUNT),
        at(
            "accounts-stale",
            "Polls fail after 3 s: last good table",
            listed(2),
        )
        .responding("list_accounts", CallOutcome::NoResponse)
        .showing("text=/sem resposta do servidor/"),
        at(
            "accounts-no-reply",
            "First load failed",
            CallOutcome::NoResponse,
        )
        .showing(RETRY),
        screen("accounts-listed", LISTED_BY_SERVER, routes::ACCOUNTS)
            .session(consented(company()))
            .with(server_listed(2))
            .showing(FIRST_ACCOUNT),
    ]
}

fn bank_form() -> Vec<State> {
    let with = |slug, caption, session: Session, banks| {
        screen(slug, caption, routes::SELECT_BANK)
            .session(consented(session))
            .responding("list_banks", banks)
    };
    let at = |slug, caption| with(slug, caption, company(), banks());
    let filled = |slug, caption| {
        at(slug, caption)
            .clicking(BANK)
            .clicking(FIRST_BANK)
            .typing(NAME, "Rosana Prado")
            .typing(CPF, SOMEBODYS_CPF)
    };
    let no_banks = CallOutcome::ok(&Banks { banks: Vec::new() });
    vec![
        with(
            "bank-form-loading",
            "Loading the banks",
            company(),
            CallOutcome::Pending,
        )
        .showing("text=Carregando a lista de bancos…"),
        at("bank-form", "Empty").showing(BANK),
        with("bank-form-capitals", CAPITALS, capitals(), banks()).showing(BANK),
        at("bank-form-errors", "Sent empty: errors")
            .awaiting(BANKS)
            .clicking(SUBMIT)
            .showing("text=Obrigatório selecionar o banco!"),
        at("bank-form-wrong-cpf", "Wrong CPF, no bank")
            .awaiting(BANKS)
            .typing(NAME, "Rosana Prado")
            .typing(CPF, "529.982.247-24")
            .clicking(SUBMIT)
            .showing("text=CPF inválido!"),
        with(
            "bank-form-fixed",
            "Filled in and read-only",
            person(),
            banks(),
        )
        .showing("text=/^Dados informados por/"),
        at("bank-form-one-word", "Left with a name of one word")
            .typing(NAME, "Rosana")
            .leaving(NAME)
            .showing("text=Escreva o nome completo, como no banco."),
        at(
            "bank-form-not-you",
            "For somebody who is not the administrator",
        )
        .clicking("summary")
        .showing(".not-you__message"),
        with("bank-form-saved", "Filled in from before", saved(), banks()).showing(BANK),
        at("bank-form-list", "List open")
            .clicking(BANK)
            .showing("role=listbox"),
        at("bank-form-search", "Searching")
            .typing(BANK, "ban")
            .showing("role=listbox"),
        at("bank-form-none", "Nothing found")
            .typing(BANK, "xyz")
            .showing("text=Não achamos esse banco."),
        at("bank-form-unclear", "Left with a text that means several")
            .typing(BANK, "ban")
            .leaving(BANK)
            .showing("text=Toque no seu banco na lista."),
        with(
            "bank-form-failed",
            "The banks did not arrive",
            company(),
            CallOutcome::NoResponse,
        )
        .showing(RETRY),
        with(
            "bank-form-no-banks",
            "The list of banks is empty",
            company(),
            no_banks,
        )
        .showing(RETRY),
        with(
            "bank-form-early",
            "Sent before the banks came",
            company(),
            CallOutcome::Pending,
        )
        .clicking(SUBMIT)
        .showing("text=Aguarde a lista de bancos."),
        at("bank-form-company", "The company's own name")
            .typing(NAME, "padaria aurora ltda")
            .showing("text=Escreva o nome da pessoa, não o da empresa."),
        filled("bank-form-filled", "Filled in by hand").showing(SUBMIT),
        filled("bank-form-sending", SENDING)
            .clicking(SUBMIT)
            .showing(BUSY),
    ]
}

fn connect() -> Vec<State> {
    let at = |slug, caption| screen(slug, caption, routes::WIDGET).session(bank_chosen());
    let open = |slug, caption| {
        at(slug, caption).responding("open_connect", CallOutcome::ok(&connect_start()))
    };
    let connecting = |slug, caption| {
        let item = CallOutcome::ok(&json!({ "item": { "id": "galeria" } }));
        open(slug, caption).responding_at(&format!("{}/connect/items", routes::SANDBOX), item)
    };
    let finished = |slug, caption, outcome| {
        connecting(slug, caption)
            .responding("finish_connect", outcome)
            .clicking(STAND_IN_SUCCEEDS)
    };
    let update = |slug, caption| screen(slug, caption, routes::UPDATE).session(updating());
    let updated = ConnectStart {
        update_item: Some("galeria".into()),
        selected_connector_id: None,
        ..connect_start()
    };
    vec![
        at("connect-waiting", "Waiting for the connect token").showing(OPENING),
        at("connect-failed", "Did not open")
            .responding("open_connect", CallOutcome::NoResponse)
            .showing(RETRY),
        open("connect-open", "Open (the sandbox's stand-in)").showing(STAND_IN),
        connecting("connect-pending", "Somebody else has to approve")
            .clicking(STAND_IN_WAITS)
            .showing("text=Aguardando a aprovação de outro responsável"),
        finished(
            "connect-finishing",
            "Delivering to the server",
            CallOutcome::Pending,
        )
        .showing("text=Confirmando a conexão da sua conta…"),
        finished(
            "connect-unconfirmed",
            "Connected, but the server did not respond",
            CallOutcome::NoResponse,
        )
        .showing(RETRY),
        update("connect-update", "Update: waiting")
            .showing("text=Contábil Horizonte pediu para renovar a conexão com o seu banco."),
        update("connect-update-open", "Update: open")
            .responding("open_connect", CallOutcome::ok(&updated))
            .showing(STAND_IN),
    ]
}

fn success() -> Vec<State> {
    let at = |slug, caption, mut session: Session, outcome| {
        session.progress.linked = true;
        screen(slug, caption, routes::SUCCESS)
            .session(session)
            .responding("confirm_success", outcome)
    };
    let done = || CallOutcome::ok(&Done {});
    vec![
        at("success-new", "New: two ways on", linked(now()), done()).showing(CONCLUDE),
        at("success-concluded", "New: concluded", linked(now()), done())
            .clicking("button.button--primary")
            .showing("text=Tudo certo. Você já pode fechar esta página."),
        at(
            "success-unconfirmed",
            "The firm is not told yet",
            consented(company()),
            CallOutcome::NoResponse,
        )
        .showing("text=ainda não conseguimos avisar"),
        at("success-capitals", CAPITALS, consented(capitals()), done()),
        at("success-update", "Update", updating(), done()),
        screen("receipt", "The receipt", routes::RECEIPT).session(linked(now())),
        screen(
            "receipt-long",
            "The receipt, with long names",
            routes::RECEIPT,
        )
        .session(consented(long_named())),
    ]
}

fn cancel() -> Vec<State> {
    let at = |slug, caption| screen(slug, caption, routes::CANCEL_CONFIRM).session(cancelling());
    let with = |slug, caption, outcome| at(slug, caption).responding("list_accounts", outcome);
    let pressed = |slug, caption| {
        with(slug, caption, listed(2))
            .clicking("tr.accounts__row")
            .clicking(".button--danger")
    };
    vec![
        at("cancel-loading", "Loading").showing(".accounts__loading"),
        with("cancel-list", "The accounts", listed(3)).showing(FIRST_ACCOUNT),
        at("cancel-listed", LISTED_BY_SERVER)
            .with(server_listed(2))
            .showing(FIRST_ACCOUNT),
        with("cancel-waiting", "Accounts that wait", listed_waiting(1))
            .showing("text=Inter, em confirmação"),
        with("cancel-empty", "No accounts", listed(0)).showing(EMPTY),
        at("cancel-empty-listed", "No accounts, without JavaScript")
            .with(server_listed(0))
            .showing(EMPTY),
        with(
            "cancel-list-failed",
            "The accounts did not arrive",
            CallOutcome::NoResponse,
        )
        .showing(RETRY),
        pressed("cancel-sending", "Sending").showing(BUSY),
        pressed("cancel-no-reply", "No response: toast")
            .responding("cancel_integrations", CallOutcome::NoResponse)
            .showing(TOAST),
        screen("cancel-success", "Cancelled", routes::CANCEL_SUCCESS).session(cancelled()),
        screen(
            "receipt-cancelled",
            "The receipt, cancelled",
            routes::RECEIPT,
        )
        .session(cancelled()),
        screen(
            "accounts-cancelled",
            "The accounts, by Back",
            routes::ACCOUNTS,
        )
        .session(cancelled())
        .responding("list_accounts", listed(0))
        .showing("text=Nenhuma conta autorizada."),
    ]
}

fn problems() -> Vec<State> {
    let error = |slug, caption, problem, session| {
        screen(slug, caption, &Destination::from(problem).to_string()).session(session)
    };
    let outage = Destination::outage().to_string();
    let with_code = Destination::error(Problem::TokenExpired, Some("0123456789ab")).to_string();
    let mut states: Vec<State> = Problem::ALL
        .iter()
        .map(|&problem| {
            screen(
                problem.slug(),
                problem.slug(),
                &Destination::from(problem).to_string(),
            )
        })
        .collect();
    states.extend([
        screen(
            "problem-after-request",
            "With the code of the failed request",
            &with_code,
        )
        .showing("text=0123456789ab"),
        screen(
            "any-other-problem",
            "Any other type",
            &format!("{}/galeria", routes::ERROR),
        ),
        error(
            "token-expired-linked",
            "In a session with accounts",
            Problem::TokenExpired,
            linked(now()),
        ),
        error(
            "token-invalid-linked",
            "In a session with accounts: ways on",
            Problem::TokenInvalid,
            linked(now()),
        )
        .showing(TO_ACCOUNTS),
        error(
            "token-invalid-arrived",
            "In a session without accounts",
            Problem::TokenInvalid,
            long_named(),
        )
        .showing("text=Tentar de novo"),
        screen("outage", "The API is out of order", &outage)
            .session(company())
            .showing("text=/^Houve um problema com o seu acesso:/"),
        error(
            "token-not-exists-cancelled",
            "Refused after a cancellation",
            Problem::TokenNotExists,
            cancelled(),
        )
        .showing("text=Você cancelou em"),
        error(
            "link-not-updated-session",
            "In the session of the link",
            Problem::LinkNotUpdated,
            updating(),
        )
        .showing(TO_ACCOUNTS),
        error(
            "link-not-exists-session",
            "In the session of the link",
            Problem::LinkNotExists,
            updating(),
        )
        .showing(TO_ACCOUNTS),
        screen(
            "not-found-session",
            "A path that does not exist, in a session",
            "/galeria",
        )
        .session(company())
        .showing("text=Voltar"),
        screen(
            "accessibility-session",
            "Accessibility statement, in a session",
            routes::ACCESSIBILITY,
        )
        .session(company())
        .showing("text=Voltar"),
        screen("not-found", "A path that does not exist", "/galeria"),
        screen(
            "accessibility",
            "Accessibility statement",
            routes::ACCESSIBILITY,
        ),
    ]);
    states
}

fn everywhere() -> Vec<State> {
    let other_tab = CallOutcome::response(409, &Failure::from(Reaction::OtherTab));
    let at = |slug, caption, path| screen(slug, caption, path).session(consented(company()));
    vec![
        at(
            "other-tab",
            "Another link was opened in another tab",
            routes::ACCOUNTS,
        )
        .responding("list_accounts", other_tab)
        .showing("role=dialog"),
        at("react-broken", "React does not arrive", routes::SELECT_BANK)
            .without("react")
            .showing("text=Recarregar a página"),
        at(
            "wasm-broken",
            "The wasm module does not arrive",
            routes::ACCOUNTS,
        )
        .without("wasm")
        .showing("text=Recarregar a página"),
        at(
            "toasts",
            "Every kind of toast (they stay here)",
            routes::ACCOUNTS,
        )
        .responding("list_accounts", listed(2))
        .acting(["toast", "error", words::REQUEST_FAILED])
        .acting(["toast", "success", words::SUCCESS_TITLE])
        .acting(["toast", "info", words::SLOW])
        .showing(".toast >> nth=2"),
    ]
}

/// Two firms of the example with their brands, independent of the sandbox's settings.
fn brands() -> Vec<State> {
    let at = |slug, caption, path: &str, session, face| {
        screen(slug, caption, path).session(session).with(face)
    };
    let invalid = Destination::from(Problem::TokenInvalid).to_string();
    vec![
        at(
            "brand-dark-consent",
            "Consent, dark",
            routes::WIDGET,
            company(),
            dark(),
        ),
        at(
            "brand-light-consent",
            "Consent, light",
            routes::WIDGET,
            company(),
            light(),
        ),
        at(
            "brand-long-consent",
            "Consent, long name",
            routes::WIDGET,
            long_named(),
            dark(),
        ),
        at(
            "brand-accounts",
            "Accounts",
            routes::ACCOUNTS,
            consented(company()),
            dark(),
        )
        .responding("list_accounts", listed(2))
        .showing(FIRST_ACCOUNT),
        at(
            "brand-bank-form",
            "Bank form",
            routes::SELECT_BANK,
            consented(company()),
            light(),
        ),
        at(
            "brand-success",
            "Success",
            routes::SUCCESS,
            linked(now()),
            dark(),
        )
        .responding("confirm_success", CallOutcome::ok(&Done {}))
        .showing(CONCLUDE),
        at(
            "brand-receipt",
            "Receipt",
            routes::RECEIPT,
            linked(now()),
            dark(),
        ),
        at(
            "brand-error",
            "An error, with numbers",
            &invalid,
            linked(now()),
            dark(),
        )
        .showing("text=WhatsApp"),
        at(
            "brand-error-long",
            "An error, long name",
            &invalid,
            long_named(),
            light(),
        ),
        at(
            "brand-cancelled",
            "Cancelled",
            routes::CANCEL_SUCCESS,
            cancelled(),
            light(),
        ),
    ]
}
