//! From the text of a launch file to a [`LaunchSpec`].

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::contents;
use super::element::{ElementType, Number};
use super::error::{LaunchError, LaunchErrorKind};
use super::source::{Fields, Source};
use super::spec::{Argument, BufferSpec, CheckSpec, Contents, Expected, LaunchSpec, SaveSpec};
use crate::memory::image::MAX_TOTAL_BYTES;

/// Most CTAs of a grid in x, y, z (CUDA, compute capability 3.0 and up).
const MAX_GRID: [u64; 3] = [0x7fff_ffff, 0xffff, 0xffff];
/// Most threads of a CTA in x, y, z (CUDA, compute capability 2.0 and up).
const MAX_BLOCK: [u64; 3] = [1024, 1024, 64];
/// Most threads of a CTA.
const MAX_CTA_THREADS: u64 = 1024;
/// Most dynamic scratchpad of a CTA, in bytes. // assumed: over every machine; the machine's own limit comes later
const MAX_SCRATCHPAD_BYTES: u64 = 256 << 10;
/// Most arguments, so that all parameters fit the 4 KiB of parameter space.
const MAX_ARGUMENTS: usize = 512;

type Value<'t> = Spanned<DeValue<'t>>;

impl LaunchSpec {
    /// Reads a launch file; `path` is for messages only.
    ///
    /// # Errors
    /// The first thing wrong in the text, with its place.
    pub fn parse(text: &str, path: &str) -> Result<Self, LaunchError> {
        let source = Source::new(path, text);
        let document = DeTable::parse(text).map_err(|error| {
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            LaunchError::at(
                LaunchErrorKind::Syntax { message },
                &source,
                error.span().unwrap_or(0..0),
            )
        })?;
        let known = &[
            "kernel",
            "grid",
            "block",
            "dynamic_scratchpad",
            "arg",
            "check",
            "save",
        ];
        let top = source.fields("a launch file", 0..0, document.get_ref(), known)?;

        let kernel_value = top.required("kernel")?;
        let kernel = source.string("kernel", kernel_value)?;
        let grid = extent(&top, "grid", MAX_GRID)?;
        let block = extent(&top, "block", MAX_BLOCK)?;
        if block.iter().map(|&n| u64::from(n)).product::<u64>() > MAX_CTA_THREADS {
            let expected = format!("at most {MAX_CTA_THREADS} threads in all");
            return Err(top.bad("block", top.required("block")?, expected));
        }
        let dynamic_scratchpad_bytes = match top.optional("dynamic_scratchpad") {
            Some(value) => {
                source.integer("dynamic_scratchpad", value, 0..=MAX_SCRATCHPAD_BYTES)? as u32
            }
            None => 0,
        };

        let mut spec = Self {
            kernel,
            grid,
            block,
            dynamic_scratchpad_bytes,
            arguments: Vec::new(),
            buffers: Vec::new(),
            checks: Vec::new(),
            saves: Vec::new(),
            source: source.clone(),
            kernel_span: kernel_value.span(),
            argument_spans: Vec::new(),
        };
        let known = &["type", "value", "buffer", "length", "contents"];
        for fields in top.tables("arg", "an [[arg]]", known)? {
            if spec.arguments.len() == MAX_ARGUMENTS {
                return Err(fields.conflict(
                    format!("more than {MAX_ARGUMENTS} arguments"),
                    "pass a buffer",
                ));
            }
            let argument = argument(&fields, &mut spec.buffers)?;
            spec.arguments.push(argument);
            spec.argument_spans.push(fields.span.clone());
        }
        let known = &["buffer", "npy", "equals_buffer", "abs", "rel"];
        for fields in top.tables("check", "a [[check]]", known)? {
            spec.checks.push(check(&fields, &spec.buffers)?);
        }
        for fields in top.tables("save", "a [[save]]", &["buffer", "npy", "shape"])? {
            spec.saves.push(save(&fields, &spec.buffers)?);
        }
        Ok(spec)
    }
}

/// `[x, y, z]`, `[x, y]`, `[x]` or `x`; what is left out is 1.
fn extent(
    top: &Fields<'_, '_>,
    field: &'static str,
    max: [u64; 3],
) -> Result<[u32; 3], LaunchError> {
    let value = top.required(field)?;
    let mut extent = [1; 3];
    let single = std::slice::from_ref(value);
    let items: Vec<&Value<'_>> = match value.get_ref() {
        DeValue::Array(items) => items.iter().collect(),
        _ => single.iter().collect(),
    };
    if items.is_empty() || items.len() > 3 {
        return Err(top.bad(field, value, "one to three whole numbers, [x, y, z]"));
    }
    for (axis, item) in items.into_iter().enumerate() {
        let name = if value.get_ref().is_array() {
            format!("{field}.{}", ["x", "y", "z"][axis])
        } else {
            field.to_owned()
        };
        extent[axis] = top.source.integer(&name, item, 1..=max[axis])? as u32;
    }
    Ok(extent)
}

