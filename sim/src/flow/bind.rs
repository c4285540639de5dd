//! Binding: the arguments of a launch file onto the parameters of a kernel, and its variables into memory.

use crate::kernel::Kernel;
use crate::launch::PreparedLaunch;
use crate::memory::image::AllocationError;
use miette::Diagnostic;
use thiserror::Error;

/// Why a launch does not fit its kernel.
#[derive(Debug, Error, Diagnostic)]
pub enum BindError {
    /// Too few or too many arguments.
    #[error("kernel {kernel} takes {expected} arguments, the launch file gives {given}")]
    #[diagnostic(help("give one [[arg]] per parameter, in order: {signature}"))]
    Count {
        /// The kernel.
        kernel: String,
        /// Parameters.
        expected: usize,
        /// Arguments.
        given: usize,
        /// The parameters in words.
        signature: String,
    },
    /// An argument of another size than its parameter.
    #[error("argument {number} of kernel {kernel} is a {given} of {given_bytes} bytes, parameter {parameter} has {expected_bytes} bytes")]
    #[diagnostic(help("the parameters in order: {signature}; a buffer's address has 8 bytes"))]
    Size {
        /// The kernel.
        kernel: String,
        /// Counted from 1.
        number: usize,
        /// Type in the launch file.
        given: &'static str,
        /// Its size.
        given_bytes: usize,
        /// Name of the parameter.
        parameter: String,
        /// Its size.
        expected_bytes: u32,
        /// The parameters in words.
        signature: String,
    },
    /// A module-level variable has no room.
    #[error("module-level variable: {0}")]
    #[diagnostic(help("rename the buffer or the variable, or make it smaller"))]
    Variable(#[from] AllocationError),
}

/// Puts the variables of `kernel` into the launch's memory and returns the bytes of the parameter space.
///
/// # Errors
/// Arguments that do not fit the parameters one by one in size, variables without room.
pub fn bind(kernel: &Kernel, launch: &mut PreparedLaunch) -> Result<Vec<u8>, BindError> {
    let signature = || {
        let words: Vec<String> =
            kernel.params.iter().map(|p| format!("{} ({} bytes)", p.name, p.size_bytes)).collect();
        if words.is_empty() { "none".to_owned() } else { words.join(", ") }
    };
    if kernel.params.len() != launch.params.len() {
        return Err(BindError::Count {
            kernel: kernel.name.clone(),
            expected: kernel.params.len(),
            given: launch.params.len(),
            signature: signature(),
        });
    }
    let size = kernel.params.iter().map(|p| p.offset_bytes + p.size_bytes).max().unwrap_or(0);
    let mut bytes = vec![0; size as usize];
    for (index, (param, value)) in kernel.params.iter().zip(&launch.params).enumerate() {
        if param.size_bytes as usize != value.bytes.len() {
            return Err(BindError::Size {
                kernel: kernel.name.clone(),
                number: index + 1,
                given: value.type_name,
                given_bytes: value.bytes.len(),
                parameter: param.name.clone(),
                expected_bytes: param.size_bytes,
                signature: signature(),
            });
        }
        let at = param.offset_bytes as usize;
        bytes[at..at + value.bytes.len()].copy_from_slice(&value.bytes);
    }
    for variable in &kernel.globals {
        launch.memory.place_variable(
            &variable.name,
            variable.address,
            &variable.init,
            variable.size_bytes,
        )?;
    }
    Ok(bytes)
}
