//! Splits a page request into its outline, which decides the markup, and the texts of one visit, which only fill it.
//!
//! Pages have few outlines, so the server renders each of them once and fills in the texts
//! (docs/decisions/0041-pages-are-rendered-once.md).

use std::mem::replace;

use html_escape::encode_quoted_attribute;

use vincula_domain::wire::Linking;

use crate::page_request::PageRequest;

/// Stands for the first text in an outline, the next character for the second one. They are of Unicode's private use
/// area: no text of ours contains one, and an outline has no text of anybody else.
const FIRST: char = '\u{e000}';

/// The texts of one visit as HTML, by their slot: escaped for text and for quoted attributes.
#[derive(Debug)]
pub struct Texts(Vec<String>);

impl From<Vec<String>> for Texts {
    /// Texts that are HTML.
    fn from(html: Vec<String>) -> Self {
        Self(html)
    }
}

impl Texts {
    /// The text of a slot of the same outline.
    pub fn get(&self, slot: usize) -> &str {
        self.0.get(slot).map_or("", String::as_str)
    }

    /// The slot that a character stands for.
    pub fn slot_of(placeholder: char) -> Option<usize> {
        usize::try_from(u32::from(placeholder).checked_sub(FIRST.into())?).ok().filter(|slot| *slot < SLOTS)
    }

    /// Replaces a text by its placeholder. An empty one stays: Leptos renders a space for it.
    fn take(&mut self, text: &mut String, escaped: bool) {
        let placeholder = u32::try_from(self.0.len()).ok().and_then(|slot| char::from_u32(u32::from(FIRST) + slot));
        let text = match placeholder {
            Some(placeholder) if !text.is_empty() => replace(text, placeholder.into()),
            _ => String::new(),
        };
        self.0.push(if escaped { text } else { encode_quoted_attribute(&text).into_owned() });
    }
}

/// How many texts a request may have.
const SLOTS: usize = 48;

impl PageRequest {
    /// The outline and the texts. `None` if more than texts depends on the visit: a list of accounts, a script.
    pub fn outline(mut self) -> Option<(Self, Texts)> {
        // All fields, so that a new one has to be considered. Those that are not taken below are part of the outline.
        let Self {
            page: _,
            view: _,
            problem: _,
            recourse: _,
            back,
            cancelled_at,
            left_connect,
            firm,
            client_document,
            client_is_company: _,
            face,
            context,
            blob,
            receipt,
            listed,
            support_code,
            nonce,
            host,
            unanswered: _,
            head_script,
            in_place: _,
        } = &mut self;
        // Of a receipt, too: its lines are as many as there are banks.
        if listed.is_some() || head_script.is_some() || receipt.is_some() {
            return None;
        }
        let mut texts = Texts(Vec::with_capacity(SLOTS));
        for linking in context.iter_mut().flat_map(|context| &mut context.linkings) {
            // All fields, as above. Only the blob says which one it is, and when it is late.
            let Linking { id, bank, linked_at, state: _, late_in_secs, approve_by } = linking;
            id.clear();
            *late_in_secs = 0;
            for text in [bank, linked_at, approve_by] {
                texts.take(text, false);
            }
        }
        let (names, form) = match context {
            Some(context) => {
                let names = [&mut context.session, &mut context.client_name, &mut context.customer_name];
                let form = context.bank_form.as_mut();
                let form = form.map(|form| {
                    [&mut form.bank, &mut form.bank_name, &mut form.administrator.name, &mut form.administrator.cpf]
                });
                (Some(names.into_iter().chain(&mut context.cancelled_at)), form)
            }
            None => (None, None),
        };
        let optional = firm.iter_mut().chain(support_code).chain(host).chain(back).chain(names.into_iter().flatten());
        let optional = optional.chain(cancelled_at).chain(left_connect);
        let of_visit = [client_document, nonce];
        for text in optional.chain(form.into_iter().flatten()).chain(face.texts()).chain(of_visit) {
            texts.take(text, false);
        }
        if let Some(json) = blob {
            texts.take(json, true);
        }
        Some((self, texts))
    }
}
