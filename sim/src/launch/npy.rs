//! NumPy files in and out.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use npyz::{DType, Endianness, NpyHeader, Order, TypeChar, TypeStr, WriterBuilder};

use super::element::ElementType;
use super::error::{LaunchError, LaunchErrorKind};
use crate::memory::image::MAX_TOTAL_BYTES;

/// Longest header that is read, in bytes; a plain array needs about 100. // assumed
const MAX_HEADER_BYTES: usize = 4096;
/// Most decimal digits in a header: a product of numbers with 18 digits together does not overflow 64 bits.
const MAX_HEADER_DIGITS: usize = 18;

/// Reads a `.npy` file of plain little-endian numbers in C order, any shape, and returns its elements' bytes.
///
/// A `b` type takes any element of its size. With `length`, the file must have as many elements.
///
/// # Errors
/// The file cannot be read, is no `.npy` file, is cut short or too long, or has another type, order or length.
pub fn read_npy(
    path: &Path,
    element: ElementType,
    length: Option<u64>,
) -> Result<Vec<u8>, LaunchError> {
    let fail = |problem: String, cure: &str| {
        let cure = cure.to_owned();
        LaunchError::new(LaunchErrorKind::File {
            path: path.to_owned(),
            problem,
            cure,
        })
    };
    let save_again = format!(
        "save it again with numpy.save(file, array.astype('{}'))",
        numpy_name(element)
    );
    let mut bytes = Vec::new();
    fs::File::open(path)
        .and_then(|file| {
            file.take(MAX_TOTAL_BYTES + (1 << 16))
                .read_to_end(&mut bytes)
        })
        .map_err(|error| {
            fail(
                format!("cannot be read: {error}"),
                "check the name; it is relative to the launch file",
            )
        })?;
    let mut rest = bytes.as_slice();
    let header = check_header(&bytes)
        .and_then(|()| NpyHeader::from_reader(&mut rest).map_err(|error| error.to_string()))
        .map_err(|problem| fail(format!("is not a NumPy file: {problem}"), &save_again))?;

    let dtype = header.dtype();
    if !accepts(element, &dtype) {
        let problem = format!(
            "holds {}, not {} ({element})",
            dtype.descr(),
            type_string(element)
        );
        return Err(fail(problem, &save_again));
    }
    let axes = header.shape().iter().filter(|&&axis| axis > 1).count();
    if header.order() == Order::Fortran && axes > 1 {
        let cure = "save it with numpy.ascontiguousarray(array)";
        return Err(fail("is in Fortran order".to_owned(), cure));
    }
    let found: u64 = header.shape().iter().product();
    if let Some(length) = length
        && found != length
    {
        let problem = format!(
            "has {found} elements (shape {:?}), not {length}",
            header.shape()
        );
        return Err(fail(problem, "make `length` and the file agree"));
    }
    if found == 0 {
        return Err(fail("has no elements".to_owned(), &save_again));
    }
    let wanted = found.checked_mul(u64::from(element.size_bytes()));
    if wanted != Some(rest.len() as u64) {
        let wanted = wanted.map_or("too many".to_owned(), |bytes| bytes.to_string());
        let problem = format!(
            "has {} bytes of data, its header promises {wanted}",
            rest.len()
        );
        return Err(fail(
            problem,
            "the file is damaged or cut short: copy or save it again",
        ));
    }
    Ok(rest.to_vec())
}

