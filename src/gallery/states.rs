//! The table of screens and states.

use serde_json::json;
use vincula_domain::{
    problem::Problem,
    routes,
    wire::{Banks, ConnectStart, Done, Failure, Reaction},
    words,
};
use vincula_pages::Face;

use super::{
    brands,
    samples::{
        ACCOUNTS, SOMEBODYS_CPF, awaiting, bank_chosen, banks, cancelled, cancelling, company, connect_start,
        consented, linked, listed, listed_waiting, long_named, now, person, saved, some_accounts, updating,
    },
    scenario::{Answer, Broken, Scenario},
};
use crate::{session::Session, steps::listed::ServerListedAccounts};

const SUBMIT: &str = "button[type=submit]:not([aria-disabled])";
const BOX: &str = "input[name=consent]";
const BANK: &str = "[role=combobox]:not([aria-busy])";
const FIRST_BANK: &str = "[role=option]";
pub const FIRST_ACCOUNT: &str = "text=1234567-8";
const NAME: &str = "input[name=name]";
/// The name's field once React notices that it is left.
const LIVE_NAME: &str = "form:has([type=submit]) input[name=name]";
const CPF: &str = "input[name=cpf]";
const OPENING: &str = "text=Preparando a conexão segura com o seu banco…";
const STAND_IN: &str = "iframe[name^=__zoid__pluggy][class$=_visible]";
/// The buttons of the stand-in for Connect, inside its frame.
const STAND_IN_SUCCEEDS: &str = ".stand-in__choice[data-kind=primary]";
const STAND_IN_WAITS: &str = ".stand-in__choice[data-kind=plain]:nth-of-type(3)";

const TOAST: &str = ".toast";
const RETRY: &str = "role=button[name='Tentar de novo']";
const BUSY: &str = ".button[aria-busy=true]";

/// The states of one step of the flow.
pub struct Step {
    pub name: &'static str,
    pub states: Vec<State>,
}

/// One frame.
pub struct State {
    /// Its name in the URL.
    pub slug: &'static str,
    pub caption: &'static str,
    /// The path of its page.
    pub path: String,
    pub session: Option<Session>,
    /// The accounts, where the server lists them for a browser without JavaScript.
    pub listed: Option<ServerListedAccounts>,
    /// The face of its firm; without one the sandbox's.
    pub face: Option<Face>,
    pub scenario: Scenario,
    /// What is visible once the state is reached, as a selector of Playwright.
    pub shows: &'static str,
}

impl State {
    pub fn showing(self, shows: &'static str) -> Self {
        Self { shows, ..self }
    }

    /// As a firm with a brand of its own shows it.
    pub fn wearing(self, face: Face) -> Self {
        Self { face: Some(face), ..self }
    }

    fn listing(self, count: usize) -> Self {
        Self { listed: Some(ServerListedAccounts(some_accounts(count))), ..self }
    }
}

pub fn all() -> Vec<Step> {
    vec![
        Step { name: "Entry", states: entry() },
        Step { name: "Consent", states: consent() },
        Step { name: "Accounts", states: accounts() },
        Step { name: "Bank form", states: bank_form() },
        Step { name: "Connect", states: connect() },
        Step { name: "Success", states: success() },
        Step { name: "Cancel", states: cancel() },
        Step { name: "Problems and statements", states: problems() },
        Step { name: "Everywhere", states: everywhere() },
        Step { name: "Brands", states: brands::states() },
    ]
}

fn entry() -> Vec<State> {
    let at = |slug, caption, answer| {
        let scenario = Scenario::default().answering("validate_token", answer);
        state(slug, caption, &format!("{}?token=galeria", routes::ENTRY), None, scenario)
    };
    vec![
        at("entry-validating", "Validating", Answer::Never).showing("text=Validando seu acesso…"),
        at("entry-no-reply", "No reply: toast, and a button", Answer::NoReply).showing(TOAST),
        at("entry-busy", "The server is full", Answer::failure(503, &Failure::no_reply()))
            .showing("text=Muitas pessoas estão acessando neste momento."),
    ]
}

