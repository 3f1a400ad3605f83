use super::*;
use octide_verify::{Context, run};
use std::collections::BTreeSet;

#[test]
fn names_are_plain_and_unique_and_every_limit_has_a_source() {
    let names: BTreeSet<&str> = all().map(|c| c.name).collect();
    assert_eq!(names.len(), all().count());
    for case in CASES {
        assert!(case.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'), "{}", case.name);
        assert!(!(case.methods)().is_empty() && !case.summary.is_empty() && !case.title.is_empty());
        for method in (case.methods)() {
            for q in (case.quantities)(method, case.quick) {
                let has_limit = q.limit != octide_verify::Limit::Reported;
                assert!(!has_limit || !q.source.is_empty(), "{}: {}", case.name, q.name);
            }
        }
    }
}

#[test]
fn quick_forms_hold() {
    let mut broken = Vec::new();
    for case in CASES.iter().filter(|c| c.quick) {
        for method in (case.methods)() {
            let context = Context { quick: true, method, threads: 2, observer: &() };
            let r = run(case, &context).unwrap();
            for f in &r.findings {
                println!("{} {}: {:?} {}", case.name, f.quantity.name, f.measured, f.status.text());
            }
            println!("{} took {:.1} s", case.name, r.seconds);
            if r.is_broken() {
                broken.push((case.name, method, r.error));
            }
        }
    }
    assert_eq!(broken, []);
}
