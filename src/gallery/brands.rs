//! States of two firms of the example with their brands, whatever brands the sandbox runs with.

use vincula_domain::{problem::Problem, routes, wire::Done};
use vincula_pages::{Face, brands::Picture};

use super::{
    samples::{cancelled, company, consented, linked, listed, long_named, now},
    scenario::{Answer, CONCLUDE, FIRST_ACCOUNT, State, screen},
};

/// Firms with a brand: a dark colour, and a light one.
pub fn states() -> Vec<State> {
    let at = |slug, caption, path: &str, session, face| screen(slug, caption, path).session(session).with_face(face);
    let invalid = routes::error(Problem::TokenInvalid);
    vec![
        at("brand-dark-consent", "Consent, dark", routes::WIDGET, company(), dark()),
        at("brand-light-consent", "Consent, light", routes::WIDGET, company(), light()),
        at("brand-long-consent", "Consent, long name", routes::WIDGET, long_named(), dark()),
        at("brand-accounts", "Accounts", routes::ACCOUNTS, consented(company()), dark())
            .answering("list_accounts", listed(2))
            .showing(FIRST_ACCOUNT),
        at("brand-bank-form", "Bank form", routes::SELECT_BANK, consented(company()), light()),
        at("brand-success", "Success", routes::SUCCESS, linked(now()), dark())
            .answering("confirm_success", Answer::data(&Done {}))
            .showing(CONCLUDE),
        at("brand-receipt", "Receipt", routes::RECEIPT, linked(now()), dark()),
        at("brand-error", "An error, with numbers", &invalid, linked(now()), dark()).showing("text=WhatsApp"),
        at("brand-error-long", "An error, long name", &invalid, long_named(), light()),
        at("brand-cancelled", "Cancelled", routes::CANCEL_SUCCESS, cancelled(), light()),
    ]
}

/// A firm with a dark colour, and everything that a brand may have.
fn dark() -> Face {
    face(
        include_str!("../../deploy/brands-example/4217/brand.json"),
        include_str!("../../deploy/brands-example/4217/logo.svg"),
        "132",
    )
}

/// A firm with a light colour and few other parts.
fn light() -> Face {
    face(
        include_str!("../../deploy/brands-example/5108/brand.json"),
        include_str!("../../deploy/brands-example/5108/logo.svg"),
        "44",
    )
}

/// The logo is in its address: it needs no folder.
fn face(json: &str, svg: &str, width: &str) -> Face {
    let face = Face::parse(json.as_bytes(), &Face::default()).expect("the examples are tested");
    let src = format!("data:image/svg+xml,{}", svg.replace('#', "%23").replace('"', "'").replace('\n', ""));
    Face { logo: Some(Picture { src, width: width.to_owned() }), ..face }
}