fn consent() -> Vec<State> {
    let at = |slug, caption, session, scenario| state(slug, caption, routes::WIDGET, Some(session), scenario);
    let ticked = || Scenario::default().clicking(BOX);
    vec![
        at("consent", "Not ticked", company(), Scenario::default()),
        at("consent-person", "An individual", person(), Scenario::default()),
        at(
            "consent-refused",
            "Sent without the tick",
            company(),
            Scenario::default().clicking("button[aria-disabled]"),
        )
        .showing("form[data-refused]"),
        at("consent-ticked", "Ticked", company(), ticked()).showing(SUBMIT),
        at("consent-sending", "Sending; after 8 s it says that it is slow", company(), ticked().clicking(SUBMIT))
            .showing(BUSY),
        at(
            "consent-no-reply",
            "No reply: toast",
            company(),
            ticked().clicking(SUBMIT).answering("accept_consent", Answer::NoReply),
        )
        .showing(TOAST),
        at("consent-long", "Long names", long_named(), Scenario::default()),
    ]
}

fn accounts() -> Vec<State> {
    let at = |slug, caption, answers: Vec<Answer>| {
        let scenario = answers
            .into_iter()
            .fold(Scenario::default(), |scenario, answer| scenario.answering("list_accounts", answer));
        state(slug, caption, routes::ACCOUNTS, Some(consented(company())), scenario)
    };
    let waiting = |slug, caption, session, answer| {
        let scenario = Scenario::default().answering("list_accounts", answer);
        state(slug, caption, routes::ACCOUNTS, Some(session), scenario).showing(".accounts__linking")
    };
    vec![
        waiting("accounts-confirming", "Just linked", linked(now()), listed(0)),
        waiting("accounts-late", "Linked six minutes ago, and not on the list", linked(now() - 360), listed(1)),
        waiting("accounts-awaits", "Another person has to approve", awaiting(), listed(0)),
        waiting("accounts-waiting", "The API lists two that wait", consented(company()), listed_waiting(0)),
        waiting(
            "accounts-waiting-too",
            "The API lists two that wait beside one",
            consented(company()),
            listed_waiting(1),
        ),
        state(
            "accounts-not-linked",
            "Connect was left without a linking",
            routes::ACCOUNTS,
            Some(bank_chosen()),
            Scenario::default().answering("list_accounts", listed(0)),
        )
        .showing("text=A conexão com Nubank não foi concluída."),
        state(
            "accounts-renewal-due",
            "An update was left half-way",
            routes::ACCOUNTS,
            Some(updating()),
            Scenario::default().answering("list_accounts", listed(1)),
        )
        .showing("text=Falta renovar a conexão com o seu banco."),
        at("accounts-loading", "Loading", vec![Answer::Never]).showing("text=Carregando suas contas…"),
        at("accounts-empty", "None yet", vec![listed(0)]).showing("text=Nenhuma conta autorizada."),
        at("accounts-one", "One", vec![listed(1)]).showing(FIRST_ACCOUNT),
        at("accounts-many", "Many, with long names", vec![listed(ACCOUNTS.len())]).showing(FIRST_ACCOUNT),
        at("accounts-slow", "A poll hangs: after 10 s it is told as slow", vec![listed(2), Answer::Never])
            .showing(FIRST_ACCOUNT),
        at("accounts-stale", "Polls fail after 3 s: last good table", vec![listed(2), Answer::NoReply])
            .showing("text=/sem resposta; lista das/"),
        at("accounts-no-reply", "First load failed", vec![Answer::NoReply]).showing(RETRY),
        at("accounts-listed", "Listed by the server, without JavaScript", vec![]).listing(2).showing(FIRST_ACCOUNT),
    ]
}

