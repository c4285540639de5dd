//! The call graph as SVG (CARS, Figure 4): a row per distance from the kernel, callers above, the High-watermark path in colour.
//!
//! All coordinates are whole numbers, so that the picture is the same on every machine.

use super::graph::CallGraph;
use std::fmt::Write;

const BOX_PX: usize = 38;
const CHARACTER_PX: usize = 7;
const LONGEST_NAME: usize = 28;
const GAP_PX: usize = 24;
const ROW_PX: usize = 96;
const MARGIN_PX: usize = 20;
const HEADER_PX: usize = 72;
/// Room for the line under the heading, which has both watermarks.
const LEAST_WIDTH_PX: usize = 520;
const PLAIN: &str = "#555";
const HIGH: &str = "#c8502e";
const HIGH_GROUND: &str = "#f6e3c5";

/// Where a function is drawn.
#[derive(Clone, Copy)]
struct Place {
    x: usize,
    y: usize,
    width: usize,
}

impl Place {
    fn middle(self) -> usize {
        self.x + self.width / 2
    }
}

impl CallGraph {
    /// The graph as a picture: boxes with FRU and MaxStackDepth, dashed lines where a site has several possible callees.
    pub fn svg(&self) -> String {
        let rows = self.rows();
        let (places, width) = self.places(&rows);
        let width = width.max(LEAST_WIDTH_PX);
        let height = HEADER_PX + rows.len() * ROW_PX;
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
             {height}\" font-family=\"monospace\" font-size=\"11\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>"
        );
        let name = self.nodes().first().map_or("", |kernel| &kernel.name);
        text(&mut out, (MARGIN_PX, 24), "", &format!("calls of {name}"));
        let marks = format!(
            "Low-watermark {}, High-watermark {} (coloured){}",
            self.low(),
            self.high(),
            match self.has_recursion() {
                true => "; + recursive: one iteration",
                false => "",
            }
        );
        text(&mut out, (MARGIN_PX, 44), " class=\"watermarks\"", &marks);
        // What is on the path is drawn last, on top.
        for high in [false, true] {
            self.draw_calls(&mut out, &places, high);
        }
        for (number, place) in places.iter().enumerate() {
            self.draw_function(&mut out, number, *place);
        }
        out.push_str("</svg>\n");
        out
    }

    /// Functions by their longest way from the kernel, where a circle counts as one; those of a circle are in one row.
    fn rows(&self) -> Vec<Vec<usize>> {
        let n = self.nodes().len();
        let mut row = vec![0; n];
        // A way that does not go round is at most as long as there are functions.
        for _ in 0..n {
            for from in 0..n {
                for to in self.callees(from) {
                    let together = self.is_in_circle(from, to);
                    row[to] = row[to].max(row[from] + usize::from(!together));
                }
            }
        }
        let mut rows = vec![Vec::new(); row.iter().max().map_or(0, |last| last + 1)];
        for (number, row) in row.into_iter().enumerate() {
            rows[row].push(number);
        }
        rows
    }

    fn callees(&self, node: usize) -> impl Iterator<Item = usize> {
        let n = self.nodes().len();
        let sites = self.nodes()[node].sites.iter();
        sites.flatten().copied().filter(move |&to| to < n)
    }

    fn places(&self, rows: &[Vec<usize>]) -> (Vec<Place>, usize) {
        let width_of = |&number: &usize| {
            let name = self.nodes()[number].name.chars().count();
            name.clamp(20, LONGEST_NAME) * CHARACTER_PX + 12
        };
        let row_width = |row: &Vec<usize>| {
            let boxes: usize = row.iter().map(width_of).sum();
            boxes + GAP_PX * row.len().saturating_sub(1)
        };
        let widest = rows.iter().map(row_width).max().unwrap_or(0);
        let width = (widest + 2 * MARGIN_PX + GAP_PX).max(LEAST_WIDTH_PX);
        let none = Place {
            x: 0,
            y: 0,
            width: 0,
        };
        let mut places = vec![none; self.nodes().len()];
        for (index, row) in rows.iter().enumerate() {
            let mut x = (width - row_width(row)) / 2;
            for number in row {
                places[*number] = Place {
                    x,
                    y: HEADER_PX + index * ROW_PX,
                    width: width_of(number),
                };
                x += places[*number].width + GAP_PX;
            }
        }
        (places, width)
    }

    fn draw_calls(&self, out: &mut String, places: &[Place], high: bool) {
        let mut drawn = std::collections::BTreeSet::new();
        for (from, node) in self.nodes().iter().enumerate() {
            for site in &node.sites {
                let indirect = site.len() > 1;
                for &to in site.iter().filter(|&&to| to < places.len()) {
                    if self.is_high_call(from, to) == high && drawn.insert((from, to, indirect)) {
                        self.draw_call(out, places, (from, to), indirect);
                    }
                }
            }
        }
    }

    fn draw_call(
        &self,
        out: &mut String,
        places: &[Place],
        (from, to): (usize, usize),
        indirect: bool,
    ) {
        let (a, b) = (places[from], places[to]);
        let curve = if a.y == b.y {
            // In a circle: from the right side round to the top.
            let (x, y) = (a.x + a.width, a.y + BOX_PX / 2);
            let (end, top) = (b.middle(), b.y);
            format!(
                "M{x} {y}C{} {y} {end} {} {end} {top}",
                x + GAP_PX,
                top - ROW_PX / 3
            )
        } else {
            let (x, y, end, top) = (a.middle(), a.y + BOX_PX, b.middle(), b.y);
            let half = (top - y) / 2;
            format!("M{x} {y}C{x} {} {end} {} {end} {top}", y + half, top - half)
        };
        let (class, color, width) = match self.is_high_call(from, to) {
            true => ("call high", HIGH, 2),
            false => ("call", PLAIN, 1),
        };
        let dashes = if indirect {
            " stroke-dasharray=\"5 3\""
        } else {
            ""
        };
        let [caller, callee] = [from, to].map(|number| escaped(&self.nodes()[number].name));
        let _ = writeln!(
            out,
            "<path class=\"{class}\" data-from=\"{caller}\" data-to=\"{callee}\" d=\"{curve}\" fill=\"none\" \
             stroke=\"{color}\" stroke-width=\"{width}\"{dashes}/>"
        );
    }

    fn draw_function(&self, out: &mut String, number: usize, place: Place) {
        let node = &self.nodes()[number];
        let (class, color, ground) = match self.is_high(number) {
            true => ("function high", HIGH, HIGH_GROUND),
            false => ("function", PLAIN, "white"),
        };
        let (x, y, width) = (place.x, place.y, place.width);
        let name = escaped(&node.name);
        let _ = writeln!(
            out,
            "<g class=\"{class}\" data-name=\"{name}\"><title>{name}</title>\n\
             <rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BOX_PX}\" rx=\"4\" fill=\"{ground}\" \
             stroke=\"{color}\"/>"
        );
        let mut short: String = node.name.chars().take(LONGEST_NAME).collect();
        if short.len() < node.name.len() {
            short.pop();
            short.push('\u{2026}');
        }
        let circle = if self.is_recursive(number) { "+" } else { "" };
        let depth = format!(
            "FRU {}, depth {}{circle}",
            node.fru,
            self.max_stack_depth(number)
        );
        text(out, (x + 6, y + 15), " class=\"name\"", &short);
        text(out, (x + 6, y + 30), " class=\"registers\"", &depth);
        out.push_str("</g>\n");
    }
}

