//! CTAs and warps of a trace.

use std::collections::BTreeSet;

use super::field::decimal;
use super::header::numbers;
use super::inst::{InstReader, Place};
use super::lines::{LineError, Lines};
use super::statics::Rules;
use super::{ReadOptions, line_error, quote};
use crate::trace::error::TraceErrorKind;
use crate::trace::record::{CtaTrace, Header, Program, WarpTrace};

/// Instructions for which room is made before they are read; a wrong count must not take all memory.
const ROOM: u64 = 1 << 16;

/// The line that ends a CTA.
pub const LAST_LINE: &[u8] = b"#END_TB";

/// Reads CTAs.
#[derive(Clone)]
pub struct Ctas {
    insts: InstReader,
    grid: [u32; 3],
    threads: u32,
    /// CTAs read, by number in the grid: all below `all_below`, and these.
    all_below: u64,
    beyond: BTreeSet<u64>,
    /// `#BEGIN_TB` of the next CTA is read already.
    begun: bool,
}

/// A line of the frame around the instructions.
enum Frame {
    Warp(u64),
    Insts(u64),
    End,
    Cluster,
}

impl Ctas {
    /// Of the trace of that head.
    pub fn new(header: &Header, options: &ReadOptions, begun: bool) -> Ctas {
        Ctas {
            insts: InstReader::new(header, Rules::new(header, options)),
            grid: header.grid,
            threads: header.threads_per_cta(),
            all_below: 0,
            beyond: BTreeSet::new(),
            begun,
        }
    }

    /// The static instructions met so far.
    pub fn program(&self) -> &Program {
        self.insts.program()
    }

    /// Forgets which CTAs were read.
    pub fn forget_read(&mut self) {
        self.all_below = 0;
        self.beyond.clear();
    }

    /// Marks a CTA that another reader has read; false: it was read before.
    pub fn mark_read(&mut self, [x, y, z]: [u32; 3]) -> bool {
        let [width, height, _] = self.grid.map(u64::from);
        let number = (u64::from(z) * height + u64::from(y)) * width + u64::from(x);
        if number < self.all_below || !self.beyond.insert(number) {
            return false;
        }
        while self.beyond.remove(&self.all_below) {
            self.all_below += 1;
        }
        true
    }

    fn read(&self) -> u64 {
        self.all_below + self.beyond.len() as u64
    }

    /// The next CTA, or none after the last one of the grid.
    pub fn next(
        &mut self,
        lines: &mut Lines,
        format: &'static str,
    ) -> Result<Option<CtaTrace>, TraceErrorKind> {
        if !self.begin(lines, format)? {
            let grid = self.grid.iter().map(|&n| u64::from(n)).product();
            let found = self.read();
            return if found == grid {
                Ok(None)
            } else {
                Err(TraceErrorKind::MissingCtas { found, grid })
            };
        }
        let index = match next_line(lines, format)? {
            Some(line) => self.index(line)?,
            None => {
                return Err(truncated(format!(
                    "before the `thread block =` line of CTA number {}",
                    self.read() + 1
                )));
            }
        };
        let mut cta = CtaTrace {
            index,
            warps: Vec::new(),
        };
        loop {
            let Some(line) = next_line(lines, format)? else {
                let [x, y, z] = index;
                return Err(truncated(format!("inside CTA {x},{y},{z}")));
            };
            match frame(line)? {
                Frame::Warp(warp) => self.warp(warp, &mut cta, lines, format)?,
                Frame::Cluster => {}
                Frame::End => break,
                Frame::Insts(_) => {
                    return Err(TraceErrorKind::Unexpected {
                        found: quote(line),
                        expected: "`warp = ..` or `#END_TB`",
                    });
                }
            }
        }
        cta.warps.sort_by_key(|warp| warp.warp);
        Ok(Some(cta))
    }

    /// Goes to the next `#BEGIN_TB`; false: there is none.
    fn begin(&mut self, lines: &mut Lines, format: &'static str) -> Result<bool, TraceErrorKind> {
        if std::mem::take(&mut self.begun) {
            return Ok(true);
        }
        loop {
            match next_line(lines, format)? {
                None => return Ok(false),
                Some(b"#BEGIN_TB") => return Ok(true),
                Some(line) if line == LAST_LINE => {
                    return Err(TraceErrorKind::Unexpected {
                        found: quote(line),
                        expected: "`#BEGIN_TB`",
                    });
                }
                Some([b'#', ..]) => {}
                Some(line) => {
                    return Err(TraceErrorKind::Unexpected {
                        found: quote(line),
                        expected: "`#BEGIN_TB` (a `.trace` is grouped by CTA with post-traces-processing first)",
                    });
                }
            }
        }
    }

    /// Reads `thread block = x,y,z` and marks that CTA as read.
    fn index(&mut self, line: &[u8]) -> Result<[u32; 3], TraceErrorKind> {
        let value = value(line, "thread block").and_then(|value| std::str::from_utf8(value).ok());
        let index = value
            .and_then(numbers)
            .filter(|index| (0..3).all(|axis| index[axis] < self.grid[axis]));
        let index = index.ok_or_else(|| TraceErrorKind::Unexpected {
            found: quote(line),
            expected: "`thread block = x,y,z` within the grid",
        })?;
        if !self.mark_read(index) {
            let [x, y, z] = index;
            let what = format!("CTA {x},{y},{z}");
            return Err(TraceErrorKind::Repeated { what });
        }
        Ok(index)
    }

