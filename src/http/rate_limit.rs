//! Limits how often one address may act. Pages and files are not limited.

use std::{num::NonZeroU32, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    http::Method,
    middleware::Next,
    response::Response,
};
use governor::{
    DefaultKeyedRateLimiter, Quota, RateLimiter,
    clock::{Clock, DefaultClock},
};

use crate::routes::{Page, VALIDATE_TOKEN};

use super::{
    Target,
    client_address::{ClientAddress, TrustedProxies},
    error_pages,
};

/// Validations of one address. An office or a carrier's NAT can open two links a second for hours;
/// guessing a 128-bit token at this rate is infeasible.
const VALIDATIONS: Quota = quota(120, 2);

/// Other actions of one address. Behind one carrier's NAT, 180 pages can list accounts every 3 s. The
/// burst is far below [`MAX_CALLS`](vincula_upstream::MAX_CALLS), so that an address cannot take all
/// permits at once.
const ACTIONS: Quota = quota(120, 60);

/// Above this number of addresses, about 5 MB, a limiter forgets those whose quota is full again.
const MAX_ADDRESSES: usize = 50_000;

/// A burst, and a rate per second in the long run.
const fn quota(burst: u32, per_second: u32) -> Quota {
    match (NonZeroU32::new(burst), NonZeroU32::new(per_second)) {
        (Some(burst), Some(per_second)) => Quota::per_second(per_second).allow_burst(burst),
        _ => panic!("a quota must be positive"),
    }
}

/// The quotas of all addresses.
pub struct RateLimits {
    proxies: TrustedProxies,
    validations: DefaultKeyedRateLimiter<ClientAddress>,
    actions: DefaultKeyedRateLimiter<ClientAddress>,
}

impl RateLimits {
    pub fn new(proxies: TrustedProxies) -> Self {
        Self {
            proxies,
            validations: RateLimiter::keyed(VALIDATIONS),
            actions: RateLimiter::keyed(ACTIONS),
        }
    }

    /// Takes one action from an address's quota. If the quota is used up, returns the time until
    /// the next action is allowed.
    fn check(&self, target: Target, client: ClientAddress) -> Result<(), Duration> {
        let limiter = match target {
            // The entry validates its link without JavaScript.
            Target::Action(VALIDATE_TOKEN) | Target::Page(Page::Entry) => &self.validations,
            _ => &self.actions,
        };
        if limiter.len() > MAX_ADDRESSES {
            limiter.retain_recent();
        }
        limiter
            .check_key(&client)
            .map_err(|not_until| not_until.wait_time_from(DefaultClock::default().now()))
    }
}

/// The layer: rejects the actions of an address that has used up its quota.
pub async fn enforce(
    State(limits): State<Arc<RateLimits>>,
    target: Target,
    request: Request,
    next: Next,
) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    match limits.check(target, limits.proxies.client_of(&request)) {
        Ok(()) => next.run(request).await,
        Err(wait) => error_pages::rate_limited(wait),
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn address(last: u8) -> ClientAddress {
        ClientAddress::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)))
    }

    #[test]
    fn each_address_has_a_quota_for_validations_and_one_for_other_actions() {
        let limits = RateLimits::new(TrustedProxies::default());
        let validation = Target::Action(VALIDATE_TOKEN);
        let native = Target::Page(Page::Entry);
        let poll = Target::Action("/api/list_accounts");
        let unknown = Target::UnknownAction;
        // A second or two may pass meanwhile.
        for (targets, burst, margin) in
            [([validation, native], 120, 10), ([poll, unknown], 120, 300)]
        {
            let used = (0..2_000)
                .take_while(|turn| limits.check(targets[turn % 2], address(1)).is_ok())
                .count();
            assert!(
                (burst..burst + margin).contains(&used),
                "{targets:?}: {used}"
            );
            let wait = limits.check(targets[0], address(1)).unwrap_err();
            assert!(wait <= Duration::from_millis(500), "{wait:?}");
            assert_eq!(limits.check(targets[0], address(2)), Ok(()));
        }
    }
}