fn text(out: &mut String, (x, y): (usize, usize), more: &str, what: &str) {
    let what = escaped(what);
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\"{more}>{what}</text>");
}

fn escaped(text: &str) -> String {
    (text.replace('&', "&amp;").replace('<', "&lt;"))
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::graph::tests::{figure_4, node};
    use super::*;
    use roxmltree::{Document, Node};
    use std::collections::{BTreeMap, BTreeSet};

    /// Elements of a class, as a reader of XML finds them.
    fn of_class<'a>(document: &'a Document<'_>, class: &str) -> Vec<Node<'a, 'a>> {
        let has = |node: &Node<'_, '_>| {
            let classes = node.attribute("class").unwrap_or_default();
            classes.split(' ').any(|one| one == class)
        };
        document.descendants().filter(has).collect()
    }

    fn number(node: &Node<'_, '_>, attribute: &str) -> usize {
        node.attribute(attribute).unwrap().parse().unwrap()
    }

    #[test]
    fn picture_of_figure_4_has_its_functions_numbers_and_path() {
        let svg = figure_4().svg();
        let document = Document::parse(&svg).unwrap();
        assert_eq!(of_class(&document, "function").len(), 8);
        let names = |class| -> BTreeSet<&str> {
            let found = of_class(&document, class).into_iter();
            found
                .filter_map(|node| node.attribute("data-name"))
                .collect()
        };
        assert_eq!(
            names("high"),
            ["fun1", "fun3", "fun5", "fun7", "kernel"].into()
        );
        let calls: Vec<_> = of_class(&document, "call")
            .iter()
            .map(|call| {
                let high = call.attribute("class").unwrap().contains("high");
                (
                    call.attribute("data-from").unwrap(),
                    call.attribute("data-to").unwrap(),
                    high,
                )
            })
            .collect();
        assert_eq!(calls.len(), 8);
        let high: BTreeSet<_> = calls.iter().filter(|c| c.2).map(|c| (c.0, c.1)).collect();
        let path = [
            ("kernel", "fun1"),
            ("fun1", "fun3"),
            ("fun3", "fun5"),
            ("fun5", "fun7"),
        ];
        assert_eq!(high, path.into());
        let registers: Vec<&str> = of_class(&document, "registers")
            .iter()
            .filter_map(|node| node.text())
            .collect();
        assert_eq!(registers[0], "FRU 20, depth 56");
        let marks = of_class(&document, "watermarks")[0].text().unwrap();
        assert!(marks.starts_with("Low-watermark 30, High-watermark 56 "));
    }

    #[test]
    fn boxes_do_not_overlap_and_callees_are_below_their_callers() {
        let svg = figure_4().svg();
        let document = Document::parse(&svg).unwrap();
        let mut boxes = BTreeMap::new();
        for function in of_class(&document, "function") {
            let rect = function
                .children()
                .find(|node| node.has_tag_name("rect"))
                .unwrap();
            let place = ["x", "y", "width"].map(|attribute| number(&rect, attribute));
            boxes.insert(function.attribute("data-name").unwrap(), place);
        }
        for call in of_class(&document, "call") {
            let end = |attribute| boxes[call.attribute(attribute).unwrap()][1];
            assert!(end("data-from") < end("data-to"));
        }
        let root = document.root_element();
        for (name, [x, y, width]) in &boxes {
            assert!(x + width <= number(&root, "width") && y + BOX_PX <= number(&root, "height"));
            let beside = |(other, [left, top, _]): (&&str, &[usize; 3])| {
                other == name || top != y || *left >= x + width || left < x
            };
            assert!(boxes.iter().all(beside), "{name}");
        }
    }

    #[test]
    fn names_are_escaped_circles_end_and_indirect_calls_are_dashed() {
        let graph = CallGraph::new(vec![
            node("kernel", 16, &[&[1, 2]]),
            node("a<int>&\"b\"", 3, &[&[1]]),
            node("other", 9, &[]),
        ]);
        let svg = graph.svg();
        let document = Document::parse(&svg).unwrap();
        let names: Vec<_> = of_class(&document, "function")
            .iter()
            .filter_map(|node| node.attribute("data-name"))
            .collect();
        assert_eq!(names, ["kernel", "a<int>&\"b\"", "other"]);
        let dashed = |call: &&Node<'_, '_>| call.has_attribute("stroke-dasharray");
        let calls = of_class(&document, "call");
        assert_eq!(calls.iter().filter(dashed).count(), 2);
        assert_eq!(calls.len(), 3);
        assert_eq!(svg, graph.clone().svg());
    }
}