    /// Reads a warp after its `warp =` line.
    fn warp(
        &mut self,
        number: u64,
        cta: &mut CtaTrace,
        lines: &mut Lines,
        format: &'static str,
    ) -> Result<(), TraceErrorKind> {
        let warps = self.threads.div_ceil(32);
        let known = u32::try_from(number).ok().filter(|&number| number < warps);
        let number = known.ok_or_else(|| TraceErrorKind::BadValue {
            what: "`warp`".into(),
            found: number.to_string(),
            expected: format!("`warp = N`, N below {warps}"),
        })?;
        if cta.warps.iter().any(|warp| warp.warp == number) {
            let what = format!("warp {number}");
            return Err(TraceErrorKind::Repeated { what });
        }
        let announced = match next_line(lines, format)? {
            None => return Err(in_warp(number, cta)),
            Some(line) => match frame(line) {
                Ok(Frame::Insts(announced)) => announced,
                _ => {
                    return Err(TraceErrorKind::Unexpected {
                        found: quote(line),
                        expected: "`insts = ..`",
                    });
                }
            },
        };
        let mut warp = WarpTrace {
            warp: number,
            insts: Vec::with_capacity(announced.min(ROOM) as usize),
            addresses: Vec::new(),
        };
        self.insts(&mut warp, announced, cta, lines, format)?;
        cta.warps.push(warp);
        Ok(())
    }

    /// Reads as many lines as announced, and sees that every lane ends.
    fn insts(
        &mut self,
        warp: &mut WarpTrace,
        announced: u64,
        cta: &CtaTrace,
        lines: &mut Lines,
        format: &'static str,
    ) -> Result<(), TraceErrorKind> {
        let threads_left = self.threads - 32 * warp.warp;
        let place = Place {
            cta: cta.index,
            warp: warp.warp,
            lanes: if threads_left >= 32 {
                u32::MAX
            } else {
                (1 << threads_left) - 1
            },
        };
        let (mut active, mut ended, mut last_ends) = (0, 0, true);
        for found in 0..announced {
            let line = loop {
                match lines.next().map_err(|error| line_error(error, format))? {
                    Some([]) => {}
                    Some(line) => break line,
                    None => return Err(in_warp(warp.warp, cta)),
                }
            };
            if matches!(line[0], b'w' | b'#') {
                return Err(TraceErrorKind::WrongCount {
                    warp: warp.warp,
                    announced,
                    found,
                });
            }
            let (mask, is_exit) = self.insts.read(line, place, warp)?;
            if mask & ended != 0 {
                return Err(TraceErrorKind::AfterExit {
                    warp: warp.warp,
                    lanes: mask & ended,
                });
            }
            active |= mask;
            last_ends = is_exit;
            if is_exit {
                ended |= mask;
            }
        }
        let extra = count_insts(lines).map_err(|error| line_error(error, format))?;
        if extra > 0 {
            return Err(TraceErrorKind::WrongCount {
                warp: warp.warp,
                announced,
                found: announced + extra,
            });
        }
        if !last_ends || active != ended {
            return Err(TraceErrorKind::MissingExit {
                warp: warp.warp,
                lanes: active & !ended,
            });
        }
        Ok(())
    }
}

/// The next line that is not empty, without blanks around it.
fn next_line<'a>(
    lines: &'a mut Lines,
    format: &'static str,
) -> Result<Option<&'a [u8]>, TraceErrorKind> {
    let failed = |error| line_error(error, format);
    while lines
        .peek()
        .map_err(failed)?
        .is_some_and(|line| line.trim_ascii().is_empty())
    {
        lines.next().map_err(failed)?;
    }
    let line = lines.next().map_err(failed)?;
    Ok(line.map(<[u8]>::trim_ascii))
}

/// Passes over the instruction lines that follow at once, and counts them.
fn count_insts(lines: &mut Lines) -> Result<u64, LineError> {
    let mut count = 0;
    while lines
        .peek()?
        .is_some_and(|line| line.first().is_some_and(u8::is_ascii_hexdigit))
    {
        lines.next()?;
        count += 1;
    }
    Ok(count)
}

/// The value of `name = value`.
fn value<'a>(line: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let rest = line.strip_prefix(name.as_bytes())?.trim_ascii_start();
    Some(rest.strip_prefix(b"=")?.trim_ascii())
}

fn frame(line: &[u8]) -> Result<Frame, TraceErrorKind> {
    let number = |name| value(line, name).and_then(decimal);
    if line == LAST_LINE {
        Ok(Frame::End)
    } else if let Some(warp) = number("warp") {
        Ok(Frame::Warp(warp))
    } else if let Some(insts) = number("insts") {
        Ok(Frame::Insts(insts))
    } else if ["cluster id", "cluster cta", "cluster rank"]
        .iter()
        .any(|name| value(line, name).is_some())
    {
        Ok(Frame::Cluster)
    } else {
        Err(TraceErrorKind::Unexpected {
            found: quote(line),
            expected: "`warp = ..` or `#END_TB`",
        })
    }
}

fn truncated(place: String) -> TraceErrorKind {
    TraceErrorKind::Truncated { place }
}

fn in_warp(warp: u32, cta: &CtaTrace) -> TraceErrorKind {
    let [x, y, z] = cta.index;
    truncated(format!("inside warp {warp} of CTA {x},{y},{z}"))
}
