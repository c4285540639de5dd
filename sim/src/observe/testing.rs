//! Readers of what is recorded, written from the definitions of the formats, for tests.

use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::sync::{Arc, Mutex};
use vcd::{Command, Parser, ScopeItem};

/// A file in memory that outlives its writer.
#[derive(Clone, Default)]
pub struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Sink {
    /// What was written.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap().clone()
    }

    /// The same as text.
    pub fn text(&self) -> String {
        String::from_utf8(self.bytes()).unwrap()
    }
}

/// Chrome trace events.
#[derive(Debug, Deserialize)]
pub struct Trace {
    #[serde(rename = "traceEvents")]
    pub events: Vec<TraceEvent>,
}

#[derive(Debug, Deserialize)]
pub struct TraceEvent {
    pub ph: String,
    pub name: String,
    #[serde(default)]
    pub cat: String,
    pub pid: u32,
    #[serde(default)]
    pub tid: u32,
    #[serde(default)]
    pub ts: u64,
    #[serde(default)]
    pub dur: u64,
    #[serde(default)]
    pub id: u64,
    #[serde(default)]
    pub args: BTreeMap<String, serde_json::Value>,
}

impl Trace {
    pub fn of(&self, ph: &str, cat: &str) -> impl Iterator<Item = &TraceEvent> {
        let of = move |event: &&TraceEvent| event.ph == ph && event.cat == cat;
        self.events.iter().filter(of)
    }

    /// The slice of a track that a flow event lies in.
    pub fn slice_at(&self, flow: &TraceEvent) -> &TraceEvent {
        let around = |slice: &&TraceEvent| {
            (slice.pid, slice.tid) == (flow.pid, flow.tid)
                && slice.ph == "X"
                && (slice.ts..slice.ts + slice.dur).contains(&flow.ts)
        };
        self.events.iter().find(around).expect("a slice")
    }
}

/// A Kanata log, read by its definition: what is on its way, in which stage since which cycle.
#[derive(Default)]
pub struct Log {
    /// Thread, and stages with their first cycles.
    pub insts: BTreeMap<u64, (u32, Vec<(String, u64)>)>,
    pub retired: BTreeMap<u64, (u64, u8)>,
    pub cycle: u64,
}

impl Log {
    pub fn read(text: &str) -> Log {
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("Kanata\t0004"));
        let mut log = Log::default();
        for line in lines {
            let fields: Vec<&str> = line.split('\t').collect();
            let number = |at: usize| fields[at].parse::<u64>().unwrap();
            match fields[0] {
                "C=" => log.cycle = number(1),
                "C" => log.cycle += number(1),
                "I" => {
                    let new = log.insts.insert(number(1), (number(3) as u32, Vec::new()));
                    assert!(new.is_none(), "{line}");
                }
                "L" => assert!(log.insts.contains_key(&number(1)), "{line}"),
                "S" => {
                    assert!(!log.retired.contains_key(&number(1)), "{line}");
                    let inst = log.insts.get_mut(&number(1)).expect(line);
                    inst.1.push((fields[3].to_owned(), log.cycle));
                }
                "R" => {
                    assert!(log.insts.contains_key(&number(1)), "{line}");
                    let how = (log.cycle, number(3) as u8);
                    assert!(log.retired.insert(number(1), how).is_none(), "{line}");
                }
                _ => panic!("no Kanata command: {line}"),
            }
        }
        log
    }
}

/// Changes by full name: time and value.
pub type Changes = HashMap<String, Vec<(u64, String)>>;

/// All names of a waveform, and its changes.
pub fn read_back(bytes: &[u8]) -> (Vec<String>, Changes) {
    fn walk(items: &[ScopeItem], scope: &str, names: &mut Vec<(vcd::IdCode, String)>) {
        for item in items {
            match item {
                ScopeItem::Scope(inner) => {
                    let dot = if scope.is_empty() { "" } else { "." };
                    walk(
                        &inner.items,
                        &format!("{scope}{dot}{}", inner.identifier),
                        names,
                    );
                }
                ScopeItem::Var(var) => names.push((var.code, format!("{scope}.{}", var.reference))),
                _ => {}
            }
        }
    }
    let mut parser = Parser::new(bytes);
    let header = parser.parse_header().unwrap();
    let mut names = Vec::new();
    walk(&header.items, "", &mut names);
    let name = |id| {
        names
            .iter()
            .find(|(code, _)| *code == id)
            .unwrap()
            .1
            .clone()
    };
    let (mut time, mut changes) = (0, Changes::new());
    for command in parser {
        let (id, value) = match command.unwrap() {
            Command::Timestamp(now) => {
                assert!(now >= time, "time goes back");
                time = now;
                continue;
            }
            Command::ChangeScalar(id, value) => (id, value.to_string()),
            Command::ChangeVector(id, value) => (id, value.to_string()),
            _ => continue,
        };
        changes.entry(name(id)).or_default().push((time, value));
    }
    (
        names.iter().map(|(_, name)| name.clone()).collect(),
        changes,
    )
}
