//! Finds the tests that a file declares, by their names or titles, but not those commented out, ignored or skipped.

/// The tests of a Rust file by their names, or of a TypeScript file by their titles as they are written there.
pub fn declared(path: &str, code: &str) -> Vec<String> {
    if path.ends_with(".rs") { names(code) } else { titles(code) }
}

/// Functions below `#[test]` or `#[tokio::test…]`, except ignored ones.
fn names(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    let (mut is_test, mut is_ignored) = (false, false);
    for line in code.lines().map(str::trim) {
        is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        is_ignored |= line.starts_with("#[ignore");
        if line.is_empty() || line.starts_with("#[") || line.starts_with("//") {
            continue;
        }
        let function =
            line.trim_start_matches("async ").strip_prefix("fn ").and_then(|rest| rest.split(['(', '<']).next());
        if let (true, false, Some(name)) = (is_test, is_ignored, function) {
            names.push(name.to_owned());
        }
        (is_test, is_ignored) = (false, false);
    }
    names
}

/// Titles after `test(`, `it(` and `test.each(…)(`, on the same line or on the next. `test.skip(`, `test.fixme(` and
/// `test.todo(` do not match; tests in a skipped block count as skipped.
fn titles(code: &str) -> Vec<String> {
    let mut titles = Vec::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let rest = line.trim_start();
        if rest.starts_with("/*") && !rest.contains("*/") {
            lines.by_ref().find(|line| line.contains("*/"));
        }
        if is_skipped_block(rest) {
            // Up to the line that closes it, with the same indentation.
            let end = format!("{}}}", &line[..line.len() - rest.len()]);
            lines.by_ref().find(|line| line.starts_with(&end));
        }
        let is_each = rest.starts_with("test.each(") || rest.starts_with("it.each(") || rest.starts_with("])(");
        let opened = match rest.strip_prefix("test(").or_else(|| rest.strip_prefix("it(")) {
            None if is_each => rest.split_once(")(").map(|(_, rest)| rest),
            other => other,
        };
        let title = match opened {
            Some("") => lines.next().and_then(|next| literal(next.trim_start())),
            Some(rest) => literal(rest),
            None => None,
        };
        titles.extend(title);
    }
    titles
}

fn is_skipped_block(line: &str) -> bool {
    let Some((call, _)) = line.split_once('(') else { return false };
    call.contains("describe") && (call.ends_with(".skip") || call.ends_with(".fixme") || call.ends_with(".todo"))
}

/// The text between quotes at the start; what a template fills in stays as it is written.
fn literal(code: &str) -> Option<String> {
    let quote = code.chars().next().filter(|first| matches!(first, '\'' | '"' | '`'))?;
    let mut text = String::new();
    let mut rest = code.chars().skip(1);
    while let Some(next) = rest.next() {
        match next {
            '\\' => text.extend(rest.next()),
            next if next == quote => return Some(text),
            next => text.push(next),
        }
    }
    None
}

#[test]
fn functions_of_tests_are_declared_and_others_are_not() {
    let code = "
        #[test]
        fn one() {}
        /// Why.
        #[tokio::test(start_paused = true)]
        async fn another() {}
        #[test]
        #[ignore = \"slow\"]
        fn ignored() {}
        // #[test]
        fn commented_out() {}
        fn helper() { // not #[test]
        }
        #[test]
        // fn gone() {}
        const NONE: u8 = 0;
        fn none() {}
    ";
    assert_eq!(declared("a.rs", code), ["one", "another"]);
}

#[test]
fn titles_of_tests_are_declared_and_others_are_not() {
    let code = "
test('one', async () => {});
  it(\"it's another\", () => {
    expect('a text').toBe(test('inside'));
  });
  test(
    `of ${template}`,
    run);
test.each([
  ['a', 1],
])('%s of a table', () => {});
test.each(CASES)('of $cases', () => {});
test.skip('skipped', () => {});
test.fixme('known to fail', () => {});
// test('commented out', () => {});
/*
test('commented out as a block', () => {});
*/
  test.describe.skip('all of these', () => {
    test('in a skipped block', () => {});
  });
const text = \"test('quoted')\";
test.describe('a block', () => {
  test('in a block', () => {});
});
    ";
    let expected = ["one", "it's another", "of ${template}", "%s of a table", "of $cases", "in a block"];
    assert_eq!(declared("a.spec.ts", code), expected);
}
