//! "Fale com o escritório": the firm's numbers as links.

use leptos::prelude::*;
use vincula_domain::words;

use crate::face::{self, Face};

/// A line that says whom to call or to write to; nothing if the firm has no number.
#[component]
pub fn ContactLine(face: Face, firm: Option<String>) -> impl IntoView {
    let firm = firm.filter(|_| face.can_be_reached())?;
    Some(view! { <p class="contact">{words::contact::talk_to(&firm)} " " <Numbers face/></p> })
}

/// The numbers, as they stand behind a name.
#[component]
pub fn Numbers(face: Face) -> impl IntoView {
    let Face { telephone, whatsapp, .. } = face;
    let telephone = telephone.map(|face::Contact { href, number }| {
        view! { <a class="contact__link" href=href>{number}</a> " " }
    });
    // It leads out of the page, which stays as it is. The address has the number only.
    let whatsapp = whatsapp.map(|face::Contact { href, number }| {
        view! {
            <a class="contact__link" href=href target="_blank" rel="noopener noreferrer">
                {words::contact::WHATSAPP} " " {number}
            </a>
        }
    });
    view! { {telephone} {whatsapp} }
}
