//! `scripts/summary.sh`: what `make test` and `make check` say at their end is what the suites have counted.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const RUST: &str = "\
test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.10s
test tests::a ... ok
test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s
";
const REACT: &str = "\
 Test Files  1 failed | 15 passed (16)
      Tests  1 failed | 120 passed | 2 skipped (123)
";
const BROWSER: &str = "\
[3/9] [phone] › tests/a.spec.ts:1:1 › 40 passed through
  2 failed
    [phone] › tests/a.spec.ts:1:1 › one
    [phone] › tests/b.spec.ts:1:1 › another
  1 flaky
    [phone] › tests/c.spec.ts:1:1 › a third
  1 did not run
  4 skipped
  90 passed (2.5m)
";
const GOOD: &str = "  7 passed (1.0m)\n";

/// Logs in a folder of their own, which is removed with this.
struct Logs(PathBuf);

impl Logs {
    fn of(name: &str, logs: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("vincula-summary-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (suite, log) in logs {
            fs::write(folder.join(format!("{suite}.log")), log).unwrap();
        }
        Self(folder)
    }

    /// Whether it went well, and all that it said.
    fn summary(&self, suites: &[&str]) -> (bool, String) {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/summary.sh");
        let run = Command::new("bash").arg(script).args(suites).env("TEST_LOGS", &self.0).output().unwrap();
        (run.status.success(), String::from_utf8(run.stdout).unwrap() + &String::from_utf8(run.stderr).unwrap())
    }
}

impl Drop for Logs {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn each_suite_is_counted_in_its_own_words() {
    let logs = Logs::of("each", &[("rust", RUST), ("react", REACT), ("browser", BROWSER), ("engines", GOOD)]);
    let (is_good, said) = logs.summary(&[]);
    assert!(!is_good, "{said}");
    for line in [
        "rust: 15 passed, 2 failed, 1 skipped\n",
        "react: 120 passed, 1 failed, 2 skipped\n",
        // What passed at the second try has passed; what did not run has not.
        "browser: 91 passed, 3 failed, 4 skipped\n",
        "a third",
        "engines: 7 passed, 0 failed, 0 skipped\n",
        "233 passed, 6 failed\n",
    ] {
        assert!(said.contains(line), "{line} in {said}");
    }
}

#[test]
fn a_suite_that_is_not_named_may_be_absent() {
    let logs = Logs::of("absent", &[("browser", GOOD)]);
    assert_eq!(logs.summary(&[]), (true, "browser: 7 passed, 0 failed, 0 skipped\n7 passed, 0 failed\n".to_owned()));
    let (is_good, said) = logs.summary(&["browser", "engines"]);
    assert!(!is_good && said.contains("engines: nothing was counted"), "{said}");
}

#[test]
fn a_suite_that_came_to_no_count_is_no_success() {
    for log in ["", "error: could not compile `vincula`\n", "[1/9] 3 passed through the door\n"] {
        let logs = Logs::of("none", &[("rust", log), ("browser", log)]);
        let (is_good, said) = logs.summary(&["rust", "browser"]);
        assert!(!is_good && said.ends_with("browser: nothing was counted\n"), "{said}");
    }
    let (is_good, said) = Logs::of("nothing", &[]).summary(&[]);
    assert!(!is_good, "{said}");
}
