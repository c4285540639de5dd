//! Declarations of variables and parameters, with initial values.

use super::{Parser, scalar_type};
use crate::kernel::op::{Space, Ty};
use crate::kernel::ptx::ast::{DeclTy, Formal, Init, Linkage, Name, Variable};
use crate::kernel::ptx::constant::evaluate;
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::ptx::token::Kind;

/// Most dimensions of an array; also bounds the nesting of initialisers.
const MAX_DIMS: usize = 8;

impl<'s> Parser<'_, 's> {
    /// `.align N`, if it stands here.
    fn align(&mut self) -> Res<Option<u32>> {
        if !self.take_dot(".align") {
            return Ok(None);
        }
        let span = self.span();
        let bytes = self.small("an alignment in bytes")?;
        if !bytes.is_power_of_two() || bytes > 1 << 16 {
            return Err(Problem::new(
                span,
                "alignment must be a power of two",
                "at most 65536 bytes",
            ));
        }
        Ok(Some(bytes))
    }

    /// `.v4 .f32`.
    pub(super) fn declared_type(&mut self) -> Res<DeclTy> {
        let vec = match self.kind() {
            Kind::Dot(".v2") => 2,
            Kind::Dot(".v4") => 4,
            _ => 1,
        };
        if vec > 1 {
            self.advance();
        }
        let Kind::Dot(word) = self.kind() else {
            return Err(self.unexpected("a type such as `.b32`"));
        };
        let Some(ty) = scalar_type(word) else {
            let opaque = matches!(word, ".texref" | ".samplerref" | ".surfref" | ".b128");
            return Err(if opaque {
                Problem::new(
                    self.span(),
                    format!("type `{word}` is not supported"),
                    "no such values here",
                )
            } else {
                self.unexpected("a type such as `.b32`")
            });
        };
        self.advance();
        Ok(DeclTy { ty, vec })
    }

    /// `.align 8 .b8 name[16]`, after the state space.
    fn declarator(&mut self, space: Space) -> Res<Variable<'s>> {
        let mut align_bytes = self.align()?;
        let ty = self.declared_type()?;
        if ty.ty == Ty::Pred {
            return Err(Problem::new(
                self.last_span(),
                "a predicate can only be a register",
                "expected a type with a size in memory",
            ));
        }
        if self.take_dot(".ptr") {
            while let Kind::Dot(".global" | ".const" | ".shared" | ".local" | ".param") =
                self.kind()
            {
                self.advance();
            }
            // The alignment of what it points to, not of the parameter.
            self.align()?;
        }
        if let Some(later) = self.align()? {
            align_bytes = Some(later);
        }
        let name = self.name("a name")?;
        let mut variable = Variable {
            space,
            name,
            align_bytes,
            ty,
            dims: Vec::new(),
            init: None,
            linkage: Linkage::Local,
        };
        self.dims(&mut variable)?;
        Ok(variable)
    }

    fn dims(&mut self, variable: &mut Variable<'s>) -> Res<()> {
        while self.take("[") {
            if variable.dims.len() == MAX_DIMS {
                return Err(Problem::new(
                    self.last_span(),
                    "too many dimensions",
                    format!("at most {MAX_DIMS}"),
                ));
            }
            if self.take("]") {
                variable.dims.push(None);
                continue;
            }
            let extent = self.expression()?;
            let value = evaluate(&extent)?.integer().ok_or_else(|| {
                Problem::new(
                    extent.span,
                    "an extent is an integer",
                    "a float stands here",
                )
            })?;
            variable.dims.push(Some(value));
            self.expect("]")?;
        }
        Ok(())
    }

    /// `.attribute(...)`: managed memory and the like; they change nothing for us except `.managed`, which is
    /// device memory here.
    fn attributes(&mut self) -> Res<()> {
        while self.take_dot(".attribute") {
            self.expect("(")?;
            let span = self.span();
            if !self.take_dot(".managed") {
                return Err(Problem::new(
                    span,
                    "unsupported attribute",
                    "only `.managed` is known",
                ));
            }
            self.expect(")")?;
        }
        Ok(())
    }

    /// `.global .align 4 .u32 a = 1, b;` after the state space, up to and with the semicolon.
    pub(super) fn variables(&mut self, space: Space, linkage: Linkage) -> Res<Vec<Variable<'s>>> {
        self.attributes()?;
        let first = self.declarator(space)?;
        let mut found = vec![first];
        loop {
            if self.take("=") {
                let init = self.initialiser(0)?;
                if let Some(last) = found.last_mut() {
                    last.init = Some(init);
                }
            }
            if !self.take(",") {
                break;
            }
            let name = self.name("a name")?;
            let mut next = Variable {
                name,
                dims: Vec::new(),
                init: None,
                ..found[0].clone()
            };
            self.dims(&mut next)?;
            found.push(next);
        }
        self.expect(";")?;
        for variable in &mut found {
            variable.linkage = linkage;
        }
        Ok(found)
    }

    fn initialiser(&mut self, depth: usize) -> Res<Init<'s>> {
        if !self.is("{") {
            return Ok(Init::Value(self.expression()?));
        }
        let start = self.expect("{")?;
        if depth > MAX_DIMS {
            return Err(Problem::new(
                start,
                "initialiser nested too deeply",
                format!("at most {MAX_DIMS}"),
            ));
        }
        let mut values = Vec::new();
        while !self.is("}") {
            values.push(self.initialiser(depth + 1)?);
            if !self.take(",") {
                break;
            }
        }
        let span = start.to(self.expect("}")?);
        Ok(Init::List(values, span))
    }

    /// `(.param .u64 a, .reg .b32 %b)`; nothing if there is no parenthesis.
    pub(super) fn formals(&mut self) -> Res<Vec<Formal<'s>>> {
        let mut found = Vec::new();
        if !self.take("(") {
            return Ok(found);
        }
        while !self.is(")") {
            let in_register = match self.kind() {
                Kind::Dot(".param") => false,
                Kind::Dot(".reg") => true,
                _ => return Err(self.unexpected("`.param` or `.reg`")),
            };
            self.advance();
            let var = if in_register {
                self.register_formal()?
            } else {
                self.declarator(Space::Param)?
            };
            found.push(Formal { in_register, var });
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(found)
    }

    fn register_formal(&mut self) -> Res<Variable<'s>> {
        self.align()?;
        let ty = self.declared_type()?;
        let name: Name<'s> = self.name("a register")?;
        Ok(Variable {
            space: Space::Param,
            name,
            align_bytes: None,
            ty,
            dims: Vec::new(),
            init: None,
            linkage: Linkage::Local,
        })
    }
}
