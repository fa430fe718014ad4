//! `vincula --check-config`: checks the settings without changing anything.

use std::{fmt::Display, net::SocketAddr, time::Duration};

use vincula_sandbox::SandboxOptions;

use super::check_api::Level::{self, Failure, Good, Warning};
use crate::{
    config::{Config, RealApi, Settings, SiteFiles, WidgetApi, is_unencrypted},
    server,
    state::{AppState, Backend},
    telemetry::log,
};

/// How long an operator waits for the widget API.
const PATIENCE: Duration = Duration::from_secs(15);

/// The findings. With a failure, the product would not work; a warning is allowed but probably a
/// mistake.
#[derive(Debug)]
pub struct Report {
    /// One finding per line.
    pub text: String,
    pub is_good: bool,
}

impl Report {
    fn add(&mut self, level: Level, finding: impl Display) {
        self.text += &format!("{} {finding}\n", level.mark());
        self.is_good &= level != Failure;
    }
}

/// Checks everything. It releases the addresses that it binds, and sends one `HEAD` request to the
/// upstream.
pub async fn check(config: Config, site: &SiteFiles) -> Report {
    let mut report = Report {
        text: String::new(),
        is_good: true,
    };
    let settings = match config.check() {
        Ok(settings) => settings,
        Err(error) => {
            report.add(Failure, error);
            return report;
        }
    };
    match &settings.api {
        WidgetApi::Real(RealApi { keys, .. }) => {
            report.add(
                Good,
                format!(
                    "SESSION_KEYS: {} (the first encrypts, all decrypt)",
                    keys.len()
                ),
            );
        }
        WidgetApi::Sandbox(_) => {
            report.add(Good, "SESSION_KEYS: the sandbox's key, which is public")
        }
    }
    match log::filter(&settings.log.rust_log) {
        Ok(_) => report.add(Good, "RUST_LOG is a filter"),
        Err(error) => report.add(Failure, error),
    }
    listens(&mut report, "LISTEN_ADDR", settings.listening.listen_addr).await;
    if let Some(address) = settings.listening.metrics_addr {
        listens(&mut report, "METRICS_ADDR", address).await;
    }
    upstream(&mut report, &settings, site).await;
    if let WidgetApi::Real(api) = &settings.api {
        advise(&mut report, &settings, api);
    }
    report
}

async fn listens(report: &mut Report, name: &str, address: SocketAddr) {
    match server::listen::listen(name, address).await {
        Ok(_) => report.add(Good, format!("{name} {address} is free")),
        Err(error) => report.add(
            Failure,
            format!("{error}; stop the process that listens there, or choose another port"),
        ),
    }
}

/// Tries to build the server's state (built site, theme), and to reach the upstream.
async fn upstream(report: &mut Report, settings: &Settings, site: &SiteFiles) {
    let Settings { api, product, .. } = settings;
    let backend = Backend::start(api.clone(), SandboxOptions::default()).await;
    let state = match backend.and_then(|backend| AppState::new(product, site, backend)) {
        Ok(state) => state,
        Err(error) => return report.add(Failure, format!("{error:#}")),
    };
    report.add(
        Good,
        format!("the built site is at {}", site.root.display()),
    );
    if product.brands.brands_dir.is_some() {
        report.add(
            Good,
            format!(
                "firms with a brand in BRANDS_DIR: {}",
                state.brands.firms.len()
            ),
        );
    }
    let WidgetApi::Real(RealApi { url, .. }) = api else {
        return report.add(
            Warning,
            "WIDGET_API_URL is not set: the embedded sandbox with invented clients is used",
        );
    };
    match state.upstream.probe(PATIENCE).await {
        Ok(status) => {
            report.add(Good, format!("WIDGET_API_URL {url} responds (HTTP {status} to HEAD; any status is accepted)"));
        }
        Err(cause) => report.add(
            Failure,
            format!(
                "WIDGET_API_URL {url} cannot be reached ({cause}): check the address, the name's DNS, the firewall, and \
                 for https that this machine has CA certificates (on Debian: apt-get install ca-certificates) that \
                 trust it"
            ),
        ),
    }
}

