//! From a [`LaunchSpec`] to memory and parameters.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::contents;
use super::element::{ElementType, Number};
use super::error::{LaunchError, LaunchErrorKind};
use super::npy::read_npy;
use super::source::Source;
use super::spec::{Argument, CheckSpec, Contents, Expected, LaunchSpec, SaveSpec};
use crate::memory::image::{AllocationError, MAX_TOTAL_BYTES, MemoryFault, MemoryImage};

/// All that a run needs besides the kernel.
#[derive(Debug, Clone)]
pub struct PreparedLaunch {
    /// Entry name in the PTX file.
    pub kernel: String,
    /// CTAs in x, y, z.
    pub grid: [u32; 3],
    /// Threads per CTA in x, y, z.
    pub block: [u32; 3],
    /// Scratchpad per CTA beyond what the kernel declares, in bytes.
    pub dynamic_scratchpad_bytes: u32,
    /// The arguments in order. Their offsets are the kernel's to say, and that the sizes agree, its reader's to check.
    pub params: Vec<ParamValue>,
    /// Global memory before the run.
    pub memory: MemoryImage,
    /// The buffers in order of address.
    pub buffers: Vec<BufferInfo>,
    pub(super) checks: Vec<CheckSpec>,
    pub(super) saves: Vec<SaveSpec>,
    pub(super) source: Source,
    pub(super) kernel_span: Range<usize>,
    pub(super) argument_spans: Vec<Range<usize>>,
    pub(super) base_dir: PathBuf,
}

/// The value of one kernel parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParamValue {
    /// The value, little-endian.
    pub bytes: Vec<u8>,
    /// Natural alignment in bytes.
    pub align: u32,
    /// PTX type without the dot; addresses are `u64`.
    pub type_name: &'static str,
}

/// Where a buffer lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BufferInfo {
    /// Its name, which is also that of its allocation.
    pub name: String,
    /// Type of its elements.
    pub element: ElementType,
    /// Elements.
    pub length: u64,
    /// Address of the first element.
    pub base: u64,
}

impl BufferInfo {
    /// Size in bytes.
    pub fn size_bytes(&self) -> u64 {
        self.length * u64::from(self.element.size_bytes())
    }
}

impl LaunchSpec {
    /// Makes the buffers and the parameters. Files are looked for in `base_dir`.
    ///
    /// # Errors
    /// A data file that cannot be read or does not fit, one to compare with among them, or buffers that are too large together.
    pub fn prepare(&self, base_dir: &Path) -> Result<PreparedLaunch, LaunchError> {
        self.check_total()?;
        let mut memory = MemoryImage::new();
        let mut buffers = Vec::new();
        for spec in &self.buffers {
            let here = |error: LaunchError| error.or_at(&self.source, spec.span.clone());
            let size = u64::from(spec.element.size_bytes());
            let file = match &spec.contents {
                Contents::Npy { file } => {
                    Some(read_npy(&base_dir.join(file), spec.element, spec.length).map_err(here)?)
                }
                _ => None,
            };
            let length = match &file {
                Some(bytes) => bytes.len() as u64 / size,
                None => spec.length.unwrap_or(0),
            };
            let base = memory
                .allocate(&spec.name, length * size)
                .map_err(|error| here(LaunchError::new(error.into())))?;
            let info = BufferInfo {
                name: spec.name.clone(),
                element: spec.element,
                length,
                base,
            };
            let bytes = memory
                .slice_mut(base, info.size_bytes())
                .map_err(|fault| here(missing(&info.name, fault)))?;
            match &file {
                Some(data) => bytes.copy_from_slice(data),
                None => contents::fill(&spec.contents, spec.element, bytes),
            }
            buffers.push(info);
        }
        // What a run will be compared with, before anybody waits for it.
        for check in &self.checks {
            if let Expected::Npy(file) = &check.expected {
                let buffer: &BufferInfo = &buffers[check.buffer];
                read_npy(&base_dir.join(file), buffer.element, Some(buffer.length))
                    .map_err(|error| error.or_at(&self.source, check.span.clone()))?;
            }
        }
        let params = self
            .arguments
            .iter()
            .map(|argument| match argument {
                Argument::Scalar { element, bytes } => ParamValue {
                    bytes: bytes.clone(),
                    align: element.size_bytes(),
                    type_name: element.name(),
                },
                Argument::Buffer { index } => ParamValue {
                    bytes: buffers[*index].base.to_le_bytes().to_vec(),
                    align: 8,
                    type_name: ElementType::U64.name(),
                },
            })
            .collect();
        Ok(PreparedLaunch {
            kernel: self.kernel.clone(),
            grid: self.grid,
            block: self.block,
            dynamic_scratchpad_bytes: self.dynamic_scratchpad_bytes,
            params,
            memory,
            buffers,
            checks: self.checks.clone(),
            saves: self.saves.clone(),
            source: self.source.clone(),
            kernel_span: self.kernel_span.clone(),
            argument_spans: self.argument_spans.clone(),
            base_dir: base_dir.to_owned(),
        })
    }

    /// Refuses buffers that are too large together before any of them takes memory.
    fn check_total(&self) -> Result<(), LaunchError> {
        let mut total = 0;
        for spec in &self.buffers {
            let size_bytes = spec.length.unwrap_or(0) * u64::from(spec.element.size_bytes());
            total += size_bytes;
            if total > MAX_TOTAL_BYTES {
                let name = spec.name.clone();
                let error = AllocationError::TooLarge { name, size_bytes };
                return Err(LaunchError::at(
                    error.into(),
                    &self.source,
                    spec.span.clone(),
                ));
            }
        }
        Ok(())
    }
}

impl PreparedLaunch {
    /// A launch of which nothing but the shape is known.
    pub(crate) fn without_data(kernel: &str, grid: [u32; 3], block: [u32; 3]) -> Self {
        PreparedLaunch {
            kernel: kernel.to_owned(),
            grid,
            block,
            dynamic_scratchpad_bytes: 0,
            params: Vec::new(),
            memory: MemoryImage::default(),
            buffers: Vec::new(),
            checks: Vec::new(),
            saves: Vec::new(),
            source: Source::new("", ""),
            kernel_span: 0..0,
            argument_spans: Vec::new(),
            base_dir: PathBuf::new(),
        }
    }

    /// The buffer of that name.
    pub fn buffer(&self, name: &str) -> Option<&BufferInfo> {
        self.buffers.iter().find(|buffer| buffer.name == name)
    }

    /// The elements of a buffer as `image` holds them; `None` where launch or image lack it.
    pub fn elements(&self, image: &MemoryImage, name: &str) -> Option<Vec<Number>> {
        let buffer = self.buffer(name)?;
        let bytes = image.slice(buffer.base, buffer.size_bytes()).ok()?;
        let size = buffer.element.size_bytes() as usize;
        Some(
            bytes
                .chunks_exact(size)
                .map(|one| buffer.element.decode(one))
                .collect(),
        )
    }

    /// The `index`-th argument as a number; an address for a buffer.
    pub fn scalar(&self, index: usize) -> Option<Number> {
        let param = self.params.get(index)?;
        Some(ElementType::from_name(param.type_name)?.decode(&param.bytes))
    }
}

pub(super) fn missing(name: &str, fault: MemoryFault) -> LaunchError {
    LaunchError::new(LaunchErrorKind::Image {
        name: name.to_owned(),
        fault,
    })
}
