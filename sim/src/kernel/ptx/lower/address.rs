//! Memory operands: registers with offsets, variables, constants.

use super::Lower;
use super::globals::Located;
use super::scope::{Place, Symbol, mismatch};
use super::types::agrees;
use crate::kernel::Operand;
use crate::kernel::op::{Space, Ty};
use crate::kernel::ptx::ast::{Name, Operand as Written, OperandKind};
use crate::kernel::ptx::constant;
use crate::kernel::ptx::error::{Problem, Res};

/// A resolved address.
pub struct Resolved {
    /// Register or constant.
    pub base: Operand,
    /// To be added, bytes.
    pub offset: i64,
    /// State space as the instruction set has it.
    pub space: Space,
}

impl<'s> Lower<'_, 's> {
    /// `[expr]` of an access of `size_bytes` in `space` as written.
    pub(super) fn address(
        &mut self,
        operand: &Written<'s>,
        space: Space,
        size_bytes: u64,
    ) -> Res<Resolved> {
        let OperandKind::Mem(expr) = &operand.kind else {
            return Err(Problem::new(
                operand.span,
                "not a memory operand",
                "expected an address such as `[%rd1+4]`",
            ));
        };
        let address = constant::address(expr)?;
        let Some(name) = address.symbol else {
            if matches!(space, Space::Local | Space::Param) {
                return Err(Problem::new(
                    operand.span,
                    "an absolute address in this space is not supported",
                    "expected a variable or a register",
                ));
            }
            return Ok(Resolved {
                base: Operand::Imm(address.offset as u64),
                offset: 0,
                space,
            });
        };
        if self
            .frame
            .scopes
            .register(name.text, &mut self.build)
            .is_none()
        {
            return self.variable_address(name, address.offset, space, size_bytes);
        }
        let (declared, place) = self.register(name)?;
        let integer = [Ty::U32, Ty::U64]
            .into_iter()
            .any(|ty| agrees(ty, declared) && !super::types::is_float(declared));
        let Place::General(reg) = place else {
            return Err(mismatch(name, declared, "a 32- or 64-bit integer register"));
        };
        if !integer {
            return Err(mismatch(name, declared, "a 32- or 64-bit integer register"));
        }
        // In a function a register can only point to a parameter that was moved to local memory.
        let space = match space {
            Space::Param if !self.frame.is_entry => Space::Local,
            space => space,
        };
        Ok(Resolved {
            base: Operand::Reg(reg),
            offset: address.offset,
            space,
        })
    }

    fn variable_address(
        &mut self,
        name: Name<'s>,
        offset: i64,
        space: Space,
        size_bytes: u64,
    ) -> Res<Resolved> {
        let Some(Located {
            space: found,
            address: start,
            size_bytes: length,
            storage,
        }) = self.variable(name)?
        else {
            // Says what the name is instead.
            self.register(name)?;
            return Err(Problem::new(
                name.span,
                "not an address",
                "expected a variable",
            ));
        };
        let allowed = match (space, found) {
            (Space::Generic, Space::Global | Space::Const) => true,
            (Space::Param, Space::Param) => true,
            (space, found) => space == found && storage.is_none(),
        };
        if !allowed {
            let help = match space {
                Space::Generic => "use `cvta` to make a generic address of it",
                _ => "name the variable's own state space",
            };
            return Err(Problem::new(
                name.span,
                format!("variable `{}` is in another state space", name.text),
                "the access names a different one",
            )
            .help(help));
        }
        let bounded = matches!(found, Space::Param | Space::Local);
        let inside = u64::try_from(offset).is_ok_and(|offset| {
            offset
                .checked_add(size_bytes)
                .is_some_and(|end| end <= length)
        });
        if bounded && !inside {
            return Err(Problem::new(
                name.span,
                format!("access outside of `{}`", name.text),
                format!("it has {length} bytes"),
            ));
        }
        let space = match (storage, space) {
            (Some(_), _) => Space::Local,
            (None, space) => space,
        };
        let base = Operand::Imm(start.wrapping_add(offset as u64));
        Ok(Resolved {
            base,
            offset: 0,
            space,
        })
    }

    /// Where a variable is; `None` if the name is no variable.
    pub(super) fn variable(&mut self, name: Name<'s>) -> Res<Option<Located>> {
        match self.frame.scopes.find(name.text) {
            Some(Symbol::Variable {
                space,
                address,
                size_bytes,
                storage,
            }) => Ok(Some(Located {
                space,
                address,
                size_bytes,
                storage,
            })),
            Some(Symbol::Register { .. }) => Ok(None),
            None => match self.reached.shared_in_module.get(name.text).copied() {
                Some((address, size_bytes)) => Ok(Some(Located {
                    space: Space::Shared,
                    address,
                    size_bytes,
                    storage: None,
                })),
                None => self.program.globals.address(name),
            },
        }
    }
}
