//! Every screen as the router renders it.

use serde_json::Value;

use super::{
    Answer, LINK,
    guards::{PATHS, TABLE, with},
};

/// Screens that the guard's table does not have: their session, their address and their name.
const OTHERS: [(&str, &str, &str); 7] = [
    ("new", LINK, "entry"),
    ("none", "/error/token-expired", "error"),
    ("new, linked", "/error/link-not-exists", "error"),
    ("none", "/acessibilidade", "accessibility"),
    ("new, linked", "/acessibilidade", "accessibility"),
    ("none", "/nowhere", "not-found"),
    ("new, linked", "/integration/x.css", "not-found"),
];

/// Every screen: each name of the guard's table with the first session that shows it, and the others.
pub fn addresses() -> Vec<(&'static str, &'static str, &'static str)> {
    let mut screens: Vec<(&str, &str, &str)> = Vec::new();
    for (session, results) in TABLE {
        for (path, name) in PATHS.into_iter().zip(results) {
            if !name.starts_with('/') && screens.iter().all(|(.., known)| *known != name) {
                screens.push((session, path, name));
            }
        }
    }
    screens.extend(OTHERS);
    screens
}

/// One rendered screen.
pub struct Screen {
    pub session: &'static str,
    pub path: &'static str,
    pub name: &'static str,
    pub page: Answer,
}

/// All of them, for session data with these changes.
pub async fn screens(changes: &Value) -> Vec<Screen> {
    let mut screens = Vec::new();
    for (session, path, name) in addresses() {
        let page = with(session, changes).await.get(path).await;
        assert_eq!(page.page(), Some(name), "{path} with {session}: {page:?}");
        screens.push(Screen {
            session,
            path,
            name,
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

    /// Whether it is a step of a session, which the guard protects.
    pub fn is_of_session(&self) -> bool {
        self.name != "not-found"
            && (self.path.starts_with("/integration/") || self.path.starts_with("/cancel/"))
    }

    /// The side image, by the route. The pages that host Connect, and the consent, have none.
    pub fn side_image(&self) -> Option<&'static str> {
        match self.path {
            "/integration/widget" | "/integration/update" => None,
            _ if self.name == "not-found" => Some("cancel"),
            "/integration/success" => Some("success"),
            "/integration/select-bank" => Some("select-bank"),
            path if path.starts_with("/cancel/") || path.starts_with("/error/") => Some("cancel"),
            _ => Some("default"),
        }
    }

    /// Its title, without the owner.
    pub fn title(&self) -> &str {
        let (_, rest) = self.page.text.split_once("<title>").unwrap();
        let (title, _) = rest.split_once(" — ").unwrap();
        title
    }

    /// Whether the screen has islands to hydrate.
    pub fn has_islands(&self) -> bool {
        self.page.text.contains("<leptos-island")
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
