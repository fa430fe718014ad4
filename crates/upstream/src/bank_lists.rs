//! A cache of bank lists: they are large, the same for many clients, and rarely change.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::Semaphore,
    time::{Instant, timeout},
};
use vincula_domain::wire::BankOption;
use vincula_telemetry::trace::in_current;

use super::{Answer, CallError, Caller, NoReplyCause, Upstream};

/// Maximum firms whose list is cached at the same time.
pub const MAX_FIRMS: usize = 512;

/// Maximum refreshes at the same time; without one, a list is requested anew when it has expired.
pub const MAX_REFRESHES: usize = 64;

/// Largest list that is cached, in bytes of memory: enough for some hundred banks, which is how many there are.
pub const MAX_BYTES: usize = 64 * 1024;

type Banks = Arc<Vec<BankOption>>;

/// The cached lists by firm; clones share them. Lists are never shared across firms: the specification does not say
/// what a list depends on, and gives the call no payload, so it may depend on the token.
#[derive(Debug, Clone)]
pub(super) struct BankLists {
    ttl: Duration,
    lists: Arc<Mutex<HashMap<String, CachedList>>>,
    refreshes: Arc<Semaphore>,
}

#[derive(Debug)]
struct CachedList {
    banks: Banks,
    since: Instant,
    /// A caller has started a refresh.
    refreshing: bool,
}

/// The result of a cache lookup.
enum Lookup {
    Fresh(Banks),
    /// Valid, but in the second half of its TTL. Only one lookup returns this: its caller starts the refresh.
    Stale(Banks),
    Miss,
}

impl Upstream {
    /// The banks that a firm's clients can choose from: cached, or by [`Upstream::list_banks`].
    ///
    /// No caller waits for another's call. If no list is cached, each caller makes its own call. In the second half of
    /// a list's TTL, one caller starts a refresh in the background.
    ///
    /// # Errors
    /// As [`Upstream::list_banks`].
    pub async fn cached_banks(&self, firm: &str, caller: &Caller) -> Result<Answer<Vec<BankOption>>, CallError> {
        match self.bank_lists.lookup(firm) {
            Lookup::Fresh(banks) => Ok(answer(&banks)),
            Lookup::Stale(banks) => {
                self.refresh(firm.to_owned(), caller.clone());
                Ok(answer(&banks))
            }
            Lookup::Miss => self.load(firm, caller).await,
        }
    }

    /// Refreshes a list in the background. If that fails or hangs, the old list stays valid until it expires; then each
    /// caller makes its own call, and the refresh is given up.
    fn refresh(&self, firm: String, caller: Caller) {
        let Ok(permit) = Arc::clone(&self.bank_lists.refreshes).try_acquire_owned() else { return };
        let upstream = self.clone();
        tokio::spawn(in_current(async move {
            let _permit = permit;
            let outcome = timeout(upstream.bank_lists.ttl / 2, upstream.load(&firm, &caller)).await;
            if let Err(error) = outcome.unwrap_or(Err(CallError::NoReply(NoReplyCause::TimedOut))) {
                tracing::warn!(%error, "bank list not renewed");
            }
        }));
    }

    async fn load(&self, firm: &str, caller: &Caller) -> Result<Answer<Vec<BankOption>>, CallError> {
        let outcome = self.list_banks(caller).await;
        if let Ok(answer) = &outcome {
            self.bank_lists.insert(firm, &answer.data);
        }
        outcome
    }
}

impl BankLists {
    /// A cache whose lists are valid for `ttl`; zero disables it.
    pub fn with_ttl(ttl: Duration) -> Self {
        Self { ttl, lists: Arc::default(), refreshes: Arc::new(Semaphore::new(MAX_REFRESHES)) }
    }

