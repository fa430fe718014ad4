//! The bank list, and the saving of the form.

use vincula_domain::bank::{BankCode, brand_of};
use vincula_upstream::Bank;

use crate::{
    actions::{ActionContext, ActionError, BrowserSession},
    administrator::{Administrator, BankFormField, FieldError, FieldErrorCode},
    routes::Page,
    session::{ChosenBank, Client, NotYet, bank_name},
    telemetry::FunnelStep,
    wire::{BankOption, Banks, FromPage, Onward, SaveBankFormInput},
};

/// The bank list. Never changes the session.
pub async fn list_banks(
    context: &ActionContext,
    session: &mut BrowserSession,
    page: FromPage,
) -> Result<Banks, ActionError> {
    let session = session.of_page(&page.session)?;
    let (upstream, caller) = context.upstream(&session);
    let called = upstream.list_banks(&caller).await;
    let banks = called.map_err(ActionError::List)?.data;
    Ok(Banks {
        banks: options(banks),
    })
}

/// The banks that can be chosen: those that have a code.
fn options(banks: Vec<Bank>) -> Vec<BankOption> {
    banks
        .into_iter()
        .filter(|bank| !bank.code.trim().is_empty())
        .map(with_brand)
        .collect()
}

fn with_brand(Bank { code, name }: Bank) -> BankOption {
    BankOption {
        brand: brand_of(&name).unwrap_or_default().to_owned(),
        code,
        name,
    }
}

/// Saves bank, name and CPF to the session.
pub async fn save_bank_form(
    context: &ActionContext,
    session: &mut BrowserSession,
    input: SaveBankFormInput,
) -> Result<Onward, ActionError> {
    let mut session = session.of_page(&input.session)?;
    session.consent.ok_or(NotYet)?;
    let (code, administrator) =
        check(&input, &session.client).map_err(ActionError::InvalidFields)?;
    let bank = ChosenBank {
        code,
        name: bank_name(&input.bank_name),
    };
    session.change().choose_bank(bank, administrator)?;
    context.count_step(FunnelStep::BankForm);
    Ok(Page::Widget.into())
}

/// Validates a form: the errors are all invalid fields, in its order. Read-only fields come from
/// the session; posted values for them are ignored.
fn check(
    form: &SaveBankFormInput,
    client: &Client,
) -> Result<(BankCode, Administrator), Vec<FieldError>> {
    let administrator = form
        .administrator
        .clone()
        .with_fields_of(&client.fixed(), client.administrator());
    match (bank(&form.bank), administrator.checked()) {
        (Ok(bank), Ok(administrator)) => Ok((bank, administrator)),
        (bank, administrator) => {
            let bank = bank.err().map(|code| FieldError {
                field: BankFormField::Bank,
                code,
            });
            Err(bank
                .into_iter()
                .chain(administrator.err().into_iter().flatten())
                .collect())
        }
    }
}

fn bank(text: &str) -> Result<BankCode, FieldErrorCode> {
    let wrong = if text.trim().is_empty() {
        FieldErrorCode::Required
    } else {
        FieldErrorCode::Invalid
    };
    BankCode::parse(text).ok_or(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banks_without_a_code_are_left_out() {
        let bank = |code: &str| Bank {
            code: code.to_owned(),
            name: "N".to_owned(),
        };
        let rows = vec![bank("001"), bank(" "), bank(""), bank("260")];
        let options = options(rows);
        let codes: Vec<_> = options.iter().map(|bank| &*bank.code).collect();
        assert_eq!(codes, ["001", "260"]);
    }
}
