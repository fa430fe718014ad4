//! `vincula --check-config`: prints every setting as parsed, and tries what can be tried without changing anything.

use std::{ffi::OsStr, fmt::Write, net::SocketAddr, time::Duration};

use clap::{Arg, ArgMatches, CommandFactory, parser::ValueSource};
use tokio::net::TcpListener;

use crate::{
    config::{Config, SiteFiles},
    server::AppState,
    telemetry::{log, process},
};

/// How long an operator waits for the widget API.
const PATIENCE: Duration = Duration::from_secs(15);

/// File descriptors of a fully loaded server: 2,000 connections that each read a file, 832 upstream calls, and some.
const FILE_DESCRIPTORS: f64 = 5_000.0;

/// The findings.
#[derive(Debug, Default)]
pub struct Report {
    text: String,
    is_bad: bool,
}

impl Report {
    fn good(&mut self, text: impl AsRef<str>) {
        self.line("✓", text.as_ref());
    }

    /// A finding that is allowed, but probably a mistake.
    fn advice(&mut self, text: impl AsRef<str>) {
        self.line("!", text.as_ref());
    }

    /// A finding with which the product would not serve.
    fn bad(&mut self, text: impl AsRef<str>) {
        self.is_bad = true;
        self.line("✗", text.as_ref());
    }

    fn line(&mut self, mark: &str, text: &str) {
        writeln!(self.text, "{mark} {text}").expect("writing to a String does not fail");
    }

    /// The findings for people, one per line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the product would serve.
    pub fn is_good(&self) -> bool {
        !self.is_bad
    }
}

/// Every setting: its name, its value with secrets hidden, and its source.
pub fn settings(matches: &ArgMatches) -> String {
    let mut text = String::new();
    for argument in Config::command().get_arguments() {
        let Some(name) = argument.get_env().and_then(OsStr::to_str) else { continue };
        let source = match matches.value_source(argument.get_id().as_str()) {
            Some(ValueSource::EnvVariable) => "environment",
            Some(ValueSource::CommandLine) => "command line",
            Some(_) => "default",
            None => "not set",
        };
        let value = shown(argument, matches);
        writeln!(text, "  {name:<28} {value:<44} {source}").expect("writing to a String does not fail");
    }
    text
}

fn shown(argument: &Arg, matches: &ArgMatches) -> String {
    let raw = matches.get_raw(argument.get_id().as_str()).into_iter().flatten();
    let values: Vec<_> = raw.map(|value| value.to_string_lossy().into_owned()).collect();
    match values.is_empty() {
        true => "-".into(),
        false if argument.is_hide_env_values_set() => "(hidden)".into(),
        false => values.join(" "),
    }
}

/// Tries everything without side effects: it releases the addresses that it binds, and sends the upstream one `HEAD`
/// request.
pub async fn check(config: Config, site: &SiteFiles) -> Report {
    let mut report = Report::default();
    let config = match config.check() {
        Ok(config) => config,
        Err(error) => {
            report.bad(error.to_string());
            return report;
        }
    };
    match &config.session_keys {
        Some(keys) => report.good(format!("SESSION_KEYS: {} (the first seals, all open)", keys.len())),
        None => report.good("SESSION_KEYS: the sandbox's own, which everybody knows"),
    }
    match log::filter(&config.rust_log) {
        Ok(_) => report.good("RUST_LOG is a filter"),
        Err(error) => report.bad(error.to_string()),
    }
    listens(&mut report, "LISTEN_ADDR", config.listen_addr).await;
    if let Some(address) = config.metrics_addr.0 {
        listens(&mut report, "METRICS_ADDR", address).await;
    }
    upstream(&mut report, &config, site).await;
    match process::max_fds() {
        Some(most) if most < FILE_DESCRIPTORS => report.advice(format!(
            "this process may open {most} files, and a fully loaded server needs {FILE_DESCRIPTORS}: raise it \
             (LimitNOFILE=8192 for systemd, ulimit -n 8192 in a shell)"
        )),
        _ => report.good("enough file descriptors"),
    }
    advise(&mut report, &config);
    report
}

async fn listens(report: &mut Report, name: &str, address: SocketAddr) {
    match TcpListener::bind(address).await {
        Ok(_) => report.good(format!("{name} {address} is free")),
        Err(error) => report.bad(format!(
            "{name} {address} cannot be listened on ({error}): expected a free address of this machine; end what \
             listens there, or choose another port"
        )),
    }
}

/// Tries to build the server's state (built site, theme), and to reach the upstream.
async fn upstream(report: &mut Report, config: &Config, site: &SiteFiles) {
    let state = if config.is_sandbox() {
        match vincula_sandbox::Sandbox::start(vincula_sandbox::SandboxOptions::default()).await {
            Ok(sandbox) => AppState::new(config, site, Some(&sandbox)),
            Err(error) => return report.bad(format!("the sandbox needs a free port on 127.0.0.1 ({error})")),
        }
    } else {
        AppState::new(config, site, None)
    };
    let state = match state {
        Ok(state) => state,
        Err(error) => return report.bad(format!("{error:#}")),
    };
    report.good(format!("the built site is at {}", site.root.display()));
    if config.brands_dir.is_some() {
        report.good(format!("firms with a brand in BRANDS_DIR: {}", state.brands.firms.len()));
    }
    let Some(url) = &config.widget_api_url else {
        return report.advice("WIDGET_API_URL is not set: the embedded sandbox, with invented clients, stands in");
    };
    match state.actions.upstream.probe(PATIENCE).await {
        Ok(status) => report.good(format!("WIDGET_API_URL {url} answers (HTTP {status} to HEAD; any status will do)")),
        Err(cause) => report.bad(format!(
            "WIDGET_API_URL {url} cannot be reached ({cause}): check the address, the name's DNS, the firewall, and \
             for https that this machine has CA certificates (on Debian: apt-get install ca-certificates) that trust it"
        )),
    }
}

