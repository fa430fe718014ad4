//! Settings that are one of a few words.

use clap::ValueEnum;

use crate::steps::connect_settings;

/// Format of the log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Text,
    Json,
}

impl From<LogFormat> for crate::telemetry::log::LogFormat {
    fn from(format: LogFormat) -> Self {
        match format {
            LogFormat::Text => Self::Text,
            LogFormat::Json => Self::Json,
        }
    }
}

/// See [`connect_settings::BankCodes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum BankCodes {
    Compe,
    Connector,
}

impl From<BankCodes> for connect_settings::BankCodes {
    fn from(codes: BankCodes) -> Self {
        match codes {
            BankCodes::Compe => Self::Compe,
            BankCodes::Connector => Self::Connector,
        }
    }
}

/// See [`connect_settings::ConnectorTypes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ConnectorTypes {
    All,
    ByClient,
}

impl From<ConnectorTypes> for connect_settings::ConnectorTypes {
    fn from(types: ConnectorTypes) -> Self {
        match types {
            ConnectorTypes::All => Self::All,
            ConnectorTypes::ByClient => Self::ByClient,
        }
    }
}
