//! Process metrics, under the names that Prometheus's own clients use. Each scrape reads them from `/proc`; without
//! `/proc`, only the start time is exported.

use std::{
    fmt, fs,
    time::{SystemTime, UNIX_EPOCH},
};

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{counter::ConstCounter, gauge::ConstGauge},
};

/// Ticks per second in `/proc/<pid>/stat`: a constant of the kernel's interface on every platform that we build for.
const TICKS_PER_SECOND: f64 = 100.0;

/// The collector of this process's metrics.
#[derive(Debug)]
pub struct Process {
    /// Unix seconds.
    started: f64,
}

impl Process {
    pub fn started_now() -> Self {
        Self { started: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64() }
    }
}

impl Collector for Process {
    fn encode(&self, mut to: DescriptorEncoder) -> Result<(), fmt::Error> {
        let mut gauge = |name, help, value: Option<f64>| match value {
            Some(value) => {
                let gauge = ConstGauge::new(value);
                gauge.encode(to.encode_descriptor(name, help, None, gauge.metric_type())?)
            }
            None => Ok(()),
        };
        gauge("process_start_time_seconds", "When the process started, in Unix seconds", Some(self.started))?;
        gauge("process_resident_memory_bytes", "Memory that the process holds", resident_bytes())?;
        gauge("process_open_fds", "Open file descriptors", count("/proc/self/fd"))?;
        gauge("process_max_fds", "Most file descriptors that the process may open", max_fds())?;
        let Some(seconds) = cpu_seconds() else { return Ok(()) };
        let counter = ConstCounter::new(seconds);
        let descriptor = to.encode_descriptor(
            "process_cpu_seconds",
            "Processor time that the process has used",
            None,
            counter.metric_type(),
        )?;
        counter.encode(descriptor)
    }
}

/// The limit of file descriptors for this process; `None` if the system does not report it.
pub fn max_fds() -> Option<f64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    limits.lines().find_map(|line| line.strip_prefix("Max open files"))?.split_whitespace().next()?.parse().ok()
}

fn resident_bytes() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024.0)
}

fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The program's name is in parentheses and may contain anything; user and system time are fields 14 and 15.
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS_PER_SECOND)
}

fn count(folder: &str) -> Option<f64> {
    let entries = u32::try_from(fs::read_dir(folder).ok()?.count()).ok()?;
    Some(f64::from(entries))
}

#[cfg(test)]
mod tests {
    use prometheus_client::{encoding::text::encode, registry::Registry};

    use super::*;

    #[test]
    fn the_numbers_are_those_of_a_process_that_lives() {
        let mut registry = Registry::default();
        registry.register_collector(Box::new(Process::started_now()));
        let mut text = String::new();
        encode(&mut text, &registry).unwrap();
        let value = |name: &str| -> f64 {
            let line = text.lines().find(|line| line.starts_with(&format!("{name} ")));
            line.and_then(|line| line.rsplit_once(' ')).unwrap_or_else(|| panic!("{name}: {text}")).1.parse().unwrap()
        };
        assert!(value("process_start_time_seconds") > 1_700_000_000.0);
        assert!((1e6..1e11).contains(&value("process_resident_memory_bytes")));
        assert!(value("process_open_fds") >= 3.0 && value("process_open_fds") <= value("process_max_fds"));
        assert!(value("process_cpu_seconds_total") >= 0.0);
    }
}
