//! The accounts that a cancellation would end, and the button that does it.

use leptos::{prelude::*, task::spawn_local};
use vincula_domain::{
    routes,
    wire::{Accounts, Context},
    words,
};

use crate::{
    accounts::SLOW_AFTER_MS,
    call,
    context::page_context,
    page,
    table::{AccountsTable, KnownAccounts, ListState, show_undelivered},
    view::{bool_attr, click, flag, on_hydrate, text},
};

const SPINNER: &str = "button__spinner";

/// The question, the accounts and those that wait, loaded once, and the button that cancels all of them. Without any, a
/// consent can still be withdrawn; without a consent there is nothing to ask.
#[island]
pub fn CancelPanel() -> impl IntoView {
    let context = page_context();
    let known = RwSignal::new(KnownAccounts::new(ListState::Loading, &context));
    let may_retry = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let slow = RwSignal::new(false);
    let Context { session, customer_name: firm, authorized, .. } = context;
    let load = {
        let session = session.clone();
        move || {
            let session = session.clone();
            may_retry.set(false);
            known.update(|known| known.list = ListState::Loading);
            spawn_local(async move {
                match watched(slow, call::list_accounts(&session, None, 0)).await {
                    Ok(Accounts::Listed { list, .. }) => {
                        known.update(|known| known.list = ListState::Listed(list));
                        return;
                    }
                    // The server says so only if the page sends a digest, which this one does not.
                    Ok(Accounts::Unchanged) => may_retry.set(true),
                    Err(failed) => may_retry.set(failed.handle()),
                }
                known.update(|known| known.list = ListState::NoResponse);
            });
        }
    };
    on_hydrate(|| {
        // First, so that the cancellation ends it, too.
        show_undelivered(&session, known);
        load();
        page::on_stays(move || busy.set(false));
    });
    let cancel = move || {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        let session = session.clone();
        spawn_local(async move {
            match watched(slow, call::cancel_integrations(&session)).await {
                Ok(to) => {
                    // The server would refuse it from now on.
                    page::forget(&session);
                    page::replace(&to);
                }
                Err(failed) => busy.set(!failed.handle()),
            }
        });
    };
    let is_bare = Signal::derive(move || known.get().is_empty());
    let is_empty = move || is_bare.get() && !authorized;
    let may_cancel = move || known.get().listed().is_some() && !is_empty();
    view! {
        <h1 class="step__title" tabindex="-1">
            {text(move || match is_bare.get() {
                true if authorized => words::WITHDRAW_TITLE.to_owned(),
                true => words::CANCEL_NOTHING.to_owned(),
                false => words::CANCEL_TITLE.to_owned(),
            })}
        </h1>
        <div hidden=flag(move || is_bare.get())>
            <AccountsTable known to_cancel=true/>
        </div>
        <p class="step__lead" hidden=flag(move || !(is_bare.get() && authorized))>{words::WITHDRAW_LEAD}</p>
        <div class="actions" hidden=flag(move || !may_retry.get())>
            <button class="button button--secondary" type="button" on:click=click(load)>{words::TRY_AGAIN}</button>
        </div>
        <p hidden=flag(move || !is_empty())>{words::CANCEL_NOTHING_YET}</p>
        <div class="actions" hidden=flag(move || !is_empty())>
            <a class="button button--secondary" href=routes::ACCOUNTS>{words::CANCEL_TO_ACCOUNTS}</a>
        </div>
        // Only with the list: nobody should cancel what they have not seen, and arriving rows must not move the button
        // from under a finger.
        <p class="notice notice--warning" hidden=flag(move || !may_cancel())>{words::cancel_note(&firm)}</p>
        <div class="actions" hidden=flag(move || !may_cancel())>
            <button
                class="button button--danger"
                type="button"
                aria-busy=bool_attr(move || busy.get())
                on:click=click(cancel)
            >
                <span class=SPINNER aria-hidden="true"></span>
                {words::CANCEL_ALL}
            </button>
            <a class="link-quiet" href=routes::ACCOUNTS>{words::CANCEL_BACK}</a>
        </div>
        <div role="status">
            <p hidden=flag(move || !slow.get())>{words::SLOW}</p>
        </div>
    }
}

/// Awaits a call; `slow` is set while it takes long.
async fn watched<T>(slow: RwSignal<bool>, call: impl Future<Output = T>) -> T {
    let _timer = page::Timer::start(SLOW_AFTER_MS, move || slow.set(true));
    let answer = call.await;
    slow.set(false);
    answer
}
