use super::*;
use crate::case::{Article, Case, CaseError, Context, Measured};
use crate::limit::Limit;
use crate::plot::{Axis, Plot, Scale, Series};
use crate::record::RunInfo;
use crate::run::run;
use crate::table::Table;

static CASE: Case = Case {
    name: "tricky",
    title: "A <b>tricky</b> & \"quoted\" case",
    summary: "",
    article: Article { problem: "u < 1\n\nand | more_of_it", reference: "R & S", measured: "<script>" },
    methods: || vec!["some-method", "other"],
    quick: true,
    quantities: |_, _| {
        vec![
            Quantity::new("a < b", "m/s").limit(Limit::AtMost(1.0), "A & B 1999").expected(0.5),
            Quantity::new("known", "").limit(Limit::AtMost(0.0), "").known_to_fail("why <not>"),
            Quantity::new("none", "").not_available("tension"),
        ]
    },
    run: |_| {
        let mut m = Measured::default();
        m.set("a < b", 0.25);
        m.set("known", 1.0);
        m.tables.push(Table {
            title: "<t>".into(),
            columns: vec!["x|y".into()],
            rows: vec![vec!["<1>".into()]],
        });
        let axis = |label: &str| Axis { label: label.into(), scale: Scale::Log, ticks: vec![] };
        let series = vec![Series::measured("<s>", vec![[1.0, 2.0]])];
        m.plots.push(Plot { title: "<p>".into(), x: axis("<x>"), y: axis("&y"), series });
        Ok(m)
    },
};

static BROKEN: Case = Case { name: "broken", run: |_| Err(CaseError::new("a <bad> end")), ..CASE };

const CASES: &[&Case] = &[&CASE, &BROKEN];

fn record(case: &'static Case, method: &str, quick: bool) -> Record {
    let context = Context { quick, method, threads: 2, observer: &() };
    let info = RunInfo {
        version: "9.9".into(),
        date: "2020-02-02".into(),
        machine: "M<1>".into(),
        threads: 2,
        quick,
        cpu_seconds: 3.0,
        wall_seconds: 1.5,
    };
    Record::new(run(case, &context).unwrap(), info)
}

fn records() -> Vec<Record> {
    CASES.iter().map(|c| record(c, "some-method", true)).collect()
}

fn text<'a>(files: &'a [File], name: &str) -> &'a str {
    &files.iter().find(|f| f.name == name).unwrap().text
}

#[test]
fn pages_hold_all_and_escape_it() {
    let files = html(&records(), CASES);
    let names: Vec<&str> = files.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["index.html", "tricky.html", "broken.html", RESULTS]);
    for name in ["index.html", "tricky.html", "broken.html"] {
        let page = text(&files, name);
        for bad in
            ["<b>", "<script", "<not>", "<bad>", "<t>", "<1>", "<s>", "<p></", "<x>", "\"quoted\"", "http:"]
        {
            assert!(
                !page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "").contains(bad),
                "{bad} in {name}"
            );
        }
        for part in ["M&lt;1&gt;", "octide 9.9", "2020-02-02", " s CPU, ", "A &amp; B 1999", "≤ 1", "0.5 m/s"]
        {
            assert!(page.contains(part), "{part} not in {name}");
        }
    }
    let page = text(&files, "tricky.html");
    for part in
        ["0.25 m/s", "known to fail", "why &lt;not&gt;", "not available", "tension", "<svg", "R &amp; S"]
    {
        assert!(page.contains(part), "{part}");
    }
    assert!(text(&files, "broken.html").contains("a &lt;bad&gt; end"));
    assert!(text(&files, "index.html").contains("FAIL"));
}

#[test]
fn markdown_has_the_same_with_plots_beside_it() {
    let files = markdown(&records(), CASES);
    let names: Vec<&str> = files.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["README.md", "tricky.md", "tricky-some-method-1.svg", "broken.md", RESULTS]);
    let page = text(&files, "tricky.md");
    for part in
        ["(tricky-some-method-1.svg)", "more\\_of\\_it", "\\<script\\>", "x\\|y", "0.25 m/s", "2 threads"]
    {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(
        text(&files, "tricky-some-method-1.svg").starts_with("<svg")
            && text(&files, "README.md").contains("](broken.md)")
    );
}

#[test]
fn results_for_programs_name_the_files_of_the_report() {
    let files = html(&records(), CASES);
    let json = text(&files, RESULTS);
    let v: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!((&v["broken"], &v["cases"][0]["threads"]), (&true.into(), &2.into()));
    assert_eq!(v["cases"][0]["quantities"][0]["measured"], 0.25);
    assert_eq!(v["cases"][1]["error"], "a <bad> end");
    assert_eq!(files_of(json).unwrap(), ["index.html", "tricky.html", "broken.html", RESULTS]);
}

#[test]
fn only_names_that_a_report_can_have_are_taken_from_it() {
    let text = r#"{"kind":"octide verify","files":["a.html","../a.html","/etc/a.md","b.rs",".html","c.svg",3,"a.b.md"]}"#;
    assert_eq!(files_of(text).unwrap(), ["a.html", "c.svg"]);
    for other in ["", "{}", "[]", "{\"files\":[]}", "{\"kind\":\"octide verify\"}", "nonsense"] {
        assert_eq!(files_of(other), None, "{other}");
    }
}

#[test]
fn the_summary_counts() {
    assert_eq!(summary(&records()), "1 pass · 2 FAIL · 1 known to fail · 2 not available");
    assert_eq!(summary(&[]), "nothing was run");
}

#[test]
fn a_report_grows_case_by_case_and_keeps_the_rest() {
    let one_by_one = |first: &[Record], then: Vec<Record>| {
        let files = markdown(first, CASES);
        let mut all = records_of(text(&files, RESULTS));
        assert!(merge(&mut all, then).is_empty());
        markdown(&all, CASES)
    };
    // Whatever the order, the pages are those of all records together, methods in the case's own order.
    let [tricky, broken] = [&CASE, &BROKEN].map(|c| record(c, "some-method", false));
    let other = record(&CASE, "other", false);
    let at_once = markdown(&[tricky.clone(), other.clone(), broken.clone()], CASES);
    assert_eq!(one_by_one(&[other, broken], vec![tricky]), at_once);
    let page = text(&at_once, "tricky.md");
    assert!(page.find("Results: some-method").unwrap() < page.find("Results: other").unwrap());
    assert!(
        text(&at_once, "README.md")
            .contains("| full | 1 pass · 1 known to fail · 1 not available | 3.0 | 1.5 |")
    );
}

#[test]
fn a_new_result_replaces_the_old_one_but_a_quick_form_never_a_full_one() {
    let (full, quick) = (record(&CASE, "some-method", false), record(&CASE, "some-method", true));
    let mut all = vec![quick.clone()];
    assert!(merge(&mut all, vec![full.clone()]).is_empty());
    assert_eq!(all, std::slice::from_ref(&full));
    assert_eq!(merge(&mut all, vec![quick.clone()]), [quick]);
    assert_eq!(all, [full]);
}

#[test]
fn results_of_cases_that_are_gone_are_dropped() {
    let files = markdown(&records(), &[&BROKEN]);
    assert!(files.iter().all(|f| !f.name.contains("tricky") && !f.text.contains("tricky.md")));
    assert!(records_of("{}").is_empty());
}