    fn lookup(&self, firm: &str) -> Lookup {
        let mut lists = self.lock();
        let Some(list) = lists.get_mut(firm).filter(|list| list.since.elapsed() < self.ttl) else {
            return Lookup::Miss;
        };
        let banks = Arc::clone(&list.banks);
        if list.refreshing || list.since.elapsed() < self.ttl / 2 {
            return Lookup::Fresh(banks);
        }
        list.refreshing = true;
        Lookup::Stale(banks)
    }

    fn insert(&self, firm: &str, banks: &[BankOption]) {
        let mut lists = self.lock();
        lists.retain(|_, list| list.since.elapsed() < self.ttl);
        let is_small = banks.iter().map(bytes).sum::<usize>() <= MAX_BYTES;
        if is_small && !self.ttl.is_zero() && (lists.len() < MAX_FIRMS || lists.contains_key(firm)) {
            let list = CachedList { banks: Arc::new(banks.to_vec()), since: Instant::now(), refreshing: false };
            lists.insert(firm.to_owned(), list);
        }
    }

    /// Ignores poisoning: nothing panics while it holds the lock.
    fn lock(&self) -> MutexGuard<'_, HashMap<String, CachedList>> {
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Estimated memory of a bank: the struct, its two strings, and 32 bytes for what their allocations round up.
fn bytes(bank: &BankOption) -> usize {
    size_of::<BankOption>() + 32 + bank.code.len() + bank.name.len()
}

fn answer(banks: &Banks) -> Answer<Vec<BankOption>> {
    Answer { data: banks.to_vec(), xsrf: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TTL: Duration = Duration::from_secs(60);

    fn banks(code: &str) -> Vec<BankOption> {
        vec![BankOption { code: code.into(), name: "Banco".into() }]
    }

    /// The bank code in the cached list, and whether the caller has to refresh it.
    fn found(lists: &BankLists, firm: &str) -> Option<(String, bool)> {
        match lists.lookup(firm) {
            Lookup::Fresh(banks) => Some((banks[0].code.clone(), false)),
            Lookup::Stale(banks) => Some((banks[0].code.clone(), true)),
            Lookup::Miss => None,
        }
    }

    #[tokio::test]
    async fn a_list_that_is_too_large_is_not_cached() {
        let lists = BankLists::with_ttl(TTL);
        let bank = banks("001").remove(0);
        let max = MAX_BYTES / bytes(&bank);
        lists.insert("large", &vec![bank.clone(); max + 1]);
        lists.insert("small", &vec![bank; max]);
        assert_eq!((found(&lists, "large"), found(&lists, "small")), (None, Some(("001".to_owned(), false))));
    }

    #[tokio::test(start_paused = true)]
    async fn a_list_is_valid_for_its_ttl_and_refreshed_by_one_caller_in_the_second_half() {
        let lists = BankLists::with_ttl(TTL);
        assert_eq!(found(&lists, "7"), None);
        lists.insert("7", &banks("1"));
        assert_eq!(found(&lists, "7"), Some(("1".into(), false)));
        assert_eq!(found(&lists, "8"), None, "another firm's list may be another");
        tokio::time::advance(TTL / 2).await;
        assert_eq!(found(&lists, "7"), Some(("1".into(), true)));
        assert_eq!(found(&lists, "7"), Some(("1".into(), false)), "one caller refreshes, not all");
        tokio::time::advance(TTL / 2 - Duration::from_secs(1)).await;
        assert_eq!(found(&lists, "7"), Some(("1".into(), false)), "the refresh failed: valid to its end");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(found(&lists, "7"), None);
        lists.insert("7", &banks("2"));
        assert_eq!(found(&lists, "7"), Some(("2".into(), false)));
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_cached_for_zero_and_not_for_too_many() {
        let none = BankLists::with_ttl(Duration::ZERO);
        none.insert("7", &banks("1"));
        assert_eq!(found(&none, "7"), None);
        let lists = BankLists::with_ttl(TTL);
        for firm in 0..=MAX_FIRMS {
            lists.insert(&firm.to_string(), &banks("1"));
        }
        assert_eq!(lists.lock().len(), MAX_FIRMS);
    }
}
