//! States of two firms of the example with brands of their own, whatever brands the sandbox runs with.

use vincula_domain::{problem::Problem, routes, wire::Done};
use vincula_pages::{Face, brands, face::Picture};

use super::{
    samples::{cancelled, company, consented, linked, listed, long_named, now},
    scenario::{Answer, Scenario},
    states::{FIRST_ACCOUNT, State, state},
};

/// Firms with a brand of their own: a dark colour, and a light one.
pub fn states() -> Vec<State> {
    let at = |slug, caption, path: &str, session| state(slug, caption, path, Some(session), Scenario::default());
    let consent = |slug, caption| at(slug, caption, routes::WIDGET, company());
    let accounts = Scenario::default().answering("list_accounts", listed(2));
    let done = Scenario::default().answering("confirm_success", Answer::data(&Done {}));
    let mut success = linked(now());
    success.progress.linked = true;
    let invalid = routes::error(Problem::TokenInvalid);
    vec![
        consent("brand-dark-consent", "Consent, dark").wearing(dark()),
        consent("brand-light-consent", "Consent, light").wearing(light()),
        at("brand-long-consent", "Consent, long name", routes::WIDGET, long_named()).wearing(dark()),
        state("brand-accounts", "Accounts", routes::ACCOUNTS, Some(consented(company())), accounts)
            .wearing(dark())
            .showing(FIRST_ACCOUNT),
        at("brand-bank-form", "Bank form", routes::SELECT_BANK, consented(company())).wearing(light()),
        state("brand-success", "Success", routes::SUCCESS, Some(success), done)
            .wearing(dark())
            .showing("role=button[name='Concluir integração']"),
        at("brand-receipt", "Receipt", routes::RECEIPT, linked(now())).wearing(dark()),
        at("brand-error", "An error, with numbers", &invalid, linked(now())).wearing(dark()).showing("text=WhatsApp"),
        at("brand-error-long", "An error, long name", &invalid, long_named()).wearing(light()),
        at("brand-cancelled", "Cancelled", routes::CANCEL_SUCCESS, cancelled()).wearing(light()),
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
    let face = brands::parse(json, &Face::default()).expect("the examples are tested");
    let src = format!("data:image/svg+xml,{}", svg.replace('#', "%23").replace('"', "'").replace('\n', ""));
    Face { logo: Some(Picture { src, width: width.to_owned() }), ..face }
}
