//! The paths of the product, its pages, and the flags in their addresses.

use strum::VariantArray;

pub const ENTRY: &str = "/";
pub const ERROR: &str = "/error";
pub const WIDGET: &str = "/integration/widget";
pub const ACCOUNTS: &str = "/integration/accounts";
pub const SELECT_BANK: &str = "/integration/select-bank";
pub const NEW: &str = "/integration/new";
pub const UPDATE: &str = "/integration/update";
pub const SUCCESS: &str = "/integration/success";
pub const CANCEL_CONFIRM: &str = "/cancel/confirm";
pub const CANCEL_SUCCESS: &str = "/cancel/success";
pub const ACCESSIBILITY: &str = "/acessibilidade";
/// Prefix of the server functions.
const API: &str = "/api";
/// The pattern of every action's path, also of those that do not exist.
pub const ANY_ACTION: &str = "/api/{action}";
/// The action that validates a link's token.
pub const VALIDATE_TOKEN: &str = "/api/validate_token";
/// Liveness: the process responds.
pub const HEALTHZ: &str = "/healthz";
/// Readiness: the process accepts traffic.
pub const READYZ: &str = "/readyz";
/// Prometheus metrics: on the metrics address only.
pub const METRICS: &str = "/metrics";
/// The wasm module with its glue code, and the style sheet.
pub const PKG: &str = "/pkg";
/// The modules of the React islands and of the page.
pub const ISLANDS: &str = "/islands";
/// The font, whose name has a hash.
pub const FONTS: &str = "/fonts";
/// The font.
pub const FONT: &str = "/fonts/inter-pt.57e26714.woff2";
/// Files in the root folder of the site.
pub const ROOT_FILES: [&str; 6] = [
    "/favicon.svg",
    "/icon-192.png",
    "/apple-touch-icon.png",
    "/social.png",
    "/robots.txt",
    "/site.webmanifest",
];
/// The pictures, whose names do not change with the content.
pub const ILLUSTRATIONS: &str = "/illustrations";
/// The files of the firm's theme.
pub const THEME: &str = "/theme";
/// The folders of static files.
pub const FILE_FOLDERS: [&str; 5] = [PKG, ISLANDS, FONTS, ILLUSTRATIONS, THEME];
/// The embedded sandbox's pages.
pub const SANDBOX: &str = "/sandbox";

/// Marks the query of a link by which the client returns from the bank.
pub const OF_SUCCESS: &str = "of-success";

/// Flags a page after a form post without JavaScript whose request failed and can be repeated: the
/// page shows a notice.
pub const NOTICE: &str = "aviso=sem-resposta";

/// Flags an error screen: the server or the widget API has failed, and the link is not to blame.
pub const OUTAGE: &str = "falha=servico";

/// Flags `/integration/widget`: it leads to the bank form, whatever was chosen before.
pub const NEW_BANK: &str = "novo=1";

/// The way to link a new bank: [`WIDGET`] with [`NEW_BANK`].
pub const INTEGRATE: &str = "/integration/widget?novo=1";

/// Flags the error screen of a browser without the session: the bank has sent the client back.
pub const RETURNED: &str = "voltou=1";

/// Query parameter of an error screen: the support code of the failed request.
pub const CODE: &str = "codigo=";

