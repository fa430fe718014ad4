//! What a person, a bank or the network can do, and how often.

use proptest::prelude::*;

pub const TABS: usize = 2;

/// The links: of a new client, of another one with a link to update, and for an update.
pub const LINKS: usize = 3;
pub const NEW: usize = 0;
pub const UPDATE: usize = 2;

/// A step of a person, a bank or the network.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// Opens a link in a tab.
    Open { tab: usize, link: usize, late: bool },
    /// The bank sends the client of a link back, with or without the link's token.
    Return {
        tab: usize,
        link: usize,
        named: bool,
        late: bool,
    },
    /// Sends the action of the tab's page.
    Act { tab: usize, how: How },
    /// Cancels everything from the tab.
    Cancel { tab: usize, how: How, native: bool },
    /// Closes Connect in the tab.
    Close { tab: usize, how: How },
    /// The tab submits an item that the browser keeps.
    Again { tab: usize, how: How },
    /// Sends an action of the tab's page that changes nothing.
    Ask {
        tab: usize,
        action: usize,
        late: bool,
    },
    /// Goes to a page by its address.
    Look { tab: usize, page: usize },
    /// Another site navigates a tab to a page, or to the return address of banks.
    Sent {
        tab: usize,
        page: Option<usize>,
        late: bool,
    },
    /// The widget API names another firm for a link from now on.
    OtherFirm { link: usize },
    /// A late response arrives.
    Arrive { which: usize },
    /// All pending responses arrive, and another process takes over.
    Replace,
}

/// Variations of an action.
#[derive(Debug, Clone, Copy)]
pub struct How {
    /// Its response waits for [`Step::Arrive`].
    pub late: bool,
    /// Sent twice at the same time.
    pub twice: bool,
    /// The widget API rejects the call.
    pub fails: bool,
    /// Its response never arrives: the browser's session stays as it was.
    pub lost: bool,
}

pub const PAGES: [&str; 6] = [
    "/integration/accounts",
    "/integration/widget",
    "/integration/update",
    "/integration/success",
    "/cancel/confirm",
    "/cancel/success",
];

/// Actions that change nothing.
pub const READING: [&str; 3] = ["list_accounts", "list_banks", "report_connect_error"];

pub fn step() -> impl Strategy<Value = Step> {
    let (tab, link) = (|| 0..TABS, || 0..LINKS);
    let rarely = || prop::bool::weighted(0.25);
    let how = move || {
        let seldom = || prop::bool::weighted(0.1);
        (rarely(), rarely(), seldom(), seldom()).prop_map(|(late, twice, fails, lost)| How {
            late,
            twice,
            fails,
            lost,
        })
    };
    prop_oneof![
        3 => (tab(), link(), rarely()).prop_map(|(tab, link, late)| Step::Open { tab, link, late }),
        2 => (tab(), link(), any::<bool>(), rarely())
            .prop_map(|(tab, link, named, late)| Step::Return { tab, link, named, late }),
        10 => (tab(), how()).prop_map(|(tab, how)| Step::Act { tab, how }),
        2 => (tab(), how(), any::<bool>()).prop_map(|(tab, how, native)| Step::Cancel { tab, how, native }),
        1 => (tab(), how()).prop_map(|(tab, how)| Step::Close { tab, how }),
        1 => (tab(), how()).prop_map(|(tab, how)| Step::Again { tab, how }),
        3 => (tab(), 0..READING.len(), any::<bool>())
            .prop_map(|(tab, action, late)| Step::Ask { tab, action, late }),
        4 => (tab(), 0..PAGES.len()).prop_map(|(tab, page)| Step::Look { tab, page }),
        2 => (tab(), prop::option::of(0..PAGES.len()), rarely())
            .prop_map(|(tab, page, late)| Step::Sent { tab, page, late }),
        2 => (0..4_usize).prop_map(|which| Step::Arrive { which }),
        1 => link().prop_map(|link| Step::OtherFirm { link }),
        1 => Just(Step::Replace),
    ]
}
