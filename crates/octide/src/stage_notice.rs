//! Says what a command is doing if it takes long and shows nothing else meanwhile: reading meshes, building
//! the first grid, drawing the first picture.

use crate::progress::{ProgressFormat, json};
use crate::text::{duration, print_json, print_to_stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// A stage that takes longer than this is named.
const FIRST_AFTER: Duration = Duration::from_secs(2);

/// It is named again after each such time.
const AGAIN_AFTER: Duration = Duration::from_secs(10);

/// Names a stage while it lasts, which is until this is dropped.
pub struct StageNotice {
    /// The thread ends when this is dropped.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl StageNotice {
    /// Begins a stage; `what` completes "The program is …".
    pub fn new(what: &'static str, how: ProgressFormat) -> Self {
        Self::print_with(what, FIRST_AFTER, AGAIN_AFTER, move |line| match how {
            ProgressFormat::Quiet => {}
            ProgressFormat::Json => print_json(&json::note(line)),
            ProgressFormat::Bar { .. } | ProgressFormat::Lines { .. } => print_to_stderr(line),
        })
    }

    /// As [`Self::new`], with the delays and the function that prints.
    fn print_with(
        what: &'static str,
        first: Duration,
        again: Duration,
        print: impl Fn(&str) + Send + 'static,
    ) -> Self {
        let (end, ended) = channel::<()>();
        let start = Instant::now();
        let wait = move || {
            let mut delay = first;
            while ended.recv_timeout(delay) == Err(RecvTimeoutError::Timeout) {
                print(&format!("{what}, {} so far", duration(start.elapsed().as_secs_f64())));
                delay = again;
            }
        };
        // Without a thread, the stage is not named; nothing else depends on it.
        let thread = Builder::new().stack_size(1 << 17).spawn(wait).ok();
        Self { end: Some(end), thread }
    }
}

impl Drop for StageNotice {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[test]
    fn only_long_stages_are_named_and_again_and_again() {
        let lines = Arc::new(Mutex::new(Vec::<String>::new()));
        let begin = |first, again| {
            let lines = lines.clone();
            StageNotice::print_with("reading", first, again, move |line| {
                lines.lock().unwrap().push(line.to_owned());
            })
        };
        drop(begin(Duration::from_secs(600), Duration::ZERO));
        assert!(lines.lock().unwrap().is_empty());
        let slow = begin(Duration::from_millis(1), Duration::from_millis(1));
        while lines.lock().unwrap().len() < 3 {
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(slow);
        let said = lines.lock().unwrap().clone();
        assert!(said.iter().all(|l| l.starts_with("reading, ") && l.ends_with(" s so far")), "{said:?}");
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(said.len(), lines.lock().unwrap().len());
    }
}
