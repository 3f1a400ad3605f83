//! `octide verify`: runs cases one after the other, prints results as tables or JSON lines, and writes reports.
//!
//! The cases are in [`octide_cases`], verdicts and pages in [`octide_verify`]; this module has the selection of
//! cases, progress, folders and exit codes.

mod folder;
mod machine;
mod table;

use crate::args::{VerifyArgs, set_threads};
use crate::cpu::Clock;
use crate::errors::{self, Failure};
use crate::stop::Stop;
use crate::text::{duration, print_json, print_line, print_to_stderr};
use folder::ReportDir;
use octide_cases::{CASES, estimated_cpu_seconds};
use octide_io::printable;
use octide_verify::report::{html, markdown, merge, summary};
use octide_verify::{Case, Context, Observer, Record, RunInfo, SHARED, run};
use serde_json::json;
use std::panic::PanicHookInfo;
use std::time::Instant;

/// A case and one of its methods.
type Pair = (&'static Case, &'static str);

/// Lists the cases, or runs the selected ones.
pub fn verify(args: &VerifyArgs) -> Result<(), Failure> {
    if let Some(docs) = args.docs.as_deref().filter(|_| args.judge) {
        return judge_again(ReportDir::open(docs)?);
    }
    if args.cases.is_empty() && !args.all && !args.quick {
        if args.report.is_some() || args.docs.is_some() {
            return Err(Failure::Input(
                "a report needs cases: name some, or use --all or --quick".to_owned(),
            ));
        }
        list(args);
        return Ok(());
    }
    let mut selected = selected(args)?;
    // Before the first case: nobody wants to wait for a folder that is refused.
    let mut report = args.report.as_deref().map(ReportDir::open).transpose()?;
    let mut docs = args.docs.as_deref().map(ReportDir::open).transpose()?.map(Docs::new);
    if let Some(docs) = docs.as_ref().filter(|_| args.missing) {
        selected.retain(|&pair| !docs.has(pair, args.quick));
        selected.sort_by(|a, b| cost(*a).total_cmp(&cost(*b)));
    }
    set_threads(args.threads)?;
    let console = Console { stop: Stop::listen()? };
    let start = Instant::now();
    let records = run_all(&selected, args, &console, docs.as_mut())?;
    if let Some(dir) = &mut report {
        dir.write(&html(&records, &all_cases()))?;
    }
    if !args.json {
        print_line(&format!("{} in {}", summary(&records), duration(start.elapsed().as_secs_f64())));
        if let Some(dir) = &args.report {
            print_line(&format!("open {} in a browser", printable(&dir.join("index.html"))));
        }
    }
    verdict(&records)
}

/// Judges the results that a folder has by what is declared now, and writes its pages.
fn judge_again(mut dir: ReportDir) -> Result<(), Failure> {
    let mut records = dir.records();
    for r in records.iter_mut().filter(|r| r.error.is_none()) {
        if let Some(case) = octide_cases::find(&r.case) {
            r.judge((case.quantities)(&r.method, r.info.quick));
        }
    }
    dir.write(&markdown(&records, &all_cases()))?;
    print_line(&summary(&records));
    verdict(&records)
}

/// Returns all cases, in the order in which reports show them.
fn all_cases() -> Vec<&'static Case> {
    octide_cases::all().collect()
}

fn cost((case, method): Pair) -> f64 {
    estimated_cpu_seconds(case.name, method)
}

/// Prints the list of cases.
fn list(args: &VerifyArgs) {
    let listed = || CASES.iter().filter(|c| is_of_method(c, args));
    if args.json {
        for c in listed() {
            let methods = (c.methods)();
            let seconds: Vec<f64> = methods.iter().map(|m| estimated_cpu_seconds(c.name, m)).collect();
            let line = json!({
                "case": c.name, "methods": methods, "estimated_cpu_seconds": seconds,
                "summary": c.summary, "quick": c.quick,
            });
            print_json(&line.to_string());
        }
        return;
    }
    let width = |f: fn(&Case) -> usize| listed().map(|c| f(c)).max().unwrap_or(0);
    let methods = |c: &Case| (c.methods)().join(", ");
    let (name, method) = (width(|c| c.name.len()), width(|c| (c.methods)().join(", ").len()));
    for c in listed() {
        let quick = if c.quick { "quick" } else { "" };
        print_line(&format!("{:name$}  {:method$}  {quick:5}  {}", c.name, methods(c), c.summary));
    }
    print_line("\nRun cases with `octide verify CASE…`, all with --all, quick forms with --quick.");
}

fn is_of_method(case: &Case, args: &VerifyArgs) -> bool {
    args.method.as_deref().is_none_or(|m| (case.methods)().contains(&m))
}

