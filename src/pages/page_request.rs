//! The data from which one document is rendered.

use std::sync::Arc;

use html_escape::encode_quoted_attribute;
use leptos::prelude::expect_context;

use crate::{brands::Face, routes::Page, screen::Screen, wire::PageContext, words};

/// The data from which one document is rendered. Its markup depends on nothing else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    pub page: Option<Page>,
    /// The step that is due in the session.
    pub back: Option<Page>,
    pub screen: Screen,
    /// The firm of the session. The entry names no firm, because its link may be of another one.
    pub firm: Option<String>,
    /// The details of the firm, or of the deployment.
    pub face: Face,
    /// Whether everything was cancelled, and the firm is not authorized again.
    pub is_cancelled: bool,
    pub nonce: String,
    /// The requested host. A forged one affects only the requester's own page, which is not cached.
    pub host: Option<String>,
    /// Whether the page shows the notice that a form post without JavaScript has failed.
    pub has_notice: bool,
}

/// The request whose document is being rendered.
pub fn request() -> Arc<PageRequest> {
    expect_context()
}

impl PageRequest {
    /// The context as JSON that is safe inside a script element.
    pub fn blob_of(context: &PageContext) -> String {
        let json = serde_json::to_string(context).expect("texts and flags always have a JSON form");
        json.replace('<', "\\u003c")
            .replace('\u{2028}', "\\u2028")
            .replace('\u{2029}', "\\u2029")
    }

    /// "Autorizar acesso — Contábil Horizonte", as HTML.
    pub fn title(&self) -> String {
        let firm = self.firm.as_deref().unwrap_or(words::PRODUCT);
        words::title::document(self.screen.title(), &encode_quoted_attribute(firm))
    }
}

#[cfg(test)]
mod tests {
    use crate::wire::WidgetType;

    use super::*;

    #[test]
    fn context_cannot_close_script_element() {
        let customer_name = "</script><script>alert(1)</script>\u{2028}<!--".to_owned();
        let context = PageContext {
            session: "s".into(),
            client_name: "Ana".into(),
            customer_name: customer_name.clone(),
            authorized: false,
            cancelled: false,
            widget_type: WidgetType::New,
            renewal_due: false,
            is_success: false,
            linking: None,
            bank: String::new(),
            consent: None,
            bank_form: None,
        };
        let json = PageRequest::blob_of(&context);
        assert!(!json.contains('<') && !json.contains('\u{2028}'), "{json}");
        let back: PageContext = serde_json::from_str(&json).unwrap();
        assert_eq!(back.customer_name, customer_name);
    }
}