/// Warns about values that are rarely intended in production.
fn advise(report: &mut Report, settings: &Settings, api: &RealApi) {
    if settings.product.connect.pluggy_include_sandbox {
        report.add(
            Warning,
            "PLUGGY_INCLUDE_SANDBOX is true: clients are offered test banks; set it to false in production",
        );
    }
    if is_unencrypted(&api.url) {
        report.add(
            Warning,
            "WIDGET_API_URL is http: tokens cross the network unencrypted; expected https",
        );
    }
    if settings
        .listening
        .metrics_addr
        .is_some_and(|address| !address.ip().is_loopback())
    {
        report.add(
            Warning,
            "METRICS_ADDR can be reached from other machines: make sure that it is not public",
        );
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use tokio::net::TcpListener;
    use vincula_testing::{Act, ScriptedApi};

    use super::*;
    use crate::{
        cli::Cli,
        config::DEFAULT_METRICS_ADDR,
        tests::{SESSION_KEY, site::site},
    };

    fn parsed(arguments: &[&str]) -> Config {
        Cli::try_parse_from([&["vincula", "--check-config"], arguments].concat())
            .unwrap()
            .config
    }

    async fn checked(arguments: &[&str]) -> Report {
        let free = [
            "--listen-addr",
            "127.0.0.1:0",
            "--metrics-addr",
            "127.0.0.1:0",
        ];
        check(parsed(&[&free, arguments].concat()), &site()).await
    }

    #[tokio::test]
    async fn valid_settings_are_ready_with_warnings() {
        let upstream = ScriptedApi::answering(Act::status(404)).await;
        let report = checked(&[
            "--widget-api-url",
            &upstream.origin(),
            "--session-keys",
            SESSION_KEY,
            "--trusted-proxies",
            "none",
        ])
        .await;
        assert!(report.is_good, "{}", report.text);
        for part in [
            "responds (HTTP 404",
            "SESSION_KEYS: 1",
            "PLUGGY_INCLUDE_SANDBOX is true",
        ] {
            assert!(report.text.contains(part), "{part}: {}", report.text);
        }
        assert_eq!(upstream.only("HEAD /").header("authorization"), None);
        assert_eq!(upstream.lines().len(), 1);
    }

    #[tokio::test]
    async fn unusable_settings_fail_with_instructions() {
        let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let taken = taken
            .local_addr()
            .map(|address| (address.to_string(), taken))
            .unwrap();
        for (arguments, told) in [
            (
                &["--widget-api-url", "http://127.0.0.1:9"][..],
                "openssl rand -hex 64",
            ),
            (
                &[
                    "--widget-api-url",
                    "http://127.0.0.1:9",
                    "--session-keys",
                    SESSION_KEY,
                    "--trusted-proxies",
                    "none",
                ],
                "cannot be reached (Connection refused",
            ),
            (
                &[
                    "--widget-api-url",
                    "http://127.0.0.1:9",
                    "--session-keys",
                    SESSION_KEY,
                ],
                "or none if clients connect directly",
            ),
            (
                &[
                    "--metrics-addr",
                    "127.0.0.1:3999",
                    "--listen-addr",
                    "127.0.0.1:3999",
                ],
                "expected another port",
            ),
            (&["--listen-addr", &taken.0], "choose another port"),
            (&["--rust-log", "a=b=c"], "RUST_LOG is not valid"),
            (&["--theme-logo", "/nowhere.svg"], "THEME_LOGO"),
            (
                &["--session-keys", SESSION_KEY],
                "WIDGET_API_URL is required when SESSION_KEYS is set",
            ),
        ] {
            let mut config = parsed(arguments);
            let listening = &mut config.listening;
            listening.metrics_addr = listening
                .metrics_addr
                .filter(|set| set.to_string() != DEFAULT_METRICS_ADDR);
            if listening.listen_addr.port() == 3000 {
                listening.listen_addr.set_port(0);
            }
            let report = check(config, &site()).await;
            assert!(
                !report.is_good && report.text.contains(told),
                "{told}: {}",
                report.text
            );
        }
    }
}
