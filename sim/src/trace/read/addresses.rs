//! The three ways in which a line gives the addresses of an access.

use super::field::{Fields, decimal, signed};
use super::statics::bad;
use crate::trace::error::TraceErrorKind;
use crate::trace::record::Addresses;

/// Reads mode and addresses of the lanes of `mask`; none for an empty mask.
pub fn read(fields: &mut Fields, mask: u32) -> Result<Option<Addresses>, TraceErrorKind> {
    let mode = fields.word();
    match mode {
        b"0" => list(fields, mask),
        b"1" => base_and_stride(fields, mask),
        b"2" => base_and_differences(fields, mask),
        _ => Err(bad("the address mode", mode, "0, 1 or 2")),
    }
}

fn address(fields: &mut Fields) -> Result<u64, TraceErrorKind> {
    fields.hexadecimal().map_err(|word| {
        bad(
            "an address",
            word,
            "a hexadecimal number, one per lane of the mask",
        )
    })
}

fn list(fields: &mut Fields, mask: u32) -> Result<Option<Addresses>, TraceErrorKind> {
    let mut addresses = Vec::with_capacity(mask.count_ones() as usize);
    for _ in 0..mask.count_ones() {
        addresses.push(address(fields)?);
    }
    Ok((mask != 0).then(|| Addresses::Listed(addresses.into())))
}

fn base_and_stride(fields: &mut Fields, mask: u32) -> Result<Option<Addresses>, TraceErrorKind> {
    let base = address(fields)?;
    let mut before = *fields;
    let stride = fields.signed();
    let stride = stride.map_err(|word| bad("the stride", word, "a decimal number"))?;
    if mask == 0 {
        return Ok(None);
    }
    let lanes = mask >> mask.trailing_zeros();
    if lanes & lanes.wrapping_add(1) != 0 {
        return Err(TraceErrorKind::StrideWithGaps { mask });
    }
    let reach = stride.checked_mul(i64::from(lanes.count_ones() - 1));
    if reach
        .and_then(|reach| base.checked_add_signed(reach))
        .is_none()
    {
        return Err(bad(
            "the stride",
            before.word(),
            "one that stays within 64-bit addresses",
        ));
    }
    Ok(Some(Addresses::Strided { base, stride }))
}

fn base_and_differences(
    fields: &mut Fields,
    mask: u32,
) -> Result<Option<Addresses>, TraceErrorKind> {
    let base = address(fields)?;
    match mask.count_ones() {
        0 => return Ok(None),
        1 => return Ok(Some(Addresses::Strided { base, stride: 0 })),
        _ => {}
    }
    let mut addresses = Vec::with_capacity(mask.count_ones() as usize);
    addresses.push(base);
    let mut last = base;
    for _ in 1..mask.count_ones() {
        let mut before = *fields;
        let difference = fields.signed().ok();
        let next = difference.and_then(|difference| last.checked_add_signed(difference));
        last = next.ok_or_else(|| {
            bad(
                "an address difference",
                before.word(),
                "a decimal number, one per lane of the mask after the first",
            )
        })?;
        addresses.push(last);
    }
    Ok(Some(Addresses::Listed(addresses.into())))
}

/// Reads the immediate, decimal with or without sign.
pub fn immediate(fields: &mut Fields) -> Result<u64, TraceErrorKind> {
    let word = fields.word();
    let number = decimal(word).or_else(|| signed(word).map(i64::cast_unsigned));
    number.ok_or_else(|| bad("the immediate", word, "a decimal number"))
}
