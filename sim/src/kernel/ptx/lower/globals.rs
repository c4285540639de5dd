//! Module-level variables: layout and initial contents.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use super::indirect;
use super::missing::missing;
use super::types::{bytes, name_of};
use crate::kernel::op::{Space, Ty};
use crate::kernel::ptx::ast::{File, Init, Name, Span, Variable};
use crate::kernel::ptx::constant;
use crate::kernel::ptx::error::{Problem, Res};
use crate::kernel::{GlobalVar, address};

/// Largest variable, bytes.
const MAX_VARIABLE_BYTES: u64 = 64 << 20;
/// Largest module, bytes of global and constant variables.
const MAX_MODULE_BYTES: u64 = 512 << 20;

/// Most bytes of initial values in all kernels of a file together.
const MAX_INITIAL_BYTES: usize = 256 << 20;

/// The module's variables. Addresses are the same for all kernels of the file.
pub struct Globals<'p, 's> {
    by_name: HashMap<&'s str, Laid<'p, 's>>,
    order: Vec<&'s str>,
    functions: HashMap<&'s str, usize>,
    /// Bytes of initial values that the kernels of the file may still hold together.
    room_bytes: Cell<usize>,
}

struct Laid<'p, 's> {
    variable: &'p Variable<'s>,
    /// Global and constant variables only.
    address: u64,
    size_bytes: u64,
}

/// Where a variable is.
#[derive(Clone, Copy, Debug)]
pub struct Located {
    pub space: Space,
    pub address: u64,
    pub size_bytes: u64,
    /// Parameter storage of a call.
    pub storage: Option<usize>,
}

/// Size and alignment of a variable, bytes. An array `[]` takes its extent from the initial value.
pub fn size_and_align(variable: &Variable<'_>) -> Res<(u64, u32)> {
    let element = bytes(variable.ty.ty) * u64::from(variable.ty.vec);
    let mut size = element;
    for (index, extent) in variable.dims.iter().enumerate() {
        let extent = match (extent, &variable.init) {
            (Some(extent), _) => *extent,
            (None, Some(Init::List(values, _))) if index == 0 => values.len() as u64,
            (None, _) => {
                return Err(Problem::new(
                    variable.name.span,
                    format!("the size of `{}` is not known", variable.name.text),
                    "only the first extent may be left out, and then needs an initial value",
                ));
            }
        };
        size = size
            .checked_mul(extent)
            .filter(|size| *size <= MAX_VARIABLE_BYTES)
            .ok_or_else(|| {
                Problem::new(
                    variable.name.span,
                    format!("variable `{}` is too large", variable.name.text),
                    format!("at most {MAX_VARIABLE_BYTES} bytes"),
                )
            })?;
    }
    let natural = element as u32;
    Ok((size, variable.align_bytes.unwrap_or(natural)))
}

impl<'p, 's> Globals<'p, 's> {
    /// Gives every variable its address.
    pub fn lay_out(file: &'p File<'s>, functions: &HashMap<&'s str, usize>) -> Res<Self> {
        let mut globals = Globals {
            by_name: HashMap::new(),
            order: Vec::new(),
            room_bytes: Cell::new(MAX_INITIAL_BYTES),
            functions: functions.clone(),
        };
        let mut end = address::MODULE_GLOBALS;
        for variable in &file.variables {
            let name = variable.name;
            if let Some(earlier) = globals.by_name.get(name.text) {
                if variable.is_extern() {
                    continue;
                }
                if !earlier.variable.is_extern() {
                    return Err(Problem::new(
                        name.span,
                        format!("`{}` is declared twice", name.text),
                        "second declaration",
                    ));
                }
            }
            let unsized_extern = variable.is_extern() && variable.dims.contains(&None);
            let (size_bytes, align) = if unsized_extern {
                (0, 1)
            } else {
                size_and_align(variable)?
            };
            let mut laid = Laid {
                variable,
                address: 0,
                size_bytes,
            };
            if variable.space != Space::Shared && !variable.is_extern() {
                laid.address = end.next_multiple_of(u64::from(align));
                end = laid.address + size_bytes;
                if end - address::MODULE_GLOBALS > MAX_MODULE_BYTES {
                    return Err(Problem::new(
                        name.span,
                        "too many bytes of module-level variables",
                        format!("at most {MAX_MODULE_BYTES}"),
                    ));
                }
            }
            if globals.by_name.insert(name.text, laid).is_none() {
                globals.order.push(name.text);
            }
        }
        Ok(globals)
    }

    pub fn find(&self, name: &str) -> Option<&'p Variable<'s>> {
        self.by_name.get(name).map(|laid| laid.variable)
    }

