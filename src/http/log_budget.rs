//! A budget of log lines that anybody can cause: some of each address, and some in total.

use std::sync::Arc;

use super::{
    client_address::ClientAddress,
    rate::{Allowance, Rate},
};

/// Lines of one address. Fewer per second than in total, so that one address cannot use up all lines.
const LINES_OF_ADDRESS: Allowance = Allowance::new(20, 1);

/// Lines of all addresses together: one broken page on ten thousand phones is one fact.
const LINES: Allowance = Allowance::new(100, 5);

/// The budget and its current use; clones share it.
#[derive(Clone)]
pub struct LogBudget(Arc<Shared>);

struct Shared {
    lines_of_address: Rate<ClientAddress>,
    lines: Rate<()>,
}

impl Default for LogBudget {
    fn default() -> Self {
        Self(Arc::new(Shared { lines_of_address: Rate::new(LINES_OF_ADDRESS), lines: Rate::new(LINES) }))
    }
}

impl LogBudget {
    /// Whether one more line of this address may be logged.
    pub fn may_write(&self, client: ClientAddress) -> bool {
        // An address that has used up its own lines uses up no others.
        self.0.lines_of_address.take(&client).is_ok() && self.0.lines.take(&()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn address(last: u8) -> ClientAddress {
        ClientAddress::of(IpAddr::V4(Ipv4Addr::new(192, 0, 2, last)))
    }

    fn lines(budget: &LogBudget, client: ClientAddress) -> u32 {
        (0..1_000).filter(|_| budget.may_write(client)).count().try_into().unwrap()
    }

    #[test]
    fn no_address_uses_up_the_lines_of_all() {
        let budget = LogBudget::default();
        let of_one = LINES_OF_ADDRESS.at_once.get();
        // A second may pass meanwhile.
        assert!((of_one..of_one + 3).contains(&lines(&budget, address(1))));
        assert!((of_one..of_one + 3).contains(&lines(&budget, address(2))), "another's lines are there");
        let of_many: u32 = (3..100).map(|last| lines(&budget, address(last))).sum();
        assert!(of_many < LINES.at_once.get(), "{of_many} lines of 97 more addresses");
    }
}
