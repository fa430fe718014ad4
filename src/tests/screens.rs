//! Every screen as the router renders it.

use serde_json::Value;

use super::{Answer, LINK, TestApp, update};

/// Every screen: its session, its address, its name, its title and its side image (none: bare).
pub const SCREENS: [(Start, &str, &str, &str, Option<&str>); 18] = [
    (Start::Nobody, LINK, "entry", "Abrindo o seu link", Some("default")),
    (Start::Entered, LINK, "entry", "Abrindo o seu link", Some("default")),
    (Start::Entered, "/integration/widget", "consent", "Autorizar acesso", None),
    (Start::Entered, "/integration/accounts", "accounts", "Contas integradas", Some("default")),
    (Start::Consented, "/integration/select-bank", "bank-form", "Banco e administrador", Some("select-bank")),
    (Start::Chosen, "/integration/widget", "connect", "Conectar ao banco", None),
    (Start::Update, "/integration/update", "connect", "Atualizar integração", None),
    (Start::Linked, "/integration/success", "success", "Integração concluída", Some("success")),
    (Start::Linked, "/cancel/confirm", "cancel-confirm", "Cancelar integrações", Some("cancel")),
    (Start::Cancelled, "/cancel/success", "cancel-success", "Integrações canceladas", Some("cancelled")),
    (Start::Nobody, "/error/token-expired", "error", "O prazo deste link acabou", Some("cancel")),
    (Start::Linked, "/error/link-not-exists", "error", "Esta conexão não existe mais", Some("cancel")),
    (Start::Entered, "/integration/accounts?listar=1", "accounts", "Contas integradas", Some("default")),
    (Start::Entered, "/cancel/confirm?listar=1", "cancel-confirm", "Cancelar integrações", Some("cancel")),
    (Start::Nobody, "/acessibilidade", "accessibility", "Acessibilidade", Some("default")),
    (Start::Linked, "/acessibilidade", "accessibility", "Acessibilidade", Some("default")),
    (Start::Nobody, "/nowhere", "not-found", "Página não encontrada", Some("cancel")),
    (Start::Linked, "/integration/x.css", "not-found", "Página não encontrada", Some("cancel")),
];

/// How far the session is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Start {
    Nobody,
    Entered,
    Consented,
    Chosen,
    Update,
    Linked,
    Cancelled,
}

/// One rendered screen of the table.
pub struct Screen {
    pub start: Start,
    pub path: &'static str,
    pub name: &'static str,
    pub title: &'static str,
    pub side_image: Option<&'static str>,
    pub page: Answer,
}

/// All of them, for session data with these changes.
pub async fn screens(changes: &Value) -> Vec<Screen> {
    let mut screens = Vec::new();
    for (start, path, name, title, side_image) in SCREENS {
        let mut app = start.app(changes).await;
        let page = app.get(path).await;
        assert_eq!(page.page(), Some(name), "{path} as {start:?}: {page:?}");
        screens.push(Screen { start, path, name, title, side_image, page });
    }
    screens
}

impl Start {
    pub async fn app(self, changes: &Value) -> TestApp {
        let changes = changes.clone();
        match self {
            Self::Nobody => TestApp::start().await,
            Self::Entered => TestApp::entered(changes).await,
            Self::Consented => TestApp::consented(changes).await,
            Self::Chosen => TestApp::chosen(changes).await,
            Self::Update => {
                let mut renewed = update();
                renewed.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
                TestApp::entered(renewed).await
            }
            Self::Linked => TestApp::linked(changes).await,
            Self::Cancelled => TestApp::cancelled(changes).await,
        }
    }
}

impl Screen {
    /// Whether its title and header name the firm.
    pub fn names_firm(&self) -> bool {
        self.start != Start::Nobody && !matches!(self.name, "entry" | "not-found")
    }

    pub fn what(&self) -> String {
        format!("{} as {:?}", self.path, self.start)
    }

    /// The start tags of this element.
    pub fn tags(&self, name: &str) -> Vec<&str> {
        let start = format!("<{name}");
        let starts = self.page.text.match_indices(&start).map(|(at, _)| &self.page.text[at..]);
        starts
            .filter(|rest| rest[name.len() + 1..].starts_with([' ', '>', '/']))
            .map(|rest| &rest[..=rest.find('>').unwrap()])
            .collect()
    }
}