fn argument(
    fields: &Fields<'_, '_>,
    buffers: &mut Vec<BufferSpec>,
) -> Result<Argument, LaunchError> {
    let source = fields.source;
    let Some(name) = fields.optional("buffer") else {
        for field in ["length", "contents"] {
            if fields.optional(field).is_some() {
                return Err(fields.conflict(
                    format!("an [[arg]] with `{field}` needs `buffer`"),
                    "add `buffer = \"name\"`, or give a scalar `type` and `value`",
                ));
            }
        }
        let element = element(fields)?;
        let value = fields.required("value")?;
        let bytes = typed(fields, "value", value, element)?.1;
        return Ok(Argument::Scalar { element, bytes });
    };
    if fields.optional("value").is_some() {
        return Err(fields.conflict(
            "an [[arg]] has both `buffer` and `value`",
            "keep `value` for a scalar; write `contents = { constant = ... }` for a buffer",
        ));
    }
    let span = name.span();
    let name = source.string("buffer", name)?;
    let declares = ["type", "length", "contents"]
        .iter()
        .any(|f| fields.optional(f).is_some());
    if let Some(index) = buffers.iter().position(|buffer| buffer.name == name) {
        if declares {
            return Err(fields.conflict(
                format!("the buffer `{name}` is declared twice"),
                "rename one, or leave only `buffer` in the second to pass the same one again",
            ));
        }
        return Ok(Argument::Buffer { index });
    }
    let element = element(fields)?;
    let length = match fields.optional("length") {
        Some(value) => {
            let most = MAX_TOTAL_BYTES / u64::from(element.size_bytes());
            Some(source.integer("length", value, 1..=most)?)
        }
        None => None,
    };
    let contents = match fields.optional("contents") {
        Some(value) => contents(fields, value, element, length)?,
        None => Contents::Zeros,
    };
    if length.is_none() && !matches!(contents, Contents::Npy { .. }) {
        fields.required("length")?;
    }
    buffers.push(BufferSpec {
        name,
        element,
        length,
        contents,
        span,
    });
    Ok(Argument::Buffer {
        index: buffers.len() - 1,
    })
}

fn element(fields: &Fields<'_, '_>) -> Result<ElementType, LaunchError> {
    let value = fields.required("type")?;
    let known = || ElementType::ALL.map(ElementType::name).join(", ");
    match value.get_ref() {
        DeValue::String(name) => ElementType::from_name(name),
        _ => None,
    }
    .ok_or_else(|| fields.bad("type", value, format!("one of {}", known())))
}

/// A number that the type holds, and its bytes.
fn typed(
    fields: &Fields<'_, '_>,
    field: &str,
    value: &Value<'_>,
    element: ElementType,
) -> Result<(Number, Vec<u8>), LaunchError> {
    let (min, max) = element.integer_range();
    let expected = if element.is_float() {
        format!("a number that {element} holds")
    } else {
        format!("a whole number from {min} to {max} ({element})")
    };
    let number = fields.source.number(field, value, &expected)?;
    match element.encode(number) {
        Some(bytes) => Ok((number, bytes)),
        None => Err(fields.bad(field, value, expected)),
    }
}

const CONTENTS: &str = "\"zeros\", \"iota\", { constant = v }, { iota = { start, step } }, \
    { random = { seed, min, max } }, { running_sum = { seed, min, max } } or { npy = \"file.npy\" }";

fn contents(
    fields: &Fields<'_, '_>,
    value: &Value<'_>,
    element: ElementType,
    length: Option<u64>,
) -> Result<Contents, LaunchError> {
    let source = fields.source;
    let contents = match value.get_ref() {
        DeValue::String(word) if word == "zeros" => Contents::Zeros,
        DeValue::String(word) if word == "iota" => Contents::Iota {
            start: Number::Int(0),
            step: Number::Int(1),
        },
        DeValue::Table(table) if table.len() == 1 => {
            let known = &["constant", "iota", "random", "running_sum", "npy"];
            let one = source.fields("`contents`", value.span(), table, known)?;
            if let Some(value) = one.optional("constant") {
                Contents::Constant {
                    value: typed(&one, "constant", value, element)?.0,
                }
            } else if let Some(value) = one.optional("npy") {
                Contents::Npy {
                    file: source.string("npy", value)?,
                }
            } else if let Some(value) = one.optional("iota") {
                let iota = inner(&one, "iota", value, &["start", "step"])?;
                let start = typed(&iota, "start", iota.required("start")?, element)?.0;
                let step = source.number("step", iota.required("step")?, "a number")?;
                Contents::Iota { start, step }
            } else if let Some(value) = one.optional("random") {
                let (seed, min, max) = draw(
                    &inner(&one, "random", value, &["seed", "min", "max"])?,
                    element,
                )?;
                Contents::Random { seed, min, max }
            } else if let Some(value) = one.optional("running_sum") {
                let known = &["seed", "min", "max"];
                let (seed, min, max) = draw(&inner(&one, "running_sum", value, known)?, element)?;
                Contents::RunningSum { seed, min, max }
            } else {
                return Err(fields.bad("contents", value, CONTENTS));
            }
        }
        _ => return Err(fields.bad("contents", value, CONTENTS)),
    };
    if let Some(length) = length
        && !contents::fits(&contents, element, length)
    {
        let expected = format!("such that all {length} elements fit {element}");
        return Err(fields.bad("contents", value, expected));
    }
    Ok(contents)
}