/// Advises against values that are rarely meant in production.
fn advise(report: &mut Report, config: &Config) {
    if config.is_sandbox() {
        return;
    }
    if config.pluggy_include_sandbox {
        report.advice("PLUGGY_INCLUDE_SANDBOX is true: people are offered test banks; set it to false in production");
    }
    if config.widget_api_url.as_ref().is_some_and(|url| url.scheme() == "http" && !is_local(url.host_str())) {
        report.advice("WIDGET_API_URL is http: tokens cross the network unencrypted; expected https");
    }
    if config.metrics_addr.0.is_some_and(|address| !address.ip().is_loopback()) {
        report.advice("METRICS_ADDR can be reached from other machines: keep it from the public");
    }
}

fn is_local(host: Option<&str>) -> bool {
    matches!(host, Some("localhost" | "127.0.0.1" | "[::1]"))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, FromArgMatches};
    use wiremock::MockServer;

    use super::*;
    use crate::{cli::Cli, config::MetricsAddr, tests::site::site};

    const KEY: &str = concat!(
        "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
        "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
    );

    fn parsed(arguments: &[&str]) -> (Config, ArgMatches) {
        let matches =
            Cli::command().try_get_matches_from([&["vincula", "--check-config"], arguments].concat()).unwrap();
        (Cli::from_arg_matches(&matches).unwrap().config, matches)
    }

    async fn checked(arguments: &[&str]) -> Report {
        let free = ["--listen-addr", "127.0.0.1:0", "--metrics-addr", "127.0.0.1:0"];
        check(parsed(&[&free, arguments].concat()).0, &site()).await
    }

    #[tokio::test]
    async fn a_good_configuration_reaches_the_upstream_and_says_what_is_seldom_meant() {
        let upstream = MockServer::start().await;
        let report =
            checked(&["--widget-api-url", &upstream.uri(), "--session-keys", KEY, "--trusted-proxies", "none"]).await;
        assert!(report.is_good(), "{}", report.text());
        for part in ["answers (HTTP 404", "SESSION_KEYS: 1", "PLUGGY_INCLUDE_SANDBOX is true"] {
            assert!(report.text().contains(part), "{part}: {}", report.text());
        }
        let asked = upstream.received_requests().await.unwrap();
        assert_eq!(asked.len(), 1);
        assert_eq!(asked[0].method.as_str(), "HEAD");
        assert!(!asked[0].headers.contains_key("authorization"));
    }

    #[tokio::test]
    async fn what_would_not_serve_is_bad_and_says_what_to_do() {
        let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let taken = taken.local_addr().map(|address| (address.to_string(), taken)).unwrap();
        for (arguments, told) in [
            (&["--widget-api-url", "http://127.0.0.1:9"][..], "openssl rand -hex 64"),
            (
                &["--widget-api-url", "http://127.0.0.1:9", "--session-keys", KEY, "--trusted-proxies", "none"],
                "cannot be reached (Connection refused",
            ),
            (&["--widget-api-url", "http://127.0.0.1:9", "--session-keys", KEY], "or none if clients connect directly"),
            (&["--metrics-addr", "127.0.0.1:3999", "--listen-addr", "127.0.0.1:3999"], "expected another port"),
            (&["--listen-addr", &taken.0], "choose another port"),
            (&["--rust-log", "a=b=c"], "RUST_LOG is not valid"),
            (&["--theme-logo", "/nowhere.svg"], "THEME_LOGO"),
        ] {
            let mut config = parsed(arguments).0;
            if config.metrics_addr.is_default() {
                config.metrics_addr = MetricsAddr(None);
            }
            if config.listen_addr.port() == 3000 {
                config.listen_addr.set_port(0);
            }
            let report = check(config, &site()).await;
            assert!(!report.is_good() && report.text().contains(told), "{told}: {}", report.text());
        }
    }

    #[test]
    fn every_setting_is_shown_with_its_source_and_no_secret() {
        let (_, matches) = parsed(&["--session-keys", KEY, "--listen-addr", "127.0.0.1:4000"]);
        let text = settings(&matches);
        for argument in Config::command().get_arguments().filter_map(Arg::get_env) {
            assert!(text.contains(&format!("  {} ", argument.display())), "{}", argument.display());
        }
        let line =
            |name: &str| text.lines().find(|line| line.contains(name)).unwrap().split_whitespace().collect::<Vec<_>>();
        assert_eq!(line("SESSION_KEYS"), ["SESSION_KEYS", "(hidden)", "command", "line"]);
        assert_eq!(line("LISTEN_ADDR"), ["LISTEN_ADDR", "127.0.0.1:4000", "command", "line"]);
        assert_eq!(line("LOG_FORMAT"), ["LOG_FORMAT", "text", "default"]);
        assert!(!text.contains("00112233"));
    }
}