    /// Names in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &'s str> {
        self.order.iter().copied()
    }

    /// Where a global or constant variable is.
    pub fn address(&self, name: Name<'_>) -> Res<Option<Located>> {
        let Some(laid) = self.by_name.get(name.text) else {
            return Ok(None);
        };
        if laid.variable.space == Space::Shared {
            return Ok(None);
        }
        if laid.variable.is_extern() {
            let all = self
                .by_name
                .iter()
                .filter(|(_, laid)| !laid.variable.is_extern());
            return Err(missing(name, "variable", all.map(|(name, _)| *name)));
        }
        Ok(Some(Located {
            space: laid.variable.space,
            address: laid.address,
            size_bytes: laid.size_bytes,
            storage: None,
        }))
    }

    /// The variables that these names reach, directly or through addresses in initial values; by address.
    pub fn reached(&self, names: &HashSet<&'s str>) -> Res<Vec<GlobalVar>> {
        let mut seen: HashSet<&'s str> = HashSet::new();
        let mut waiting: Vec<&'s str> = self
            .order
            .iter()
            .copied()
            .filter(|name| names.contains(name))
            .collect();
        let mut found = Vec::new();
        while let Some(name) = waiting.pop() {
            let Some(laid) = self.by_name.get(name) else {
                continue;
            };
            let variable = laid.variable;
            if variable.space == Space::Shared || variable.is_extern() || !seen.insert(name) {
                continue;
            }
            let mut init = Vec::new();
            if let Some(value) = &variable.init {
                let dims = self.dims(variable);
                self.fill(value, variable, &dims, &mut init, &mut waiting)?;
                let Some(room_bytes) = self.room_bytes.get().checked_sub(init.len()) else {
                    return Err(Problem::new(
                        variable.name.span,
                        "too many bytes of initial values",
                        format!("at most {MAX_INITIAL_BYTES} in all kernels of a file"),
                    ));
                };
                self.room_bytes.set(room_bytes);
            }
            found.push(GlobalVar {
                name: name.to_owned(),
                address: laid.address,
                size_bytes: laid.size_bytes,
                init,
                constant: variable.space == Space::Const,
            });
        }
        found.sort_by_key(|var| (var.address, var.size_bytes));
        Ok(found)
    }

    /// Extents with the vector length as the last.
    fn dims(&self, variable: &Variable<'s>) -> Vec<u64> {
        let listed = match &variable.init {
            Some(Init::List(values, _)) => values.len() as u64,
            _ => 0,
        };
        let mut dims: Vec<u64> = variable
            .dims
            .iter()
            .map(|extent| extent.unwrap_or(listed))
            .collect();
        if variable.ty.vec > 1 {
            dims.push(u64::from(variable.ty.vec));
        }
        dims
    }

    fn fill(
        &self,
        init: &Init<'s>,
        variable: &Variable<'s>,
        dims: &[u64],
        out: &mut Vec<u8>,
        waiting: &mut Vec<&'s str>,
    ) -> Res<()> {
        let (values, span) = match (init, dims) {
            (Init::Value(expr), []) => {
                let value = self.element(expr, variable.ty.ty, waiting)?;
                out.extend_from_slice(&value.to_le_bytes()[..bytes(variable.ty.ty) as usize]);
                return Ok(());
            }
            (Init::List(values, _), []) if values.len() == 1 => {
                return self.fill(&values[0], variable, dims, out, waiting);
            }
            (Init::Value(expr), _) => return Err(shape(expr.span)),
            (Init::List(_, span), []) => return Err(shape(*span)),
            (Init::List(values, span), _) => (values, *span),
        };
        if values.len() as u64 > dims[0] {
            return Err(Problem::new(
                span,
                format!("{} initial values for {} elements", values.len(), dims[0]),
                "too many",
            ));
        }
        // A row that is listed short is zero at its end; rows that follow must start at their place.
        let row: u64 = dims[1..].iter().product::<u64>() * bytes(variable.ty.ty);
        for (index, value) in values.iter().enumerate() {
            let start = out.len();
            self.fill(value, variable, &dims[1..], out, waiting)?;
            if index + 1 < values.len() {
                out.resize(start + row as usize, 0);
            }
        }
        Ok(())
    }

    fn element(&self, expr: &constant::Expr<'s>, ty: Ty, waiting: &mut Vec<&'s str>) -> Res<u64> {
        let wrong = || {
            Problem::new(
                expr.span,
                "initial value of the wrong kind",
                format!("expected a constant of type {}", name_of(ty)),
            )
        };
        if let Ok(value) = constant::evaluate(expr) {
            return value.bits(ty).ok_or_else(wrong);
        }
        let address = constant::address(expr)?;
        let Some(name) = address.symbol else {
            return Err(wrong());
        };
        if let Some(function) = self.functions.get(name.text) {
            return match (ty, address.offset) {
                (Ty::U64 | Ty::S64 | Ty::B64, 0) => Ok(indirect::address(*function)),
                _ => Err(indirect::no_address(name)),
            };
        }
        if !matches!(ty, Ty::U64 | Ty::S64 | Ty::B64) {
            return Err(wrong());
        }
        match self.address(name)? {
            Some(located) => {
                waiting.push(name.text);
                Ok(located.address.wrapping_add(address.offset as u64))
            }
            None => Err(Problem::new(
                name.span,
                format!("`{}` has no address here", name.text),
                "expected a global or constant variable, or a function, of this file",
            )),
        }
    }
}

fn shape(span: Span) -> Box<Problem> {
    Problem::new(
        span,
        "initial value of the wrong shape",
        "braces must follow the extents",
    )
}
