//! `.callprototype`, and what follows the parameters of a function (PTX ISA, control flow directives and function directives).

use super::Parser;
use crate::kernel::ptx::ast::{Name, Stmt};
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::ptx::token::Kind;

/// How a prototype is written.
const FORM: &str = "a prototype is `label: .callprototype (results) _ (parameters);`, where either list may be missing: \
                    `label: .callprototype (.param .b32 _) _ (.param .b64 _);`";

impl<'s> Parser<'_, 's> {
    /// `.callprototype (.param .b32 _) _ (.param .b32 _) .noreturn;` behind its label.
    pub(super) fn prototype(&mut self, name: Name<'s>) -> Res<Stmt<'s>> {
        self.advance();
        let results = self.formals().map_err(|problem| problem.help(FORM))?;
        if self.kind() != Kind::Ident("_") {
            let expected = "`_`, which stands for the function";
            return Err(self.unexpected(expected).help(FORM));
        }
        self.advance();
        let params = self.formals().map_err(|problem| problem.help(FORM))?;
        while self.call_directive(!results.is_empty())? {}
        self.expect(";").map_err(|problem| problem.help(FORM))?;
        Ok(Stmt::Prototype {
            name,
            results,
            params,
        })
    }

    /// `.noreturn`, `.abi_preserve N` or `.abi_preserve_control N`, if one stands here. Which registers a function preserves is a
    /// matter of the calling convention here, as everywhere before PTX ISA 9.0, so the numbers change nothing.
    pub(super) fn call_directive(&mut self, has_results: bool) -> Res<bool> {
        match self.kind() {
            Kind::Dot(".noreturn") if has_results => {
                return Err(Problem::new(
                    self.span(),
                    "`.noreturn` of a function with a result",
                    "a function that does not return gives no result: leave out one of the two",
                ));
            }
            Kind::Dot(".noreturn") => {
                self.advance();
            }
            Kind::Dot(".abi_preserve" | ".abi_preserve_control") => {
                self.advance();
                self.small("a number of registers")?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
