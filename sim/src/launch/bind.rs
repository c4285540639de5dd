//! A launch meets its kernel: which one is meant, and are the arguments its parameters?

use super::element::ElementType;
use super::error::{LaunchError, LaunchErrorKind};
use super::prepare::PreparedLaunch;
use crate::kernel::op::Ty;
use crate::kernel::{Kernel, Param};

impl PreparedLaunch {
    /// Whether the kernel that the launch file names is among the `names` that a kernel file has.
    ///
    /// # Errors
    /// It is not; the error lists those that there are.
    pub fn check_kernel_name<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Result<(), LaunchError> {
        let entries: Vec<String> = names.into_iter().map(str::to_owned).collect();
        if entries.contains(&self.kernel) {
            return Ok(());
        }
        let kind = LaunchErrorKind::UnknownKernel {
            name: self.kernel.clone(),
            entries,
        };
        let span = self.kernel_span.clone();
        Err(LaunchError::at(kind, &self.source, span))
    }

    /// The parameter space of the kernel, filled with the arguments.
    ///
    /// # Errors
    /// Number, size or kind (integer, floating-point, address) of the arguments is not that of the parameters. The
    /// sign of an integer does not matter, and `b` types fit any kind of their size.
    pub fn param_space(&self, kernel: &Kernel) -> Result<Vec<u8>, LaunchError> {
        let (given, wanted) = (self.params.len(), kernel.params.len());
        if given != wanted {
            let span = self.argument_spans.get(wanted).unwrap_or(&self.kernel_span);
            let problem = format!(
                "`{}` takes {wanted} arguments, {given} are given",
                kernel.name
            );
            let signature: Vec<String> = kernel.params.iter().map(describe).collect();
            let cure = format!("give one [[arg]] for each of ({})", signature.join(", "));
            let kind = LaunchErrorKind::Conflict { problem, cure };
            return Err(LaunchError::at(kind, &self.source, span.clone()));
        }
        let size = kernel
            .params
            .iter()
            .map(|p| p.offset_bytes + p.size_bytes)
            .max()
            .unwrap_or(0);
        let mut space = vec![0; size as usize];
        for (index, (value, param)) in self.params.iter().zip(&kernel.params).enumerate() {
            let at = param.offset_bytes as usize;
            let fits = value.bytes.len() == param.size_bytes as usize
                && kinds_agree(value.type_name, param.ty);
            match space.get_mut(at..at + value.bytes.len()) {
                Some(place) if fits => place.copy_from_slice(&value.bytes),
                _ => {
                    let problem = format!(
                        "argument {} is {}, the parameter is {}",
                        index + 1,
                        value.type_name,
                        describe(param)
                    );
                    let cure =
                        "make `type` that of the parameter; an address needs `buffer`".to_owned();
                    let kind = LaunchErrorKind::Conflict { problem, cure };
                    let span = self.argument_spans.get(index).unwrap_or(&self.kernel_span);
                    return Err(LaunchError::at(kind, &self.source, span.clone()));
                }
            }
        }
        Ok(space)
    }
}

fn describe(param: &Param) -> String {
    let ty = format!("{:?}", param.ty).to_lowercase();
    if param.size_bytes == param.ty.size_bytes() {
        format!("{ty} {}", param.name)
    } else {
        format!("{ty} {} ({} bytes)", param.name, param.size_bytes)
    }
}

fn kinds_agree(given: &str, wanted: Ty) -> bool {
    let bits = |ty| {
        matches!(
            ty,
            Ty::B8 | Ty::B16 | Ty::B32 | Ty::B64 | Ty::F16x2 | Ty::Bf16x2 | Ty::Bf16
        )
    };
    let float = matches!(wanted, Ty::F16 | Ty::F32 | Ty::F64);
    ElementType::from_name(given).is_some_and(|given| {
        given.is_float() == float || bits(wanted) || given.name().starts_with('b')
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::kernel::RegSpace;
    use crate::launch::LaunchSpec;

    fn launch(arguments: &str) -> PreparedLaunch {
        let text = format!("kernel = \"k\"\ngrid = 1\nblock = 32\n{arguments}");
        LaunchSpec::parse(&text, "l.toml")
            .unwrap()
            .prepare(Path::new("."))
            .unwrap()
    }

    fn kernel(name: &str, params: &[(Ty, u32)]) -> Kernel {
        let param = |(index, &(ty, offset_bytes)): (usize, &(Ty, u32))| Param {
            name: format!("p{index}"),
            ty,
            offset_bytes,
            size_bytes: ty.size_bytes(),
            align_bytes: ty.size_bytes(),
        };
        Kernel {
            name: name.to_owned(),
            params: params.iter().enumerate().map(param).collect(),
            globals: Vec::new(),
            shared_bytes: 0,
            local_bytes: 0,
            regs: RegSpace::Virtual { regs: 0, preds: 0 },
            blocks: Vec::new(),
            rounds: Vec::new(),
        }
    }

    const SCALARS: &str = "[[arg]]\ntype='u8'\nvalue=7\n[[arg]]\ntype='s32'\nvalue=-1\n";

    #[test]
    fn arguments_lie_at_the_offsets_of_the_parameters() {
        let space = launch(SCALARS)
            .param_space(&kernel("k", &[(Ty::U8, 0), (Ty::U32, 4)]))
            .unwrap();
        assert_eq!(space, [7, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    }

    #[test]
    fn argument_of_another_size_or_kind_is_refused_at_its_place() {
        for wanted in [Ty::U64, Ty::F32] {
            let error = launch(SCALARS)
                .param_space(&kernel("k", &[(Ty::U8, 0), (wanted, 8)]))
                .unwrap_err();
            assert_eq!(error.line_column().unwrap().0, 7, "{error}");
            assert!(error.to_string().contains("argument 2 is s32"), "{error}");
        }
    }

    #[test]
    fn surplus_argument_is_refused_at_its_place_and_a_missing_one_at_the_kernel() {
        let error = launch(SCALARS)
            .param_space(&kernel("k", &[(Ty::U8, 0)]))
            .unwrap_err();
        assert_eq!(error.line_column().unwrap().0, 7, "{error}");
        let three = kernel("k", &[(Ty::U8, 0), (Ty::U32, 4), (Ty::U32, 8)]);
        let error = launch(SCALARS).param_space(&three).unwrap_err();
        assert_eq!(error.line_column(), Some((1, 10)));
        assert!(
            error
                .to_string()
                .contains("`k` takes 3 arguments, 2 are given"),
            "{error}"
        );
    }

    #[test]
    fn kernel_is_found_by_name_and_a_wrong_name_lists_the_right_ones() {
        let launch = launch("");
        assert!(launch.check_kernel_name(["j", "k"]).is_ok());
        let error = launch.check_kernel_name(["j"]).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("there is no kernel `k`; the file has j"),
            "{error}"
        );
    }
}
