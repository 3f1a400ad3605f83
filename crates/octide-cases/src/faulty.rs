//! Cases that fail on purpose, for tests of the command.

use octide_verify::{Article, Case, CaseError, Limit, Measured, Quantity, SHARED};
/// All of them.
pub(super) const CASES: &[&Case] = &[&BROKEN, &PANICS, &ERRS, &ALARMS, &KNOWN, &MISSING];

const ARTICLE: Article = Article { problem: "None.", reference: "None.", measured: "Nothing." };

const fn case(name: &'static str, quantities: fn(&str, bool) -> Vec<Quantity>) -> Case {
    Case {
        name,
        title: name,
        summary: name,
        article: ARTICLE,
        methods: || vec![SHARED],
        quick: true,
        quantities,
        run: |_| {
            let mut m = Measured::default();
            m.set("x", 2.0);
            Ok(m)
        },
    }
}

fn x() -> Quantity {
    Quantity::new("x", "m").limit(Limit::AtMost(1.0), "nowhere")
}

static BROKEN: Case = case("faulty-broken", |_, _| vec![x()]);
static PANICS: Case = Case { run: |_| panic!("out of luck"), ..case("faulty-panics", |_, _| vec![x()]) };
static ERRS: Case =
    Case { run: |_| Err(CaseError::new("out of order")), ..case("faulty-errs", |_, _| vec![x()]) };
static ALARMS: Case =
    case("faulty-alarms", |_, _| vec![x().limit(Limit::AtMost(3.0), "").known_to_fail("old")]);
static KNOWN: Case = case("faulty-known", |_, _| vec![x().known_to_fail("well known")]);
static MISSING: Case = case("faulty-missing", |_, _| vec![x().not_available("surface tension")]);
