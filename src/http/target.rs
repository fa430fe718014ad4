//! What a request is for.

use axum::{Extension, extract::FromRequestParts};
use leptos::server_fn::axum::server_fn_paths;

use crate::routes::{ANY_ACTION, FILE_FOLDERS, Page, is_action};

/// What a request is for: an extension of every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRequestParts)]
#[from_request(via(Extension))]
pub enum Target {
    Page(Page),
    /// The server function with this path.
    Action(&'static str),
    /// The path of an action, with a name that no action has.
    UnknownAction,
    /// A file of this folder.
    File(&'static str),
    /// Another path, such as a file of the root folder.
    Other,
}

impl Target {
    /// The target of a request with this path.
    pub fn from_path(path: &str) -> Self {
        if let Some(page) = Page::from_path(path) {
            return Self::Page(page);
        }
        if is_action(path) {
            return server_fn_paths()
                .map(|(action, _)| action)
                .find(|action| *action == path)
                .map_or(Self::UnknownAction, Self::Action);
        }
        let is_in = |folder: &&str| {
            path.strip_prefix(*folder)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        FILE_FOLDERS
            .into_iter()
            .find(is_in)
            .map_or(Self::Other, Self::File)
    }

    /// The page, if it is one.
    pub fn page(self) -> Option<Page> {
        match self {
            Self::Page(page) => Some(page),
            _ => None,
        }
    }

    pub fn is_action(self) -> bool {
        matches!(self, Self::Action(_) | Self::UnknownAction)
    }

    /// The name of the target in the log and the metrics. It holds nothing that was typed.
    pub fn route(self) -> &'static str {
        match self {
            Self::Page(page) => page.path(),
            Self::Action(path) => path,
            Self::UnknownAction => ANY_ACTION,
            Self::File(folder) => folder,
            Self::Other => "other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_named_without_what_was_typed() {
        for (path, route) in [
            ("/error/529.982.247-25", "/error"),
            ("/integration/accounts/", "/integration/accounts"),
            ("/api/list_accounts", "/api/list_accounts"),
            ("/api/52998224725", "/api/{action}"),
            ("/pkg/52998224725.js", "/pkg"),
            ("/pkg", "other"),
            ("/a\r\nb", "other"),
            ("", "other"),
        ] {
            assert_eq!(Target::from_path(path).route(), route, "{path}");
        }
    }
}