fn bank_form() -> Vec<State> {
    let at = |slug, caption, session: Session, banks, scenario: Scenario| {
        let scenario = scenario.answering("list_banks", banks);
        state(slug, caption, routes::SELECT_BANK, Some(consented(session)), scenario)
    };
    let filled = || {
        let scenario = Scenario::default().clicking(BANK).clicking(FIRST_BANK);
        scenario.typing(NAME, "Rosana Prado").typing(CPF, SOMEBODYS_CPF)
    };
    let no_banks = Answer::data(&Banks { banks: Vec::new() });
    let wrong = Scenario::default().typing(NAME, "Rosana Prado").typing(CPF, "529.982.247-24").clicking(SUBMIT);
    vec![
        at("bank-form-loading", "Loading the banks", company(), Answer::Never, Scenario::default())
            .showing("[placeholder='Carregando a lista de bancos…']"),
        at("bank-form", "Empty", company(), banks(), Scenario::default()).showing(BANK),
        at("bank-form-errors", "Sent empty: errors", company(), banks(), Scenario::default().clicking(SUBMIT))
            .showing("text=Obrigatório selecionar o banco!"),
        at("bank-form-wrong-cpf", "Wrong CPF, no bank", company(), banks(), wrong).showing("text=CPF inválido!"),
        at("bank-form-fixed", "Filled in and read-only", person(), banks(), Scenario::default())
            .showing("text=/^Preenchido pelo escritório/ >> nth=0"),
        at(
            "bank-form-one-word",
            "Left with a name of one word",
            company(),
            banks(),
            Scenario::default().typing(LIVE_NAME, "Rosana").leaving(LIVE_NAME),
        )
        .showing("text=Escreva o nome completo, como no banco."),
        at(
            "bank-form-not-you",
            "For somebody who is not the administrator",
            company(),
            banks(),
            Scenario::default().clicking("summary"),
        )
        .showing(".not-you__message"),
        at("bank-form-saved", "Filled in from before", saved(), banks(), Scenario::default()).showing(BANK),
        at("bank-form-list", "List open", company(), banks(), Scenario::default().clicking(BANK))
            .showing("role=listbox"),
        at("bank-form-search", "Searching", company(), banks(), Scenario::default().typing(BANK, "ban"))
            .showing("role=listbox"),
        at("bank-form-none", "Nothing found", company(), banks(), Scenario::default().typing(BANK, "xyz"))
            .showing("text=Não achamos esse banco."),
        at(
            "bank-form-unclear",
            "Left with a text that means several",
            company(),
            banks(),
            Scenario::default().typing(BANK, "ban").leaving(BANK),
        )
        .showing("text=Toque no seu banco na lista."),
        at("bank-form-failed", "The banks did not arrive", company(), Answer::NoReply, Scenario::default())
            .showing(RETRY),
        at("bank-form-no-banks", "The list of banks is empty", company(), no_banks, Scenario::default()).showing(RETRY),
        at(
            "bank-form-early",
            "Sent before the banks came",
            company(),
            Answer::Never,
            Scenario::default().clicking(SUBMIT),
        )
        .showing("text=Aguarde a lista de bancos."),
        at(
            "bank-form-company",
            "The company's own name",
            company(),
            banks(),
            Scenario::default().typing(LIVE_NAME, "padaria aurora ltda"),
        )
        .showing("text=Escreva o nome da pessoa, não o da empresa."),
        at("bank-form-filled", "Filled in by hand", company(), banks(), filled()).showing(SUBMIT),
        at(
            "bank-form-sending",
            "Sending; after 8 s it says that it is slow",
            company(),
            banks(),
            filled().clicking(SUBMIT),
        )
        .showing(BUSY),
    ]
}

fn connect() -> Vec<State> {
    let at = |slug, caption, scenario| state(slug, caption, routes::WIDGET, Some(bank_chosen()), scenario);
    let open = || Scenario::default().answering("open_connect", Answer::data(&connect_start()));
    let connecting = || {
        let item = Answer::data(&json!({ "item": { "id": "galeria" } }));
        open().answering_at(&format!("{}/connect/items", routes::SANDBOX), item)
    };
    let finished = |answer| connecting().answering("finish_connect", answer).clicking(STAND_IN_SUCCEEDS);
    let no_token = Scenario::default().answering("open_connect", Answer::NoReply);
    let update = |slug, caption, scenario| state(slug, caption, routes::UPDATE, Some(updating()), scenario);
    let updated = ConnectStart { update_item: Some("galeria".into()), selected_connector_id: None, ..connect_start() };
    let update_open = Scenario::default().answering("open_connect", Answer::data(&updated));
    vec![
        at("connect-waiting", "Waiting for the connect token", Scenario::default()).showing(OPENING),
        at("connect-failed", "Did not open", no_token).showing(RETRY),
        at("connect-open", "Open (the sandbox's stand-in)", open()).showing(STAND_IN),
        at("connect-pending", "Somebody else has to approve", connecting().clicking(STAND_IN_WAITS))
            .showing("text=Aguardando a aprovação de outro responsável"),
        at("connect-finishing", "Telling our server", finished(Answer::Never))
            .showing("text=Confirmando a conexão da sua conta…"),
        at("connect-unconfirmed", "Connected, but our server did not answer", finished(Answer::NoReply)).showing(RETRY),
        update("connect-update", "Update: waiting", Scenario::default())
            .showing("text=Contábil Horizonte pediu para renovar a conexão com o seu banco."),
        update("connect-update-open", "Update: open", update_open).showing(STAND_IN),
    ]
}