/// Writes a `.npy` file, version 1.0, little-endian, C order. The file appears whole or not at all.
///
/// # Errors
/// `shape` does not fit `bytes`, or the file cannot be written; no file is left behind then, and an older one stays.
pub fn write_npy(
    path: &Path,
    element: ElementType,
    shape: &[u64],
    bytes: &[u8],
) -> Result<(), LaunchError> {
    let fail = |problem: String, cure: &str| {
        let cure = cure.to_owned();
        LaunchError::new(LaunchErrorKind::File {
            path: path.to_owned(),
            problem,
            cure,
        })
    };
    let elements = shape
        .iter()
        .try_fold(1_u64, |product, &axis| product.checked_mul(axis));
    let wanted = elements.and_then(|n| n.checked_mul(u64::from(element.size_bytes())));
    if wanted != Some(bytes.len() as u64) {
        let problem = format!(
            "shape {shape:?} of {element} does not fit {} bytes",
            bytes.len()
        );
        return Err(fail(
            problem,
            "make the product of `shape` the length of the buffer",
        ));
    }
    let type_string: TypeStr = type_string(element).parse().map_err(|error| {
        fail(
            format!("has no type string: {error}"),
            "choose another type",
        )
    })?;
    let contents = npyz::WriteOptions::new_header_only()
        .dtype(DType::new_scalar(type_string))
        .shape(shape)
        .writer(Vec::new())
        .write_header_only()
        .map(|mut contents| {
            contents.extend_from_slice(bytes);
            contents
        })
        .map_err(|error| {
            fail(
                format!("cannot be laid out: {error}"),
                "choose another shape",
            )
        })?;
    write_whole(path, &contents).map_err(|error| {
        fail(
            format!("cannot be written: {error}"),
            "check the folder and its rights",
        )
    })
}

/// Writes beside the goal first and renames, so that nobody sees half a file.
/// A folder that is not there is made; what is there and no file (`/dev/null`) is written to and stays what it is.
fn write_whole(path: &Path, contents: &[u8]) -> std::io::Result<()> {
    if path.exists() && !path.is_file() {
        return fs::write(path, contents);
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let name = path
        .file_name()
        .ok_or_else(|| std::io::Error::other("the name is not one of a file"))?;
    let mut beside_name = std::ffi::OsString::from(".");
    beside_name.push(name);
    beside_name.push(format!(".{}.part", std::process::id()));
    let beside: PathBuf = path.with_file_name(beside_name);
    let written = fs::File::create(&beside)
        .and_then(|mut file| {
            file.write_all(contents)?;
            file.sync_all()
        })
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one to tell; a leftover that cannot be removed either adds nothing.
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Refuses headers on which the reader behind would allocate, recurse or multiply without bound.
fn check_header(bytes: &[u8]) -> Result<(), String> {
    if !bytes.starts_with(b"\x93NUMPY") || bytes.len() < 12 {
        return Err("it does not start with \\x93NUMPY".to_owned());
    }
    let (start, size): (usize, usize) = match bytes[6] {
        1 => (10, usize::from(u16::from_le_bytes([bytes[8], bytes[9]]))),
        _ => (
            12,
            u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize,
        ),
    };
    let header = bytes
        .get(start..start.saturating_add(size))
        .ok_or("its header is cut short")?;
    let digits = header.iter().filter(|byte| byte.is_ascii_digit()).count();
    let brackets = header.iter().filter(|byte| b"([{".contains(byte)).count();
    if size > MAX_HEADER_BYTES || digits > MAX_HEADER_DIGITS || brackets > 4 {
        return Err("its header is not that of a plain array".to_owned());
    }
    Ok(())
}

/// The letter of the type in NumPy's array interface.
fn type_string(element: ElementType) -> String {
    let letter = match element {
        _ if element.is_float() => 'f',
        _ if element.is_signed() => 'i',
        _ => 'u',
    };
    let order = if element.size_bytes() == 1 { '|' } else { '<' };
    format!("{order}{letter}{}", element.size_bytes())
}

fn numpy_name(element: ElementType) -> String {
    type_string(element).trim_start_matches('|').to_owned()
}

fn accepts(element: ElementType, dtype: &DType) -> bool {
    let DType::Plain(found) = dtype else {
        return false;
    };
    let letter = match found.type_char() {
        TypeChar::Uint => 'u',
        TypeChar::Int => 'i',
        TypeChar::Float => 'f',
        _ => return false,
    };
    let bits = matches!(
        element,
        ElementType::B8 | ElementType::B16 | ElementType::B32 | ElementType::B64
    );
    let wanted = type_string(element);
    found.size_field() == u64::from(element.size_bytes())
        && (found.endianness() != Endianness::Big || element.size_bytes() == 1)
        && (bits || wanted.contains(letter))
}
