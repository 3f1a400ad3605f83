use super::*;
use octide_verify::Expectation;

#[test]
fn every_entry_is_about_a_quantity_that_its_case_declares() {
    for e in ALL {
        for entry in e.entries {
            let case = crate::find(entry.case).unwrap_or_else(|| panic!("no case {}", entry.case));
            assert!((case.methods)().contains(&e.method), "{} does not run {}", e.method, entry.case);
            for quick in [true, false].into_iter().filter(|&quick| entry.form.includes(quick)) {
                let declared = (case.quantities)(e.method, quick);
                let found = declared.iter().find(|q| q.name == entry.quantity);
                let found = found.unwrap_or_else(|| panic!("{}: no {:?}", entry.case, entry.quantity));
                match entry.fact {
                    Fact::KnownToFail(why) => {
                        assert_eq!(found.expectation, Expectation::KnownToFail(why.to_owned()));
                        assert_ne!(found.limit, Limit::Reported, "{}: {}", entry.case, entry.quantity);
                    }
                    Fact::Limit(limit, _) => assert_eq!(found.limit, limit),
                }
            }
        }
    }
}

#[test]
fn methods_with_expectations_are_registered() {
    let registered = crate::methods::water_methods();
    assert!(ALL.iter().all(|e| registered.contains(&e.method)));
}

/// A method that nobody has heard of runs every shared case with the limits that the cases declare.
#[test]
fn an_unknown_method_gets_every_shared_case_with_neutral_limits() {
    let shared = crate::CASES.iter().filter(|c| (c.methods)() == crate::methods::water_methods());
    let mut n_cases = 0;
    for case in shared {
        n_cases += 1;
        for quick in [true, false] {
            let declared = (case.quantities)("unheard-of", quick);
            assert!(!declared.is_empty(), "{}", case.name);
            let known = |q: &Quantity| matches!(q.expectation, Expectation::KnownToFail(_));
            assert!(!declared.iter().any(known), "{}", case.name);
        }
    }
    assert!(n_cases >= 18, "{n_cases}");
}
