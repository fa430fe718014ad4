//! Parts that several steps share: the firm and its numbers, the link back, a React island.

use std::sync::Arc;

use leptos::prelude::*;

use super::request::request;
use crate::{
    brands::{FirmDetails, ShownLogo},
    islands::react::{Prerendered, ReactIsland},
    routes::Page,
    site::{BuiltFiles, React},
    words,
};

/// The firm with its logo or initials and its name; without a session, the product's name.
#[component]
pub fn Brand() -> impl IntoView {
    let request = request();
    let firm = request.firm.clone();
    // Next to the name, the logo adds nothing for a screen reader.
    let alt = if firm.is_some() { "" } else { words::LOGO };
    let sign = match (&request.details.logo, &firm) {
        (Some(ShownLogo { address, width }), _) => view! {
            <img class="brand__logo" src=address.clone() alt=alt width=width.clone() height="44"/>
        }
        .into_any(),
        (None, Some(firm)) => {
            view! { <span class="brand__monogram" aria-hidden="true">{monogram(firm)}</span> }
                .into_any()
        }
        (None, None) => view! {
            <img class="brand__mark" src="/favicon.svg" alt="" width="28" height="28"/>
            {words::PRODUCT}
        }
        .into_any(),
    };
    let names = firm.map(|firm| {
        view! {
            <span class="brand__names">
                <strong class="brand__firm">{firm}</strong>
            </span>
        }
    });
    view! { <p class="brand" translate="no">{sign} {names}</p> }
}

/// Up to two initials of a firm's name, without the small words between: "Contábil do Vale" is
/// "CV".
fn monogram(firm: &str) -> String {
    let initial = |word: &str| {
        word.chars()
            .next()
            .filter(|&first| first.is_uppercase() || first.is_numeric())
    };
    let initials: String = firm
        .split_whitespace()
        .filter_map(initial)
        .take(2)
        .collect();
    if initials.is_empty() {
        firm.chars().take(1).flat_map(char::to_uppercase).collect()
    } else {
        initials
    }
}

/// "Fale com o escritório": the firm's telephone numbers as links; empty without numbers.
#[component]
pub fn ContactLine() -> impl IntoView {
    let request = request();
    if !request.details.can_be_reached() {
        return None;
    }
    request.firm.as_ref()?;
    Some(view! { <p class="contact">{words::contact::TALK} " " <Numbers/></p> })
}

/// How to connect again after a cancellation, with the firm's telephone numbers if it has any.
#[component]
pub fn ConnectAgain() -> impl IntoView {
    if request().details.can_be_reached() {
        view! { <p class="contact">{words::CONNECT_AGAIN} ": " <Numbers/></p> }.into_any()
    } else {
        view! { <p>{words::CONNECT_AGAIN} "."</p> }.into_any()
    }
}

/// The telephone numbers as a fact.
#[component]
pub fn ContactFact() -> impl IntoView {
    request().details.can_be_reached().then(|| {
        view! {
            <div class="facts__one">
                <dt>{words::contact::CONTACT}</dt>
                <dd class="contact contact--fact"><Numbers/></dd>
            </div>
        }
    })
}

/// The telephone numbers as buttons, where only the firm can help.
#[component]
pub fn ContactActions() -> impl IntoView {
    let request = request();
    let FirmDetails {
        telephone,
        whatsapp,
        ..
    } = request.details.clone();
    let second = if telephone.is_some() {
        "secondary"
    } else {
        "primary"
    };
    let telephone = telephone.map(|number| {
        view! {
            <a class="button button--primary" href=number.call()>
                {words::contact::CALL} " " {number.to_string()}
            </a>
        }
    });
    let whatsapp = whatsapp.map(|number| {
        view! {
            <a class=format!("button button--{second}") href=number.whatsapp() target="_blank" rel="noopener noreferrer">
                {words::contact::WHATSAPP} " " {number.to_string()}
            </a>
        }
    });
    let can_be_reached = request.details.can_be_reached();
    can_be_reached
        .then(|| view! { <div class="actions success__contact">{telephone} {whatsapp}</div> })
}

#[component]
fn Numbers() -> impl IntoView {
    let request = request();
    let telephone = request.details.telephone.as_ref().map(|number| {
        view! { <a class="contact__link" href=number.call()>{number.to_string()}</a> " " }
    });
    // It opens outside of the page. The address contains only the number.
    let whatsapp = request.details.whatsapp.as_ref().map(|number| {
        view! {
            <a class="contact__link" href=number.whatsapp() target="_blank" rel="noopener noreferrer">
                {words::contact::WHATSAPP} " " {number.to_string()}
            </a>
        }
    });
    view! { {telephone} {whatsapp} }
}

/// A fact; empty if its value is unknown. `translate="no"` is for names.
#[component]
pub fn Fact(
    name: &'static str,
    value: String,
    #[prop(optional)] translate: Option<&'static str>,
) -> impl IntoView {
    (!value.is_empty()).then(|| {
        view! { <div class="facts__one"><dt>{name}</dt><dd translate=translate>{value}</dd></div> }
    })
}

/// A link back to another page, which works without JavaScript.
#[component]
pub fn BackLink(to: Page) -> impl IntoView {
    view! { <a class="step__back" href=to.path()>{words::BACK}</a> }
}

/// A React island, on a page whose facts name it ([`Facts::react`](super::Facts::react)), with the
/// `texts` filled in.
pub fn react_island(react: React, texts: &[(&str, &str)]) -> impl IntoView + use<> {
    let bundle = Arc::clone(expect_context::<Arc<BuiltFiles>>().island(react));
    provide_context(Prerendered(bundle.filled(texts)));
    view! { <ReactIsland name=react.name().to_owned() module=bundle.js.clone()/> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_initials_of_firm_without_logo() {
        for (firm, initials) in [
            ("Contábil Horizonte", "CH"),
            ("Contábil do Vale Ltda", "CV"),
            ("Órion", "Ó"),
            ("4 Contas", "4C"),
            ("ágil contabilidade", "Á"),
            ("", ""),
        ] {
            assert_eq!(monogram(firm), initials, "{firm}");
        }
    }
}
