//! The accounts that a cancellation would end, and the button that does it (spec §2, "Cancel confirmation").

use leptos::{prelude::*, task::spawn_local};
use vincula_domain::{
    routes,
    wire::{AccountList, Accounts},
    words,
};

use super::{
    call,
    dynamic::{bool_attr, click, flag, text},
    linkings::ShownLinkings,
    markup::SPINNER,
    page,
    session::PageSession,
    slow::Slow,
    table::{AccountsState, AccountsTable},
};

/// The question, the accounts and those that wait, loaded once, and the button that cancels all of them. Without any, a
/// consent can still be withdrawn; without a consent there is nothing to ask.
#[island]
pub fn CancelPanel() -> impl IntoView {
    let known = RwSignal::new(AccountsState::Loading);
    let unanswered = RwSignal::new(false);
    let busy = RwSignal::new(false);
    let PageSession { firm, authorized, .. } = PageSession::of_page();
    let linkings = ShownLinkings::of_page();
    let (rows, kept, undelivered) = (linkings.rows_to_cancel(), linkings.kept(), linkings.clone());
    let slow = Slow::new();
    let is_slow = slow.signal();
    let without = move |may_ask_again: bool| {
        known.set(AccountsState::Nothing);
        unanswered.set(may_ask_again);
    };
    let load = {
        let (slow, linkings) = (slow.clone(), linkings.clone());
        move || {
            unanswered.set(false);
            known.set(AccountsState::Loading);
            slow.begin();
            let (slow, linkings) = (slow.clone(), linkings.clone());
            spawn_local(async move {
                let answer = call::list_accounts(&PageSession::of_page().id, None, 0).await;
                slow.end();
                match answer {
                    Ok(Accounts::Listed { accounts, waiting, .. }) => {
                        let list = AccountList { accounts, waiting };
                        linkings.listed(&list);
                        known.set(AccountsState::Listed(list));
                    }
                    // The server says so only if the page sends a digest, which this one does not.
                    Ok(Accounts::Unchanged) => without(true),
                    Err(failed) => without(failed.handle()),
                }
            });
        }
    };
    let cancel = move || {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        slow.begin();
        let slow = slow.clone();
        spawn_local(async move {
            let answer = call::cancel_integrations(&PageSession::of_page().id).await;
            slow.end();
            match answer {
                Ok(to) => page::replace(&to),
                Err(failed) => busy.set(!failed.handle()),
            }
        });
    };
    // Neither an account nor one that waits.
    let is_bare = Signal::derive(move || known.get().is_empty_list() && !linkings.are_shown());
    let is_empty = move || is_bare.get() && !authorized;
    let may_cancel = move || known.get().is_listed() && !is_empty();
    page::on_hydrate({
        let load = load.clone();
        move || {
            // First, so that the cancellation ends it, too.
            undelivered.deliver();
            load();
            page::on_stays(move || busy.set(false));
        }
    });
    view! {
        <h1 class="step__title" tabindex="-1">
            {text(move || match is_bare.get() {
                true if authorized => words::WITHDRAW_TITLE.to_owned(),
                true => words::CANCEL_NOTHING.to_owned(),
                false => words::CANCEL_TITLE.to_owned(),
            })}
        </h1>
        <div hidden=flag(move || is_bare.get())>
            <AccountsTable known linkings=rows kept to_cancel=true/>
        </div>
        <p class="step__lead" hidden=flag(move || !(is_bare.get() && authorized))>{words::WITHDRAW_LEAD}</p>
        <div class="actions" hidden=flag(move || !unanswered.get())>
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
            <p hidden=flag(move || !is_slow.get())>{words::SLOW}</p>
        </div>
    }
}
