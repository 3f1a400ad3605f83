use super::*;
use crate::water::everyday::{CASE, declared};
use octide_verify::report::{markdown, records_of};
use octide_verify::{CaseError, Context, Finding, Limit, Measured, judge, number, run};
use std::fs;
use std::path::PathBuf;

fn folder(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn is_blessing() -> bool {
    std::env::var_os("OCTIDE_BLESS").is_some()
}

/// Returns the limits that findings miss, with the reasons of earlier ones.
fn missed(findings: &[Finding], quick: bool, known: &[Miss]) -> Vec<Miss> {
    let mut all = Vec::new();
    for f in findings {
        let Some(measured) = f.measured else { continue };
        let q = &f.quantity;
        if q.limit != Limit::Reported && !q.limit.holds(measured, q.expected) {
            let reason = known.iter().find(|m| m.quick == quick && m.quantity == q.name);
            let reason = reason.map_or_else(String::new, |m| m.reason.clone());
            let unit = if q.unit.is_empty() { String::new() } else { format!(" {}", q.unit) };
            let measured = format!("{}{unit}", number::short(measured));
            all.push(Miss { quick, quantity: q.name.clone(), measured, reason });
        }
    }
    all
}

fn text(misses: &[Miss]) -> String {
    let line = |m: &Miss| {
        let form = if m.quick { "quick" } else { "full" };
        format!("{form} | {} | {} | {}", m.quantity, m.measured, m.reason)
            .trim_end_matches([' ', '|'])
            .to_owned()
            + "\n"
    };
    misses.iter().map(line).collect()
}

/// The page of the full form has the verdicts of the lists.
#[test]
fn the_page_of_everyday_scenes_has_the_verdicts_of_the_lists() {
    let docs = folder("../../docs/verify");
    let kept = fs::read_to_string(docs.join("results.json")).unwrap();
    let mut records = records_of(&kept);
    for r in records.iter_mut().filter(|r| r.case == CASE.name && r.error.is_none()) {
        let known = of(&r.method);
        let quick = r.info.quick;
        let mut misses = missed(&r.findings, quick, &known);
        if is_blessing() {
            if !quick {
                let context = Context { quick: true, method: &r.method, threads: 1, observer: &() };
                misses.extend(missed(&run(&CASE, &context).unwrap().findings, true, &known));
            }
            fs::write(folder(&format!("src/expectations/everyday/{}.txt", r.method)), text(&misses)).unwrap();
            let values =
                r.findings.iter().filter_map(|f| Some((f.quantity.name.clone(), f.measured?))).collect();
            let outcome: Result<Measured, CaseError> = Ok(Measured { values, ..Measured::default() });
            r.findings = judge(apply(&misses, quick, declared(&r.method, quick)), &outcome);
        } else {
            let of_form: Vec<Miss> = known.into_iter().filter(|m| m.quick == quick).collect();
            assert_eq!(
                misses, of_form,
                "{}: see expectations/everyday.rs for how to renew the list",
                r.method
            );
        }
    }
    if is_blessing() {
        let cases: Vec<_> = crate::all().collect();
        for file in markdown(&records, &cases) {
            fs::write(docs.join(file.name), file.text).unwrap();
        }
    }
}

#[test]
fn lines_are_read_as_they_are_written() {
    for method in crate::methods::water_methods() {
        let misses = of(method);
        assert_eq!(text(&misses).lines().filter_map(Miss::read).collect::<Vec<_>>(), misses);
        for m in &misses {
            let found = declared(method, m.quick).into_iter().find(|q| q.name == m.quantity);
            assert_ne!(found.unwrap_or_else(|| panic!("no {:?}", m.quantity)).limit, Limit::Reported);
        }
    }
    let miss = Miss::read("full | jug: volume | 3 % | Because | of this").unwrap();
    assert_eq!(miss.why(), "3 % was measured. Because | of this");
    assert_eq!(Miss::read("jug"), None);
}