fn inner<'s, 't>(
    one: &Fields<'s, 't>,
    field: &'static str,
    value: &'s Value<'t>,
    known: &'static [&'static str],
) -> Result<Fields<'s, 't>, LaunchError> {
    match value.get_ref() {
        DeValue::Table(table) => one.source.fields(field, value.span(), table, known),
        _ => Err(one.bad(field, value, format!("a table {{ {} }}", known.join(", ")))),
    }
}

fn draw(
    fields: &Fields<'_, '_>,
    element: ElementType,
) -> Result<(u64, Number, Number), LaunchError> {
    let seed = fields
        .source
        .integer("seed", fields.required("seed")?, 0..=u64::MAX)?;
    let min = typed(fields, "min", fields.required("min")?, element)?.0;
    let value = fields.required("max")?;
    let max = typed(fields, "max", value, element)?.0;
    let ordered = match (min, max) {
        (Number::Int(min), Number::Int(max)) => min <= max,
        _ => min.to_f64() <= max.to_f64() && (max.to_f64() - min.to_f64()).is_finite(),
    };
    if !ordered {
        return Err(fields.bad("max", value, "a finite number not below `min`"));
    }
    Ok((seed, min, max))
}

fn buffer_index(
    fields: &Fields<'_, '_>,
    field: &'static str,
    buffers: &[BufferSpec],
) -> Result<usize, LaunchError> {
    let value = fields.required(field)?;
    let name = fields.source.string(field, value)?;
    buffers
        .iter()
        .position(|buffer| buffer.name == name)
        .ok_or_else(|| {
            let declared = buffers.iter().map(|buffer| buffer.name.clone()).collect();
            LaunchError::at(
                LaunchErrorKind::UnknownBuffer { name, declared },
                fields.source,
                value.span(),
            )
        })
}

fn check(fields: &Fields<'_, '_>, buffers: &[BufferSpec]) -> Result<CheckSpec, LaunchError> {
    let buffer = buffer_index(fields, "buffer", buffers)?;
    let expected = match (fields.optional("npy"), fields.optional("equals_buffer")) {
        (Some(file), None) => Expected::Npy(fields.source.string("npy", file)?),
        (None, Some(_)) => Expected::Buffer(buffer_index(fields, "equals_buffer", buffers)?),
        _ => {
            return Err(fields.conflict(
                "a [[check]] compares with either `npy` or `equals_buffer`",
                "give exactly one of the two",
            ));
        }
    };
    if let Expected::Buffer(other) = expected {
        let (left, right) = (&buffers[buffer], &buffers[other]);
        if left.element != right.element {
            let problem = format!(
                "`{}` is {}, `{}` is {}",
                left.name, left.element, right.name, right.element
            );
            return Err(fields.conflict(problem, "compare buffers of the same type"));
        }
    }
    let mut tolerance = [0.0; 2];
    for (field, tolerance) in ["abs", "rel"].into_iter().zip(&mut tolerance) {
        let Some(value) = fields.optional(field) else {
            continue;
        };
        let expected = "a finite number, 0 or more";
        *tolerance = fields.source.number(field, value, expected)?.to_f64();
        if !tolerance.is_finite() || *tolerance < 0.0 {
            return Err(fields.bad(field, value, expected));
        }
        if !buffers[buffer].element.is_float() {
            let problem = format!("`{field}` on integers ({})", buffers[buffer].element);
            return Err(fields.conflict(problem, "remove it: integers are compared exactly"));
        }
    }
    Ok(CheckSpec {
        buffer,
        expected,
        abs: tolerance[0],
        rel: tolerance[1],
        span: fields.span.clone(),
    })
}

fn save(fields: &Fields<'_, '_>, buffers: &[BufferSpec]) -> Result<SaveSpec, LaunchError> {
    let buffer = buffer_index(fields, "buffer", buffers)?;
    let file = fields.source.string("npy", fields.required("npy")?)?;
    let mut shape = None;
    if let Some(value) = fields.optional("shape") {
        let expected =
            "a list of one to eight whole numbers whose product is the length of the buffer";
        let DeValue::Array(items) = value.get_ref() else {
            return Err(fields.bad("shape", value, expected));
        };
        let axes: Vec<u64> = items
            .iter()
            .map(|item| fields.source.integer("shape", item, 1..=MAX_TOTAL_BYTES))
            .collect::<Result<_, _>>()?;
        let product = axes
            .iter()
            .try_fold(1_u64, |product, &axis| product.checked_mul(axis));
        let fits = buffers[buffer]
            .length
            .is_none_or(|length| product == Some(length));
        if !(1..=8).contains(&axes.len()) || product.is_none() || !fits {
            return Err(fields.bad("shape", value, expected));
        }
        shape = Some(axes);
    }
    Ok(SaveSpec {
        buffer,
        file,
        shape,
        span: fields.span.clone(),
    })
}
