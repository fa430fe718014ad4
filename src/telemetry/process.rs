//! Metrics of the process, under the names that Prometheus's own clients use, and the number of
//! lost log lines. They are read on each scrape. Without `/proc`, only the start time and the lost
//! lines are exported.

use std::{
    fmt, fs,
    time::{SystemTime, UNIX_EPOCH},
};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{counter::ConstCounter, gauge::ConstGauge},
};

use super::log;

/// Ticks per second in `/proc/<pid>/stat`, which is the same on every platform that we build for.
const TICKS_PER_SECOND: f64 = 100.0;

/// The collector of this process's metrics.
#[derive(Debug)]
pub struct Process {
    /// Unix seconds.
    started: f64,
}

impl Process {
    pub fn started_now() -> Self {
        Self {
            started: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .unwrap_or_default()
                .as_secs_f64(),
        }
    }
}

impl Collector for Process {
    fn encode(&self, mut to: DescriptorEncoder) -> Result<(), fmt::Error> {
        let mut gauge = |name, help, value: Option<f64>| {
            let Some(gauge) = value.map(ConstGauge::new) else {
                return Ok(());
            };
            gauge.encode(to.encode_descriptor(name, help, None, gauge.metric_type())?)
        };
        let resident = number("/proc/self/status", "VmRSS:").map(|kilobytes| kilobytes * 1024.0);
        let open_fds = fs::read_dir("/proc/self/fd")
            .ok()
            .map(|entries| entries.count() as f64);
        gauge(
            "process_start_time_seconds",
            "When the process started, in Unix seconds",
            Some(self.started),
        )?;
        gauge(
            "process_resident_memory_bytes",
            "Memory that the process holds",
            resident,
        )?;
        gauge("process_open_fds", "Open file descriptors", open_fds)?;
        gauge(
            "process_max_fds",
            "Most file descriptors that the process may open",
            max_fds(),
        )?;
        let lost = ConstCounter::new(log::lost_lines());
        let help = "Log lines that were lost because nobody read the log";
        lost.encode(to.encode_descriptor(
            "vincula_log_lines_lost",
            help,
            None,
            lost.metric_type(),
        )?)?;
        let Some(counter) = cpu_seconds().map(ConstCounter::new) else {
            return Ok(());
        };
        let help = "Processor time that the process has used";
        counter.encode(to.encode_descriptor(
            "process_cpu_seconds",
            help,
            None,
            counter.metric_type(),
        )?)
    }
}

/// The limit of file descriptors for this process; `None` if the system does not report it.
pub fn max_fds() -> Option<f64> {
    number("/proc/self/limits", "Max open files")
}

/// The number after `name` at the start of a line in a file.
fn number(file: &str, name: &str) -> Option<f64> {
    let text = fs::read_to_string(file).ok()?;
    text.lines()
        .find_map(|line| line.strip_prefix(name))?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name is in parentheses and may contain anything. User and system time are
    // fields 14 and 15.
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

// Only Linux has `/proc`.
#[cfg(all(test, target_os = "linux"))]
mod tests {
    use prometheus_client::{encoding::text::encode, registry::Registry};

    use super::*;

    #[test]
    fn exports_plausible_numbers_of_this_process() {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Process::started_now()));
        let mut text = String::new();
        encode(&mut text, &registry).unwrap();
        let value = |name: &str| -> f64 {
            let line = text
                .lines()
                .find(|line| line.starts_with(&format!("{name} ")));
            line.and_then(|line| line.rsplit_once(' '))
                .unwrap_or_else(|| panic!("{name}: {text}"))
                .1
                .parse()
                .unwrap()
        };
        assert!(value("process_start_time_seconds") > 1_700_000_000.0);
        assert!((1e6..1e11).contains(&value("process_resident_memory_bytes")));
        assert!(
            value("process_open_fds") >= 3.0
                && value("process_open_fds") <= value("process_max_fds")
        );
        assert!(value("process_cpu_seconds_total") >= 0.0);
    }
}
