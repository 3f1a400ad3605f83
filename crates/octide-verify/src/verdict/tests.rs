use super::*;
use Limit::{AtLeast, AtMost, RelativeError, Reported, Within};
use serde_json::{Value, json};

fn one(quantity: Quantity, values: &[(&str, f64)]) -> Vec<Finding> {
    let mut measured = Measured::default();
    values.iter().for_each(|&(name, x)| measured.set(name, x));
    judge(vec![quantity], &Ok(measured))
}

fn status(limit: Limit, expected: Option<f64>, x: f64) -> Status {
    let quantity = Quantity { expected, ..Quantity::new("q", "m").limit(limit, "here") };
    one(quantity, &[("q", x)])[0].status
}

#[test]
fn every_kind_of_limit_passes_and_fails() {
    let cases = [
        (AtMost(1.0), None, 1.0, 1.0 + 1e-15),
        (AtLeast(1.9), None, 1.9, 1.899),
        (Within(-1.0, 2.0), None, -1.0, -1.001),
        (Within(-1.0, 2.0), None, 2.0, 2.001),
        (RelativeError(0.1), Some(-10.0), -11.0, -11.001),
        (RelativeError(0.1), Some(10.0), 9.0, 8.999),
    ];
    for (limit, expected, good, bad) in cases {
        assert_eq!(status(limit, expected, good), Status::Pass, "{limit:?}");
        assert_eq!(status(limit, expected, bad), Status::Fail, "{limit:?}");
    }
    assert_eq!(status(Reported, None, -1e9), Status::Reported);
}

#[test]
fn relative_errors_need_something_to_be_relative_to() {
    assert_eq!(status(RelativeError(0.5), None, 1.0), Status::Fail);
    assert_eq!(status(RelativeError(0.5), Some(0.0), 0.0), Status::Fail);
}

#[test]
fn what_is_not_finite_fails_whatever_was_expected() {
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for limit in [AtMost(1.0), AtLeast(1.0), Within(0.0, 1.0), RelativeError(0.1), Reported] {
            assert_eq!(status(limit, Some(1.0), x), Status::Fail, "{limit:?} {x}");
        }
        let known = Quantity::new("q", "").limit(AtMost(1.0), "").known_to_fail("so");
        assert_eq!(one(known, &[("q", x)])[0].status, Status::Fail);
    }
}

#[test]
fn what_is_missing_undeclared_or_double_fails() {
    let q = || Quantity::new("q", "").limit(AtMost(1.0), "");
    let missing = one(q(), &[]);
    assert_eq!((missing[0].status, missing[0].note.as_str()), (Status::Fail, "not measured"));
    assert_eq!(one(q().known_to_fail("so"), &[])[0].status, Status::Fail);
    assert_eq!(one(Quantity::new("q", ""), &[])[0].status, Status::Fail);

    let extra = one(q(), &[("q", 0.0), ("r", 0.0)]);
    assert_eq!((extra[0].status, extra[1].status), (Status::Pass, Status::Fail));
    assert_eq!((extra[1].quantity.name.as_str(), extra[1].measured), ("r", Some(0.0)));

    assert_eq!(one(q(), &[("q", 0.0), ("q", 0.5)])[0].status, Status::Fail);
    let mut measured = Measured::default();
    measured.set("q", 0.0);
    assert_eq!(judge(vec![q(), q()], &Ok(measured))[1].status, Status::Fail);
}

#[test]
fn known_failures_are_told_and_alarm_when_they_pass() {
    let q = || Quantity::new("q", "").limit(AtMost(1.0), "").known_to_fail("the reason");
    let fails = &one(q(), &[("q", 2.0)])[0];
    assert_eq!((fails.status, fails.note.as_str()), (Status::KnownToFail, "the reason"));
    assert!(!fails.status.is_broken());
    let passes = &one(q(), &[("q", 1.0)])[0];
    assert!(
        passes.status == Status::Alarm && passes.status.is_broken() && passes.note.contains("the reason")
    );
}

#[test]
fn what_is_not_available_never_passes_and_breaks_nothing() {
    let q = || Quantity::new("q", "").limit(AtMost(1.0), "").not_available("surface tension");
    for values in [&[][..], &[("q", 0.0)], &[("q", f64::NAN)]] {
        let f = &one(q(), values)[0];
        assert_eq!(f.status, Status::NotAvailable);
        assert!(!f.status.is_broken() && f.note.contains("surface tension"));
    }
}

#[test]
fn an_error_fails_all_that_is_available() {
    let declared = vec![Quantity::new("a", ""), Quantity::new("b", "").not_available("x")];
    let findings = judge(declared, &Err(CaseError::Failed("no".to_owned())));
    assert_eq!(findings.iter().map(|f| f.status).collect::<Vec<_>>(), [Status::Fail, Status::NotAvailable]);
}

#[test]
fn programs_are_told_the_limit_and_whether_it_holds() {
    let q = Quantity::new("order", "").limit(AtLeast(1.9), "someone 2003").expected(2.0);
    let v = one(q.clone(), &[("order", 1.95)])[0].json("case", "octree");
    assert_eq!(
        v,
        json!({
            "case": "case", "method": "octree", "quantity": "order", "unit": "", "measured": 1.95, "expected": 2.0,
            "limit": { "at_least": 1.9 }, "source": "someone 2003", "pass": true, "status": "pass", "note": "",
        })
    );
    let pass = |q: Quantity, x| one(q, &[("order", x)])[0].json("", "")["pass"].clone();
    assert_eq!(pass(q.clone(), 1.0), json!(false));
    assert_eq!(pass(q.clone().known_to_fail(""), 1.0), json!(false));
    assert_eq!(pass(q.clone().not_available(""), 2.0), json!(false));
    assert_eq!(pass(q.limit(Reported, ""), 1.0), Value::Null);
    let nan = one(Quantity::new("order", ""), &[("order", f64::NAN)])[0].json("", "");
    assert_eq!(nan["measured"], Value::Null);
}