fn success() -> Vec<State> {
    let at = |slug, caption, mut session: Session, answer, scenario: Scenario| {
        session.progress.linked = true;
        let scenario = scenario.answering("confirm_success", answer);
        state(slug, caption, routes::SUCCESS, Some(session), scenario)
    };
    let done = || Answer::data(&Done {});
    let concluding = Scenario::default().clicking("button.button--primary");
    vec![
        at("success-new", "New: two ways on", linked(now()), done(), Scenario::default())
            .showing("role=button[name='Concluir integração']"),
        at("success-concluded", "New: concluded", linked(now()), done(), concluding)
            .showing("text=Tudo certo. Você já pode fechar esta página."),
        at(
            "success-unconfirmed",
            "The firm is not told yet",
            consented(company()),
            Answer::NoReply,
            Scenario::default(),
        )
        .showing("text=ainda não conseguimos avisar"),
        at("success-update", "Update", updating(), done(), Scenario::default()),
        state("receipt", "The receipt", routes::RECEIPT, Some(linked(now())), Scenario::default()),
        state(
            "receipt-long",
            "The receipt, with long names",
            routes::RECEIPT,
            Some(consented(long_named())),
            Scenario::default(),
        ),
    ]
}

fn cancel() -> Vec<State> {
    let at = |slug, caption, scenario| state(slug, caption, routes::CANCEL_CONFIRM, Some(cancelling()), scenario);
    let list = |count| Scenario::default().answering("list_accounts", listed(count));
    let list_waiting = || Scenario::default().answering("list_accounts", listed_waiting(1));
    let pressed = |scenario: Scenario| scenario.clicking("tr.accounts__row").clicking(".button--danger");
    let unanswered = list(2).answering("cancel_integrations", Answer::NoReply);
    vec![
        at("cancel-loading", "Loading", Scenario::default()).showing(".accounts__loading"),
        at("cancel-list", "The accounts", list(3)).showing(FIRST_ACCOUNT),
        at("cancel-listed", "Listed by the server, without JavaScript", Scenario::default())
            .listing(2)
            .showing(FIRST_ACCOUNT),
        at("cancel-waiting", "Accounts that wait", list_waiting()).showing("text=Banco Inter S.A., em confirmação"),
        state(
            "cancel-bare",
            "Authorized, without an account",
            routes::CANCEL_CONFIRM,
            Some(consented(company())),
            list(0),
        )
        .showing(".button--danger"),
        at("cancel-empty", "No accounts", list(0)).showing("text=Ver minhas contas"),
        at("cancel-empty-listed", "No accounts, without JavaScript", Scenario::default())
            .listing(0)
            .showing("text=Ver minhas contas"),
        at(
            "cancel-list-failed",
            "The accounts did not arrive",
            Scenario::default().answering("list_accounts", Answer::NoReply),
        )
        .showing(TOAST),
        at("cancel-sending", "Sending", pressed(list(2))).showing(BUSY),
        at("cancel-no-reply", "No reply: toast", pressed(unanswered)).showing(TOAST),
        state("cancel-success", "Cancelled", routes::CANCEL_SUCCESS, Some(cancelled()), Scenario::default()),
        state("receipt-cancelled", "The receipt, cancelled", routes::RECEIPT, Some(cancelled()), Scenario::default()),
        state("accounts-cancelled", "The accounts, by Back", routes::ACCOUNTS, Some(cancelled()), list(0))
            .showing("text=Nenhuma conta autorizada."),
    ]
}

