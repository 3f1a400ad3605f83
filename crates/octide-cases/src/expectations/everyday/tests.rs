use super::*;
use crate::water::everyday::{CASE, declared};
use octide_verify::report::records_of;
use octide_verify::{Limit, number};
use std::path::PathBuf;

/// The lists have what the page of everyday scenes shows.
#[test]
fn the_lists_of_everyday_scenes_are_those_of_the_page() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/verify/results.json");
    let kept = std::fs::read_to_string(path).unwrap();
    for r in records_of(&kept).iter().filter(|r| r.case == CASE.name && r.error.is_none()) {
        let mut missed = Vec::new();
        for f in &r.findings {
            let (q, Some(measured)) = (&f.quantity, f.measured) else { continue };
            if q.limit != Limit::Reported && !q.limit.holds(measured, q.expected) {
                let unit = if q.unit.is_empty() { String::new() } else { format!(" {}", q.unit) };
                missed.push((q.name.clone(), format!("{}{unit}", number::short(measured))));
            }
        }
        let list: Vec<_> = of(&r.method)
            .into_iter()
            .filter(|m| m.quick == r.info.quick)
            .map(|m| (m.quantity, m.measured))
            .collect();
        assert_eq!(missed, list, "{}: see expectations/everyday.rs for how to renew the list", r.method);
    }
}

#[test]
fn every_line_is_read_and_is_about_a_limit() {
    for (method, list) in LISTS {
        assert_eq!(of(method).len(), list.lines().count(), "{method}");
        for m in of(method) {
            let found = declared(method, m.quick).into_iter().find(|q| q.name == m.quantity);
            assert_ne!(found.unwrap_or_else(|| panic!("no {:?}", m.quantity)).limit, Limit::Reported);
        }
    }
    let miss = Miss::read("full | jug: volume | 3 % | Because | of this").unwrap();
    assert_eq!(miss.why(), "3 % was measured. Because | of this");
    assert_eq!(Miss::read("jug"), None);
}
