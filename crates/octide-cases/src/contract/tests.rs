use super::*;

#[test]
fn every_method_runs_all_of_it() {
    for case in ALL {
        assert_eq!((case.methods)(), crate::methods::water_methods(), "{}", case.name);
        assert!(case.quick && case.name.starts_with("contract-"));
        assert!(crate::CASES.iter().any(|c| c.name == case.name), "{} is not listed", case.name);
    }
}
