//! Chooses the cases of a large attack table that a test run takes: a random sample, or all.
//!
//! `ATTACK=all` takes all of them (`make attack`). Otherwise the number `ATTACK_SEED` seeds the choice: the same seed
//! gives the same cases.

use std::env;

use rand::{SeedableRng, rngs::StdRng, seq::index};

/// The default seed.
const SEED: u64 = 15;

/// A sample of `count` cases in their order, or all of them.
#[expect(clippy::disallowed_methods, reason = "an option of the test run, not a setting of the product")]
pub fn sample<T>(all: Vec<T>, count: usize) -> Vec<T> {
    if env::var("ATTACK").is_ok_and(|which| which == "all") || all.len() <= count {
        return all;
    }
    let seed = env::var("ATTACK_SEED").map_or(SEED, |seed| seed.parse().expect("ATTACK_SEED is a number"));
    println!("attack: {count} of {} cases, by ATTACK_SEED={seed}", all.len());
    let mut chosen = index::sample(&mut StdRng::seed_from_u64(seed), all.len(), count).into_vec();
    chosen.sort_unstable();
    let mut chosen = chosen.into_iter().peekable();
    all.into_iter().enumerate().filter(|(at, _)| chosen.next_if_eq(at).is_some()).map(|(_, case)| case).collect()
}

/// Prints how many cases of an area were tried.
///
/// # Panics
/// If there were surprises.
#[track_caller]
pub fn report(area: &str, cases: usize, surprises: &[String]) {
    println!("attack: {area}: {cases} cases, {} surprises", surprises.len());
    assert!(surprises.is_empty(), "{area}:\n{}", surprises.join("\n"));
}

#[test]
fn a_sample_keeps_the_order_and_repeats_nothing() {
    let few = sample((0..1_000).collect(), 40);
    assert!(matches!(few.len(), 40 | 1_000));
    assert!(few.is_sorted_by(|a, b| a < b));
    assert_eq!(sample((0..1_000).collect(), 40), few, "the same seed, the same cases");
    assert_eq!(sample(vec![3, 1, 2], 40), [3, 1, 2]);
}
