//! Every screen as the router renders it.

use serde_json::Value;

use super::{Answer, LINK, guards::with};

/// Every screen: its session, its address, its name, its title and its side image (none: bare).
pub const SCREENS: [(&str, &str, &str, &str, Option<&str>); 16] = [
    ("none", LINK, "entry", "Abrindo o seu link", Some("default")),
    ("new", LINK, "entry", "Abrindo o seu link", Some("default")),
    (
        "new",
        "/integration/widget",
        "consent",
        "Autorizar acesso",
        None,
    ),
    (
        "new",
        "/integration/accounts",
        "accounts",
        "Contas integradas",
        Some("default"),
    ),
    (
        "new, consented",
        "/integration/select-bank",
        "bank-form",
        "Banco e administrador",
        Some("select-bank"),
    ),
    (
        "new, bank chosen",
        "/integration/widget",
        "connect",
        "Conectar ao banco",
        None,
    ),
    (
        "update",
        "/integration/update",
        "update",
        "Atualizar integração",
        None,
    ),
    (
        "new, linked",
        "/integration/success",
        "success",
        "Integração concluída",
        Some("success"),
    ),
    (
        "new, linked",
        "/cancel/confirm",
        "cancel-confirm",
        "Cancelar integrações",
        Some("cancel"),
    ),
    (
        "new, cancelled",
        "/cancel/success",
        "cancel-success",
        "Integrações canceladas",
        Some("cancel"),
    ),
    (
        "none",
        "/error/token-expired",
        "error",
        "O prazo deste link acabou",
        Some("cancel"),
    ),
    (
        "new, linked",
        "/error/link-not-exists",
        "error",
        "Esta conexão não existe mais",
        Some("cancel"),
    ),
    (
        "none",
        "/acessibilidade",
        "accessibility",
        "Acessibilidade",
        Some("default"),
    ),
    (
        "new, linked",
        "/acessibilidade",
        "accessibility",
        "Acessibilidade",
        Some("default"),
    ),
    (
        "none",
        "/nowhere",
        "not-found",
        "Página não encontrada",
        Some("cancel"),
    ),
    (
        "new, linked",
        "/integration/x.css",
        "not-found",
        "Página não encontrada",
        Some("cancel"),
    ),
];

/// One rendered screen of the table.
pub struct Screen {
    pub session: &'static str,
    pub path: &'static str,
    pub name: &'static str,
    pub title: &'static str,
    pub side_image: Option<&'static str>,
    pub page: Answer,
}

/// All of them, for session data with these changes.
pub async fn screens(changes: &Value) -> Vec<Screen> {
    let mut screens = Vec::new();
    for (session, path, name, title, side_image) in SCREENS {
        let page = with(session, changes).await.get(path).await;
        assert_eq!(page.page(), Some(name), "{path} with {session}: {page:?}");
        screens.push(Screen {
            session,
            path,
            name,
            title,
            side_image,
            page,
        });
    }
    screens
}

impl Screen {
    /// Whether its title and header name the firm.
    pub fn names_firm(&self) -> bool {
        self.session != "none" && !matches!(self.name, "entry" | "not-found")
    }

    /// Whether the screen has islands to hydrate.
    pub fn has_islands(&self) -> bool {
        let names = [
            "consent",
            "bank-form",
            "connect",
            "update",
            "accounts",
            "cancel-confirm",
            "success",
        ];
        names.contains(&self.name)
    }

    pub fn what(&self) -> String {
        format!("{} with {}", self.path, self.session)
    }

    /// The start tags of this element.
    pub fn tags(&self, name: &str) -> Vec<&str> {
        let start = format!("<{name}");
        let starts = self
            .page
            .text
            .match_indices(&start)
            .map(|(at, _)| &self.page.text[at..]);
        starts
            .filter(|rest| rest[name.len() + 1..].starts_with([' ', '>', '/']))
            .map(|rest| &rest[..=rest.find('>').unwrap()])
            .collect()
    }
}
