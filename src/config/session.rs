//! How long a session lives.

use std::time::Duration;

use clap::Args;

use super::{InvalidSetting, values::session_seconds};
use crate::session::Lifetime;

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Sessions")]
pub struct SessionConfig {
    /// Seconds after the last use until a session ends.
    #[arg(
        long,
        env = "SESSION_IDLE_SECS",
        default_value = "7200",
        value_parser = session_seconds
    )]
    session_idle_secs: Duration,

    /// Seconds after its link was opened until a session ends, however much it is used. Not less
    /// than SESSION_IDLE_SECS.
    #[arg(
        long,
        env = "SESSION_MAX_SECS",
        default_value = "43200",
        value_parser = session_seconds
    )]
    session_max_secs: Duration,
}

impl SessionConfig {
    /// Rejects a lifetime that ends before the idle time does.
    pub(super) fn check(&self) -> Result<Lifetime, InvalidSetting> {
        let idle = self.session_idle_secs;
        let longest = self.session_max_secs;
        if longest < idle {
            return Err(InvalidSetting(format!(
                "SESSION_MAX_SECS is {}, less than SESSION_IDLE_SECS, which is {}: expected at \
                 least as many seconds, or a shorter idle time",
                longest.as_secs(),
                idle.as_secs(),
            )));
        }
        Ok(Lifetime { idle, longest })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::config::tests::{SANDBOX, parse, settings};

    #[test]
    fn sessions_end_after_two_idle_hours_or_twelve_hours_by_default() {
        let life = settings(&[]).product.lifetime;
        assert_eq!(life.idle, Duration::from_secs(7_200));
        assert_eq!(life.longest, Duration::from_secs(43_200));
    }

    #[test]
    fn rejects_session_lifetime_below_idle_time() {
        let seconds = |idle, longest| {
            let args = ["--session-idle-secs", idle, "--session-max-secs", longest];
            parse(&[&SANDBOX[..], &args].concat()).unwrap().check()
        };
        assert!(seconds("3600", "3600").is_ok());
        let error = seconds("3600", "3599").unwrap_err().to_string();
        assert!(
            error.starts_with(
                "SESSION_MAX_SECS is 3599, less than SESSION_IDLE_SECS, which is 3600"
            ),
            "{error}"
        );
    }
}