/// Whether a path is that of an action.
pub fn is_action(path: &str) -> bool {
    path.strip_prefix(API)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// Whether a raw query string contains a flag, as one whole pair.
pub fn has_flag(query: &str, flag: &str) -> bool {
    query.split('&').any(|pair| pair == flag)
}

/// The support code in the raw query string of an error screen: 12 hexadecimal digits, so that a
/// forged link cannot put text on the screen.
pub fn support_code(query: &str) -> Option<&str> {
    let code = query.split('&').find_map(|pair| pair.strip_prefix(CODE))?;
    let is_digit = |byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    (code.len() == 12 && code.bytes().all(is_digit)).then_some(code)
}

/// A page of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, VariantArray)]
pub enum Page {
    Entry,
    Error,
    /// The consent, or Connect once a bank is chosen.
    Widget,
    Accounts,
    /// The bank form.
    SelectBank,
    /// An address without a screen: the guard redirects to the step that is due.
    New,
    /// Connect, for the renewal of a connection.
    Update,
    Success,
    CancelConfirm,
    CancelSuccess,
    /// The accessibility statement.
    Accessibility,
}

impl Page {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The page at a path; `None` for every path that is not a page.
    pub fn from_path(path: &str) -> Option<Self> {
        let path = if path.len() > 1 {
            path.strip_suffix('/').unwrap_or(path)
        } else {
            path
        };
        match path
            .strip_prefix(ERROR)
            .and_then(|rest| rest.strip_prefix('/'))
        {
            Some(kind) => is_plain_segment(kind).then_some(Self::Error),
            None => Self::ALL
                .iter()
                .copied()
                .find(|page| *page != Self::Error && page.path() == path),
        }
    }

    /// The page's path; the shared prefix for error screens.
    pub fn path(self) -> &'static str {
        match self {
            Self::Entry => ENTRY,
            Self::Error => ERROR,
            Self::Widget => WIDGET,
            Self::Accounts => ACCOUNTS,
            Self::SelectBank => SELECT_BANK,
            Self::New => NEW,
            Self::Update => UPDATE,
            Self::Success => SUCCESS,
            Self::CancelConfirm => CANCEL_CONFIRM,
            Self::CancelSuccess => CANCEL_SUCCESS,
            Self::Accessibility => ACCESSIBILITY,
        }
    }
}

/// Whether the text is one path segment that URL parsers keep as it is. They resolve dots, also
/// encoded ones, and read a backslash as a slash.
fn is_plain_segment(text: &str) -> bool {
    let decoded = text.to_ascii_lowercase().replace("%2e", ".");
    !text.contains(['/', '\\']) && !matches!(decoded.as_str(), "" | "." | "..")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{destination::Destination, problem::Problem};

    #[test]
    fn finds_every_page_at_its_path() {
        for page in Page::ALL
            .iter()
            .copied()
            .filter(|page| *page != Page::Error)
        {
            assert_eq!(Page::from_path(page.path()), Some(page));
        }
        assert_eq!(Page::from_path("/error/token-expired"), Some(Page::Error));
        assert_eq!(Page::from_path("/error/anything"), Some(Page::Error));
        assert_eq!(
            Page::from_path("/integration/accounts/"),
            Some(Page::Accounts)
        );
        for unknown in [
            "/error",
            "/error/",
            "/error/a/b",
            "/error/..",
            "/error/.%2E",
            "/error/a\\..",
            "/integration",
            "/integration/x.css",
            "/INTEGRATION/widget",
        ] {
            assert_eq!(Page::from_path(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn reads_only_valid_support_codes() {
        let expected = Some("0123456789ab");
        assert_eq!(support_code("codigo=0123456789ab"), expected);
        assert_eq!(support_code("a=1&codigo=0123456789ab&b=2"), expected);
        for query in [
            "",
            "codigo=",
            "codigo=0123456789a",
            "codigo=0123456789abc",
            "codigo=0123456789AB",
            "codigo=529.982.247-",
            "xcodigo=0123456789ab",
        ] {
            assert_eq!(support_code(query), None, "{query}");
        }
    }

    /// The values that TypeScript needs, in addition to the types that ts-rs writes.
    #[test]
    #[expect(
        clippy::disallowed_methods,
        reason = "set by cargo for the tests, not a setting of the product"
    )]
    fn export_bindings_routes() {
        let paths = [
            ("ACCOUNTS", ACCOUNTS.to_owned()),
            ("OUTAGE", Destination::from(Problem::Outage).to_string()),
            ("WIDGET", WIDGET.to_owned()),
            (
                "COOKIES_BLOCKED",
                Destination::from(Problem::CookiesBlocked).to_string(),
            ),
        ];
        let lines = paths.map(|(name, path)| format!("export const {name} = '{path}';\n"));
        let text = format!(
            "// Generated from src/routes.rs. Do not edit this file manually.\n{}",
            lines.concat()
        );
        let folder = std::env::var("TS_RS_EXPORT_DIR").expect("set in .cargo/config.toml");
        std::fs::write(format!("{folder}/routes.ts"), text).unwrap();
    }

    #[test]
    fn matches_flags_as_whole_query_pairs() {
        assert!(has_flag("a=b&voltou=1", RETURNED));
        for other in ["", "voltou", "voltou=10", "xvoltou=1"] {
            assert!(!has_flag(other, RETURNED), "{other}");
        }
    }
}
