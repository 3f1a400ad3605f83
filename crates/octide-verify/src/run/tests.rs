use super::*;
use crate::case::{Article, Observer, Quantity};
use crate::limit::Limit;

const ARTICLE: Article = Article { problem: "", reference: "", measured: "" };

const fn case(
    quantities: fn(&str, bool) -> Vec<Quantity>,
    run: fn(&Context) -> Result<Measured, CaseError>,
) -> Case {
    Case {
        name: "x",
        title: "",
        summary: "",
        article: ARTICLE,
        methods: || vec!["some-method"],
        quick: true,
        quantities,
        run,
    }
}

fn quantity(_: &str, _: bool) -> Vec<Quantity> {
    vec![Quantity::new("q", "").limit(Limit::AtMost(1.0), "")]
}

fn context(observer: &dyn Observer) -> Context<'_> {
    Context { quick: true, method: "some-method", threads: 1, observer }
}

fn outcome(case: &'static Case) -> CaseResult {
    run(case, &context(&())).unwrap()
}

#[test]
fn good_cases_are_not_broken() {
    static GOOD: Case = case(quantity, |_| {
        let mut m = Measured::default();
        m.set("q", 0.5);
        Ok(m)
    });
    let r = outcome(&GOOD);
    assert!(!r.is_broken() && r.error.is_none() && r.count(Status::Pass) == 1);
}

#[test]
fn errors_and_panics_are_failures_with_their_message() {
    static ERRS: Case = case(quantity, |_| Err(CaseError::new("no convergence")));
    static PANICS: Case = case(quantity, |c| panic!("at {} threads", c.threads));
    static WORDS: Case = case(quantity, |_| panic!("plain"));
    for (case, text) in
        [(&ERRS, "no convergence"), (&PANICS, "panicked: at 1 threads"), (&WORDS, "panicked: plain")]
    {
        let r = outcome(case);
        assert_eq!(r.error.as_deref(), Some(text));
        assert!(r.is_broken() && r.count(Status::Fail) == 1);
    }
}

#[test]
fn a_case_that_declares_nothing_fails() {
    static EMPTY: Case = case(|_, _| Vec::new(), |_| Ok(Measured::default()));
    assert!(outcome(&EMPTY).is_broken());
}

#[test]
fn a_case_of_which_nothing_is_available_is_not_run() {
    static MISSING: Case =
        case(|_, _| vec![Quantity::new("q", "").not_available("tension")], |_| panic!("was run"));
    let r = outcome(&MISSING);
    assert!(!r.is_broken() && r.count(Status::NotAvailable) == 1);
}

#[test]
fn a_case_that_is_told_to_stop_stops() {
    struct Stop;
    impl Observer for Stop {
        fn progress(&self, _: &str) {}
        fn stops(&self) -> bool {
            true
        }
    }
    static LONG: Case = case(quantity, |c| {
        c.progress("first")?;
        panic!("went on")
    });
    assert_eq!(run(&LONG, &context(&Stop)).map(|_| ()), Err(CaseError::Stopped));
}