/// Returns the cases and methods to run.
fn selected(args: &VerifyArgs) -> Result<Vec<Pair>, Failure> {
    let mut cases: Vec<&'static Case> = if args.cases.is_empty() {
        CASES.iter().copied().filter(|c| is_of_method(c, args) && (c.quick || !args.quick)).collect()
    } else {
        Vec::new()
    };
    for name in &args.cases {
        let case = octide_cases::find(name).ok_or_else(|| {
            Failure::Input(format!("there is no case {name:?}; `octide verify` lists them"))
        })?;
        if args.quick && !case.quick {
            return Err(Failure::Input(format!("{name} has no quick form; run it without --quick")));
        }
        if !is_of_method(case, args) {
            let methods = (case.methods)().join(", ");
            return Err(Failure::Input(format!(
                "{name} does not run with that method; it runs with {methods}"
            )));
        }
        if cases.iter().all(|c| c.name != case.name) {
            cases.push(case);
        }
    }
    let wanted = |m: &str| args.method.as_deref().is_none_or(|wanted| wanted == m);
    let pairs = cases.into_iter().flat_map(|c| (c.methods)().into_iter().map(move |m| (c, m)));
    Ok(pairs.filter(|&(_, m)| wanted(m)).collect())
}

/// Runs the cases and prints each result; the documentation is written after each.
fn run_all(
    selected: &[Pair],
    args: &VerifyArgs,
    console: &Console,
    mut docs: Option<&mut Docs>,
) -> Result<Vec<Record>, Failure> {
    // A case that panics fails; the process goes on.
    std::panic::set_hook(Box::new(print_panic));
    let mut records = Vec::new();
    for (i, &(case, method)) in selected.iter().enumerate() {
        let of = if method == SHARED { String::new() } else { format!(" ({method})") };
        console.line(&format!("[{}/{}] {}{of}", i + 1, selected.len(), case.name));
        let Some(record) = run_one((case, method), args.quick, console) else { break };
        print_record(&record, case, args.json);
        if let Some(docs) = &mut docs {
            docs.add(record.clone(), console)?;
        }
        records.push(record);
        if console.stops() {
            break;
        }
    }
    errors::install_panic_message();
    console.stop.check()?;
    Ok(records)
}

/// Runs a case with a method; `None` if it was stopped.
fn run_one((case, method): Pair, quick: bool, console: &Console) -> Option<Record> {
    let threads = rayon::current_num_threads();
    let (date, clock) = (machine::now(), Clock::start());
    let result = run(case, &Context { quick, method, threads, observer: console }).ok()?;
    let (cpu_seconds, wall_seconds) = clock.read();
    let (version, machine) = (VERSION.to_owned(), machine::name());
    Some(Record::new(result, RunInfo { version, date, machine, threads, quick, cpu_seconds, wall_seconds }))
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The documentation folder, which grows case by case.
struct Docs {
    dir: ReportDir,
    records: Vec<Record>,
}

impl Docs {
    /// Takes over what the folder has.
    fn new(dir: ReportDir) -> Self {
        let records = dir.records();
        Self { dir, records }
    }

    /// Returns whether the folder has the result of this form and this version; a full form stands for the quick one.
    fn has(&self, (case, method): Pair, quick: bool) -> bool {
        let is_same = |r: &&Record| r.case == case.name && r.method == method;
        let of = self.records.iter().find(is_same).map(|r| &r.info);
        of.is_some_and(|info| info.version == VERSION && (quick || !info.quick))
    }

    /// Adds a result and writes the pages.
    fn add(&mut self, record: Record, console: &Console) -> Result<(), Failure> {
        for r in merge(&mut self.records, vec![record]) {
            console.line(&format!(
                "  {} ({}): the folder keeps its result of the full form; run without --quick to replace it",
                printable(&r.case),
                printable(&r.method)
            ));
        }
        Ok(self.dir.write(&markdown(&self.records, &all_cases()))?)
    }
}

fn print_panic(info: &PanicHookInfo) {
    let place = info.location().map_or(String::new(), |l| format!(" at {}:{}", l.file(), l.line()));
    print_to_stderr(&format!("  panicked{place}"));
}

fn print_record(record: &Record, case: &Case, json: bool) {
    if json {
        for f in &record.findings {
            let mut line = f.json(&record.case, &record.method);
            if let Some(error) = &record.error {
                line["error"] = json!(error);
            }
            print_json(&line.to_string());
        }
    } else {
        print_line(&table::table(record, case));
    }
}

fn verdict(records: &[Record]) -> Result<(), Failure> {
    let broken: Vec<String> =
        records.iter().filter(|r| r.is_broken()).map(|r| format!("{} ({})", r.case, r.method)).collect();
    if broken.is_empty() {
        return Ok(());
    }
    Err(Failure::Limit(format!("limits are broken in {}", broken.join(", "))))
}

/// Progress on standard error.
struct Console {
    stop: Stop,
}

impl Console {
    fn line(&self, line: &str) {
        print_to_stderr(line);
    }
}

impl Observer for Console {
    fn progress(&self, what: &str) {
        self.line(&format!("  {what}"));
    }

    fn stops(&self) -> bool {
        self.stop.check().is_err()
    }
}
