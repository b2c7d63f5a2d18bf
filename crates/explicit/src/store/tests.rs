//! Tests of the store: alone, by several threads, and at its limits.

use std::collections::HashSet;
use std::sync::{Barrier, Mutex, RwLock};

use super::*;

/// A sequence that looks random.
fn random(seed: u64, i: u64) -> u64 {
    hash(&[seed, i])
}

/// Adds keys until the store is full; how many it took.
fn fill(store: &mut Store) -> u64 {
    let mut reserve = Reserve::default();
    let width = store.words();
    (0..).find(|i| store.add(&vec![*i; width], &mut reserve) == Err(Full)).unwrap_or(0)
}

#[test]
fn states_come_back_as_they_went_in() {
    for compact in [false, true] {
        let mut store = Store::new(Shape { compact, ..Shape::new(3, None) });
        let mut reserve = Reserve::default();
        for i in 0..5000 {
            assert_eq!(store.add(&[i, 7, i + 1], &mut reserve), Ok(Some(i)));
            assert_eq!(store.add(&[i / 2, 7, i / 2 + 1], &mut reserve), Ok(None));
        }
        let mut words = [0; 3];
        for i in 0..5000 {
            store.read(i, &mut words);
            assert_eq!(words, [i, 7, i + 1]);
            assert!(store.contains(&words, hash(&words)));
        }
        assert!(!store.contains(&[1, 1, 1], hash(&[1, 1, 1])));
    }
}

#[test]
fn a_state_without_variables_is_one_state() {
    let mut store = Store::new(Shape::new(0, Some(1 << 20)));
    let mut reserve = Reserve::default();
    assert_eq!(store.add(&[], &mut reserve), Ok(Some(0)));
    assert_eq!(store.add(&[], &mut reserve), Ok(None));
    store.end_level();
    assert_eq!(store.path(0), [vec![]]);
}

/// Threads insert the same keys in different orders, and meet to grow the store.
fn insert_concurrently(threads: u64, keys: u64, shape: Shape) -> Store {
    let shared = RwLock::new(Store::new(shape));
    let (barrier, numbers) = (Barrier::new(threads as usize), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (shared, barrier, numbers) = (&shared, &barrier, &numbers);
            scope.spawn(move || {
                let (mut reserve, mut at, mut mine) = (Reserve::default(), 0, Vec::new());
                loop {
                    let store = shared.read().unwrap();
                    while at < keys {
                        let key = (at + thread * 977) % keys;
                        let words = [random(1, key), random(2, key)];
                        match store.insert(&words, hash(&words), Link::START, &mut reserve, 16) {
                            Inserted::New(number) => mine.push((number, key)),
                            Inserted::Old => {}
                            Inserted::NoRoom => break,
                        }
                        at += 1;
                    }
                    store.give_back(&mut reserve);
                    drop(store);
                    // All must have come to an end, or all go on.
                    if barrier.wait().is_leader() {
                        let mut store = shared.write().unwrap();
                        if store.len() < keys {
                            store.grow().unwrap();
                            store.touch(0, 1);
                            store.refill(0..store.refill_work());
                            store.grown();
                        }
                    }
                    barrier.wait();
                    let done = shared.read().unwrap().len() == keys;
                    barrier.wait();
                    if done {
                        break;
                    }
                }
                numbers.lock().unwrap().extend(mine);
            });
        }
    });
    let numbers = numbers.into_inner().unwrap();
    assert_eq!(numbers.len() as u64, keys, "each key once");
    let distinct: HashSet<_> = numbers.iter().map(|(number, _)| *number).collect();
    assert_eq!(distinct.len() as u64, keys, "each number once");
    shared.into_inner().unwrap()
}

#[test]
fn concurrent_insertions_store_each_state_once() {
    for threads in 1..=4 {
        let keys = 40_000;
        let mut store = insert_concurrently(threads, keys, Shape::new(2, None));
        let before = store.len();
        let moved = store.end_level();
        assert_eq!((store.len(), before), (keys, keys));
        assert!(moved.values().all(|to| *to < keys) && moved.keys().all(|from| *from >= keys));
        for key in 0..keys {
            let words = [random(1, key), random(2, key)];
            let number = store.find(&words, hash(&words)).unwrap();
            let mut read = [0; 2];
            store.read(number, &mut read);
            assert_eq!(read, words);
        }
        assert_eq!(store.frontier(), 0..keys);
    }
}

#[test]
fn numbers_may_grow_wider_than_they_began() {
    let shape = Shape { index_bits: (10, 20), ..Shape::new(2, None) };
    let store = insert_concurrently(2, 30_000, shape.clone());
    assert_eq!(store.len(), 30_000);
    // Beyond the widest there is a clean end.
    let mut narrow = Store::new(Shape { index_bits: (6, 10), ..shape });
    assert_eq!(fill(&mut narrow), (1 << 10) - 1);
    assert!(narrow.contains(&[5, 5], hash(&[5, 5])));
}

#[test]
fn the_memory_limit_is_kept_and_used() {
    for words in [1, 2, 5, 40] {
        for limit in [1 << 20, 3 << 20, 10 << 20, 16_000_000] {
            for compact in [false, true] {
                let mut store = Store::new(Shape { compact, ..Shape::new(words, Some(limit)) });
                let states = fill(&mut store);
                let (memory, used) = (store.memory(), store.memory() as f64 / limit as f64);
                assert!(memory <= limit, "{memory} of {limit}");
                let least = if compact { 0.5 } else { 0.9 };
                assert!(used > least, "{words} words, {limit} bytes, {compact}: {states} states, {used}");
                assert!(store.contains(&vec![17; words], hash(&vec![17; words])));
            }
        }
    }
}

#[test]
fn many_states_take_few_bytes_more_than_their_words() {
    let mut store = Store::new(Shape::new(1, Some(1 << 30)));
    let mut reserve = Reserve::default();
    store.set_alone(true);
    for i in 0..5_400_000 {
        let _ = store.add(&[i], &mut reserve);
        if i % 50_000 == 49_999 {
            store.end_level();
            let bytes = store.memory() as f64 / (i + 1) as f64 - 8.0;
            let load = (i + 1) as f64 / store.table.len() as f64;
            // Smaller tables grow in larger steps.
            if i > 3_200_000 {
                assert!(bytes <= if load >= 0.6 { 20.0 } else { 40.0 }, "{bytes} bytes at load {load}");
            }
        }
    }
}

#[test]
fn of_all_parents_the_same_one_wins() {
    let path = |order: [u64; 3]| {
        let mut store = Store::new(Shape::new(1, None));
        let mut reserve = Reserve::default();
        for parent in order {
            store.add(&[parent], &mut reserve).unwrap();
        }
        store.end_level();
        for parent in order {
            let number = store.find(&[parent], hash(&[parent])).unwrap();
            let link = Link::new(number, hash(&[parent]));
            store.insert(&[100], hash(&[100]), link, &mut reserve, 1);
            // Parents with the same key: their words decide.
            store.insert(&[200], hash(&[200]), Link::new(number, 5 << 40), &mut reserve, 1);
        }
        store.end_level();
        [100, 200].map(|child| store.path(store.find(&[child], hash(&[child])).unwrap()))
    };
    let expected = path([1, 2, 3]);
    assert_eq!(expected[1], [[1], [200]]);
    for order in [[1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]] {
        assert_eq!(path(order), expected);
    }
}
