//! A file: header directives, module-level variables, functions.

use super::Parser;
use crate::kernel::op::Space;
use crate::kernel::ptx::LaunchBounds;
use crate::kernel::ptx::ast::{File, Function, Linkage};
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::ptx::token::Kind;

/// The first version of the PTX ISA about which nothing is known. // assumed: 10 changes what files mean
const BEHIND_LAST_VERSION: f64 = 10.0;

impl<'s> Parser<'_, 's> {
    pub(super) fn file(&mut self) -> Res<File<'s>> {
        let mut file = File {
            version: self.version()?,
            ..File::default()
        };
        file.target = self.target()?;
        self.address_size()?;
        while !self.at_end() && self.problems.len() < crate::kernel::ptx::error::MAX_PROBLEMS {
            let start = self.at;
            if let Err(problem) = self.item(&mut file) {
                self.record(*problem);
                self.skip_item(start);
            }
        }
        Ok(file)
    }

    fn version(&mut self) -> Res<(u32, u32)> {
        if !self.take_dot(".version") {
            return Err(self
                .unexpected("`.version`")
                .help("a PTX file begins with `.version`, `.target` and `.address_size 64`"));
        }
        // `7.8` reads as a decimal number; take it from its value, exact to the one digit PTX uses.
        let version = match self.kind() {
            Kind::F64(value) if (1.0..100.0).contains(&value) => value,
            _ => return Err(self.unexpected("a version such as `7.8`")),
        };
        if version >= BEHIND_LAST_VERSION {
            return Err(Problem::new(
                self.span(),
                format!("PTX ISA version {version:.1} is not supported"),
                "expected 1.0 to 9.9",
            )
            .help("correct it, or compile for an earlier version"));
        }
        self.advance();
        Ok((version as u32, (version * 10.0).round() as u32 % 10))
    }

    fn target(&mut self) -> Res<&'s str> {
        if !self.take_dot(".target") {
            return Err(self.unexpected("`.target`"));
        }
        let target = self.name("a target such as `sm_70`")?;
        if ["sm_10", "sm_11", "sm_12", "sm_13"].contains(&target.text) {
            return Err(Problem::new(
                target.span,
                format!("target `{}` is not supported", target.text),
                "before sm_20, f32 instructions flush subnormals and `mad.f32` rounds twice",
            )
            .help("compile for sm_20 or later"));
        }
        while self.take(",") {
            let option = self.name("a target option")?;
            if option.text == "map_f64_to_f32" {
                return Err(Problem::new(
                    option.span,
                    "target option `map_f64_to_f32` is not supported",
                    "it changes what f64 instructions compute",
                ));
            }
        }
        Ok(target.text)
    }

    fn address_size(&mut self) -> Res<()> {
        if !self.take_dot(".address_size") {
            return Err(self
                .unexpected("`.address_size 64`")
                .help("without it PTX means 32-bit addresses, which are not supported"));
        }
        let span = self.span();
        match self.small("`64`")? {
            64 => Ok(()),
            _ => Err(Problem::new(
                span,
                "only 64-bit addresses are supported",
                "expected `.address_size 64`",
            )
            .help("compile with -m64")),
        }
    }

    /// `.visible` and its like, if they stand here.
    fn linkage(&mut self) -> Linkage {
        let mut linkage = Linkage::Local;
        loop {
            let found = match self.kind() {
                Kind::Dot(".extern") => Linkage::Extern,
                Kind::Dot(".visible") => Linkage::Visible,
                Kind::Dot(".weak") => Linkage::Weak,
                Kind::Dot(".common") => Linkage::Common,
                _ => return linkage,
            };
            if linkage != Linkage::Extern {
                linkage = found;
            }
            self.advance();
        }
    }

    fn item(&mut self, file: &mut File<'s>) -> Res<()> {
        let linkage = self.linkage();
        let Kind::Dot(word) = self.kind() else {
            if self.take(";") {
                return Ok(());
            }
            return Err(self.unexpected("a declaration, `.entry` or `.func`"));
        };
        let space = match word {
            ".global" => Space::Global,
            ".const" => Space::Const,
            ".shared" => Space::Shared,
            ".entry" | ".func" => {
                self.advance();
                let mut function = self.function(word == ".entry")?;
                function.linkage = linkage;
                file.functions.push(function);
                return Ok(());
            }
            ".file" | ".loc" | ".pragma" | ".section" => return self.ignored(),
            ".tex" | ".alias" | ".local" | ".reg" | ".param" => {
                return Err(Problem::new(
                    self.span(),
                    format!("`{word}` at module level is not supported"),
                    "expected `.global`, `.const`, `.shared`, `.entry` or `.func`",
                ));
            }
            _ => return Err(self.unexpected("a declaration, `.entry` or `.func`")),
        };
        self.advance();
        let variables = self.variables(space, linkage)?;
        file.variables.extend(variables);
        Ok(())
    }

    /// `.file 1 "x.cu"`, `.loc 1 2 3`, `.pragma "nounroll";`, `.section .debug_info {...}`.
    pub(super) fn ignored(&mut self) -> Res<()> {
        let Kind::Dot(word) = self.advance().kind else {
            return Ok(());
        };
        match word {
            ".pragma" => {
                while !self.is(";") {
                    match self.advance().kind {
                        Kind::Str(_) | Kind::Sym(",") => {}
                        _ => {
                            self.at -= 1;
                            return Err(self.unexpected("a string"));
                        }
                    }
                }
                self.expect(";").map(drop)
            }
            ".section" => {
                while !self.is("{") && !self.at_end() {
                    self.advance();
                }
                while !self.is("}") && !self.at_end() {
                    self.advance();
                }
                self.expect("}").map(drop)
            }
            ".file" => {
                self.small("a file number")?;
                match self.advance().kind {
                    Kind::Str(_) => {}
                    _ => {
                        self.at -= 1;
                        return Err(self.unexpected("a file name in quotes"));
                    }
                }
                while self.take(",") {
                    self.small("a number")?;
                }
                Ok(())
            }
            _ => self.location(),
        }
    }

    /// `.loc file line column [, function_name label {+ n}, inlined_at file line column]`
    fn location(&mut self) -> Res<()> {
        for what in ["a file number", "a line", "a column"] {
            self.small(what)?;
        }
        while self.take(",") {
            match self.advance().kind {
                Kind::Ident("function_name") => {
                    self.name("a label")?;
                    if self.take("+") {
                        self.small("an offset")?;
                    }
                }
                Kind::Ident("inlined_at") => {
                    for what in ["a file number", "a line", "a column"] {
                        self.small(what)?;
                    }
                }
                _ => {
                    self.at -= 1;
                    return Err(self.unexpected("`function_name` or `inlined_at`"));
                }
            }
        }
        Ok(())
    }

    fn function(&mut self, is_entry: bool) -> Res<Function<'s>> {
        let results = if is_entry {
            Vec::new()
        } else {
            self.formals()?
        };
        let name = self.name("a function name")?;
        let params = self.formals()?;
        let bounds = self.bounds(is_entry, !results.is_empty())?;
        let body = if self.take(";") {
            None
        } else {
            Some(self.body()?)
        };
        Ok(Function {
            is_entry,
            linkage: Linkage::Local,
            name,
            results,
            params,
            bounds,
            body,
        })
    }

    fn bounds(&mut self, is_entry: bool, has_results: bool) -> Res<LaunchBounds> {
        let mut bounds = LaunchBounds::default();
        loop {
            if !is_entry && self.call_directive(has_results)? {
                continue;
            }
            let Kind::Dot(word) = self.kind() else {
                return Ok(bounds);
            };
            match word {
                ".pragma" => self.ignored()?,
                ".maxnreg" | ".minnctapersm" | ".maxnctapersm" => {
                    self.advance();
                    let value = self.small("a number")?;
                    match word {
                        ".maxnreg" => bounds.max_registers = Some(value),
                        ".minnctapersm" => bounds.min_ctas_per_sm = Some(value),
                        _ => {}
                    }
                }
                ".maxntid" | ".reqntid" => {
                    self.advance();
                    let mut extents = [1; 3];
                    extents[0] = self.small("a number of threads")?;
                    for extent in &mut extents[1..] {
                        if self.take(",") {
                            *extent = self.small("a number of threads")?;
                        }
                    }
                    let slot = if word == ".maxntid" {
                        &mut bounds.max_threads
                    } else {
                        &mut bounds.required_threads
                    };
                    *slot = Some(extents);
                }
                _ => return Err(self.unexpected("a performance directive, `{` or `;`")),
            }
        }
    }

    /// After an error outside a body: to the next `;` or past the next balanced braces.
    fn skip_item(&mut self, start: usize) {
        if self.at == start {
            self.advance();
        }
        let mut depth = 0_usize;
        while !self.at_end() {
            match self.advance().kind {
                Kind::Sym("{") => depth += 1,
                Kind::Sym("}") if depth <= 1 => return,
                Kind::Sym("}") => depth -= 1,
                Kind::Sym(";") if depth == 0 => return,
                _ => {}
            }
        }
    }
}
