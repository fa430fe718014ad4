//! `/integration/accounts`: what is linked, live (spec §2, "Accounts screen").

use leptos::{prelude::*, server_fn::codec::Json};

use crate::{
    islands::LiveAccounts,
    wire::{Accounts, Context, Failure, FromPage},
    words,
};

/// The authorised accounts: `POST /api/list_accounts`, upstream `GET /list-accounts`. Never changes the session, so
/// that a poll cannot undo what another request of the same page has done.
///
/// # Errors
/// What the catalogue says (spec §8).
#[server(prefix = "/api", endpoint = "list_accounts", input = Json)]
pub async fn list_accounts(input: FromPage) -> Result<Accounts, Failure> {
    let mut acting = crate::session::Acting::begin(&input.session)?;
    let accounts = acting.ask(async move |upstream, caller| upstream.list_accounts(&caller).await).await?;
    Ok(Accounts { accounts })
}

#[component]
pub fn AccountsPage(context: Context) -> impl IntoView {
    view! {
        <section class="step">
            <h1 class="step__title" tabindex="-1">{words::greeting(&context.client_name)}</h1>
            <p class="step__lead">{words::ACCOUNTS_LEAD}</p>
            <LiveAccounts session=context.session/>
        </section>
    }
}
