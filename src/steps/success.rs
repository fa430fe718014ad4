//! `/integration/success`: the account is linked (spec §2, §4, design D12).

use leptos::{prelude::*, server_fn::codec::Json};

use crate::{
    islands::Success,
    wire::{Context, Done, Failure, FromPage},
    words,
};

/// Tells the upstream that the client is done, once for each linking: `POST /api/confirm_success`, upstream `POST /success`.
///
/// # Errors
/// What the catalogue says (spec §8); to the session's start where nothing was linked.
#[server(prefix = "/api", endpoint = "confirm_success", input = Json)]
pub async fn confirm_success(input: FromPage) -> Result<Done, Failure> {
    use crate::session::{Acting, guard::home};

    let mut acting = Acting::begin(&input.session)?;
    if acting.session.marks.told_success {
        return Ok(Done {});
    }
    if !acting.session.marks.linked {
        return Err(acting.not_yet(home(&acting.session)));
    }
    let token = acting.session.token.clone();
    let key = acting.digest("success", &acting.session.attempt.linked.to_string());
    acting.once(key, async move |upstream, caller| upstream.success(&caller, &token).await).await?;
    acting.session.marks.told_success = true;
    acting.keep()?;
    Ok(Done {})
}

#[component]
pub fn SuccessPage(context: Context) -> impl IntoView {
    view! {
        <section class="step step--success">
            <img class="success-mark" src="/illustrations/success-mark.svg" alt="" width="96" height="96"/>
            <h1 class="step__title" tabindex="-1">{words::SUCCESS_TITLE}</h1>
            <p class="step__lead">{words::success_lead(&context.customer_name)}</p>
            <p class="notice">{words::SUCCESS_CANCEL}</p>
            <Success/>
        </section>
    }
}