fn problems() -> Vec<State> {
    let at = |slug, caption, path: &str| state(slug, caption, path, None, Scenario::default());
    let known = |problem: Problem| at(problem.slug(), problem.slug(), &routes::error(problem));
    let within = |slug, caption, path: &str, session| state(slug, caption, path, Some(session), Scenario::default());
    let error_within = |slug, caption, problem, session| within(slug, caption, &routes::error(problem), session);
    let mut states: Vec<State> = Problem::ALL.map(known).into();
    let with_code = format!("{}?{}", routes::error(Problem::TokenExpired), "codigo=0123456789ab");
    states.push(
        at("problem-after-request", "With the code of the failed request", &with_code).showing("text=0123456789ab"),
    );
    states.push(at("any-other-problem", "Any other type", &format!("{}/galeria", routes::ERROR)));
    states.extend([
        error_within("token-expired-linked", "In a session with accounts", Problem::TokenExpired, linked(now())),
        error_within(
            "token-invalid-linked",
            "In a session with accounts: ways on",
            Problem::TokenInvalid,
            linked(now()),
        )
        .showing("text=Abrir minhas contas"),
        error_within("token-invalid-arrived", "In a session without accounts", Problem::TokenInvalid, long_named())
            .showing("text=Tentar de novo"),
        within(
            "outage",
            "The API is out of order",
            &format!("{}?{}", routes::error(Problem::TokenInvalid), routes::OUTAGE),
            company(),
        )
        .showing("text=O seu link continua válido."),
        error_within("cancelled-session", "Refused after a cancellation", Problem::Cancelled, cancelled())
            .showing("text=Você cancelou em"),
        error_within("link-not-updated-session", "In the session of the link", Problem::LinkNotUpdated, updating())
            .showing("text=Abrir minhas contas"),
        error_within("link-not-exists-session", "In the session of the link", Problem::LinkNotExists, updating())
            .showing("text=Abrir minhas contas"),
        within("not-found-session", "A path that does not exist, in a session", "/galeria", company())
            .showing("text=Voltar"),
        within("accessibility-session", "Accessibility statement, in a session", routes::ACCESSIBILITY, company())
            .showing("text=Voltar"),
    ]);
    states.push(at("not-found", "A path that does not exist", "/galeria"));
    states.push(at("accessibility", "Accessibility statement", routes::ACCESSIBILITY));
    states
}

fn everywhere() -> Vec<State> {
    let other_tab = Answer::failure(409, &Failure::from(Reaction::OtherTab));
    let other_tab = Scenario::default().answering("list_accounts", other_tab);
    let toasts = Scenario::default()
        .answering("list_accounts", listed(2))
        .toasting("error", words::NO_REPLY)
        .toasting("success", words::SUCCESS_TITLE)
        .toasting("info", words::SLOW);
    let at = |slug, caption, path, scenario| state(slug, caption, path, Some(consented(company())), scenario);
    vec![
        at("other-tab", "Another link was opened in another tab", routes::ACCOUNTS, other_tab)
            .showing("role=alertdialog"),
        at(
            "react-broken",
            "React does not arrive",
            routes::SELECT_BANK,
            Scenario::default().with_broken(Broken::React),
        )
        .showing("text=Recarregar a página"),
        at(
            "wasm-broken",
            "The wasm module does not arrive",
            routes::ACCOUNTS,
            Scenario::default().with_broken(Broken::Wasm),
        )
        .showing("text=Recarregar a página"),
        at("toasts", "Every kind of toast (they stay here)", routes::ACCOUNTS, toasts).showing(".toast >> nth=2"),
    ]
}

/// A state whose heading is visible.
pub fn state(
    slug: &'static str,
    caption: &'static str,
    path: &str,
    session: Option<Session>,
    scenario: Scenario,
) -> State {
    State { slug, caption, path: path.to_owned(), session, listed: None, face: None, scenario, shows: "h1" }
}
