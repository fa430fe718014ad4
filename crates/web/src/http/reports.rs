//! Limits on reports of broken pages: anybody can cause these log lines, so few per address, and few in total.

use std::sync::Arc;

use vincula_telemetry::{Limit, Metrics};

use super::{
    client_address::ClientAddress,
    rate::{Allowance, Rate},
};

/// Requests of one address: a broken page sends a few reports at once, not for hours.
const REQUESTS_OF_ADDRESS: Allowance = Allowance::new(20, 1);

/// Lines of one address. Fewer per second than in total, so that one address cannot use up all lines.
const LINES_OF_ADDRESS: Allowance = Allowance::new(20, 1);

/// Lines of all addresses together: one broken page on ten thousand phones is one fact.
const LINES: Allowance = Allowance::new(100, 5);

/// The limits and their current use; clones share it.
#[derive(Clone)]
pub struct Reports(Arc<Shared>);

struct Shared {
    requests: Rate<ClientAddress>,
    lines_of_address: Rate<ClientAddress>,
    lines: Rate<()>,
    metrics: Metrics,
}

impl Reports {
    /// `metrics` counts the rejected reports.
    pub fn new(metrics: Metrics) -> Self {
        let (requests, lines_of_address) = (Rate::new(REQUESTS_OF_ADDRESS), Rate::new(LINES_OF_ADDRESS));
        Self(Arc::new(Shared { requests, lines_of_address, lines: Rate::new(LINES), metrics }))
    }

    /// Whether this address may send one more request whose body is read for reports.
    pub fn may_ask(&self, client: ClientAddress) -> bool {
        self.counted(self.0.requests.take(&client).is_ok())
    }

    /// Whether one more report of this address may be logged.
    pub fn may_write(&self, client: ClientAddress) -> bool {
        // An address that has used up its own lines uses up no others.
        self.counted(self.0.lines_of_address.take(&client).is_ok() && self.0.lines.take(&()).is_ok())
    }

    fn counted(&self, may: bool) -> bool {
        if !may {
            self.0.metrics.count_rejection(Limit::Reports);
        }
        may
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn address(last: u8) -> ClientAddress {
        ClientAddress::of(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)))
    }

    fn lines(reports: &Reports, client: ClientAddress) -> u32 {
        (0..1_000).filter(|_| reports.may_write(client)).count().try_into().unwrap()
    }

    #[test]
    fn no_address_uses_up_the_lines_of_all() {
        let reports = Reports::new(Metrics::default());
        let of_one = LINES_OF_ADDRESS.at_once.get();
        // A second may pass meanwhile.
        assert!((of_one..of_one + 3).contains(&lines(&reports, address(1))));
        assert!((of_one..of_one + 3).contains(&lines(&reports, address(2))), "another's lines are there");
        let of_many: u32 = (3..100).map(|last| lines(&reports, address(last))).sum();
        assert!(of_many < LINES.at_once.get(), "{of_many} lines of 97 more addresses");
    }
}
