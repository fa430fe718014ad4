//! What those who run the product can see: log lines, metrics, traces and health.

pub mod exposed;
pub mod health;
pub mod journey;
pub mod metrics;
pub mod process;
pub mod trace;

pub use health::Readiness;
pub use metrics::{Delivery, Limit, Metrics};
pub use trace::Trace;

use tracing_subscriber::{EnvFilter, fmt, layer::SubscriberExt, util::SubscriberInitExt};

use crate::{
    config::{Config, LogFormat},
    http::panics,
};

/// Starts the log.
///
/// # Errors
/// Where `RUST_LOG` is not a filter.
pub fn init(config: &Config) -> anyhow::Result<()> {
    let registry = tracing_subscriber::registry().with(filter(config)?);
    match config.log_format {
        LogFormat::Text => registry.with(fmt::layer().with_writer(std::io::stderr)).init(),
        LogFormat::Json => registry.with(fmt::layer().json().flatten_event(true).with_writer(std::io::stderr)).init(),
    }
    panics::keep_messages_out();
    Ok(())
}

/// What is logged.
///
/// # Errors
/// Where `RUST_LOG` is not a filter.
pub fn filter(config: &Config) -> anyhow::Result<EnvFilter> {
    EnvFilter::try_new(&config.rust_log)
        .map_err(|error| anyhow::anyhow!("RUST_LOG is not valid: expected for example info,vincula=debug ({error})"))
}
