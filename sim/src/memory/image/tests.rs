use super::*;

fn two_buffers() -> (MemoryImage, u64, u64) {
    let mut image = MemoryImage::new();
    let a = image.allocate("a", 10).unwrap();
    let b = image.allocate("b", 600).unwrap();
    (image, a, b)
}

#[test]
fn allocations_are_aligned_in_order_and_a_guard_apart() {
    let (image, a, b) = two_buffers();
    assert_eq!(a, FIRST_BASE);
    assert_eq!(b, FIRST_BASE + 256 + GUARD_BYTES);
    assert_eq!(image.allocation("b").unwrap().end(), b + 600);
}

#[test]
fn values_are_little_endian() {
    let (mut image, a, _) = two_buffers();
    image.write_u64(a, 0x0807_0605_0403_0201).unwrap();
    assert_eq!(image.read_u8(a), Ok(1));
    assert_eq!(image.read_u16(a + 2), Ok(0x0403));
    assert_eq!(image.read_u32(a + 4), Ok(0x0807_0605));
    assert_eq!(image.slice(a + 1, 3).unwrap(), [2, 3, 4]);
}

#[test]
fn access_is_mapped_exactly_inside_the_allocations() {
    let (image, a, b) = two_buffers();
    for addr in a - 16..b + 700 {
        let inside = (a..a + 10).contains(&addr) || (b..b + 600).contains(&addr);
        assert_eq!(
            image.read_u8(addr).is_ok(),
            inside,
            "{}",
            image.describe(addr)
        );
    }
    assert_eq!(
        image.read_u32(a + 8),
        Err(MemoryFault::Unmapped {
            addr: a + 8,
            size_bytes: 4
        })
    );
    assert_eq!(
        image.read_u32(0),
        Err(MemoryFault::Unmapped {
            addr: 0,
            size_bytes: 4
        })
    );
    assert_eq!(
        image.read_u64(u64::MAX - 7),
        Err(MemoryFault::Unmapped {
            addr: u64::MAX - 7,
            size_bytes: 8
        })
    );
}

#[test]
fn misaligned_access_faults() {
    let (mut image, a, _) = two_buffers();
    assert_eq!(
        image.write_u32(a + 2, 1),
        Err(MemoryFault::Misaligned {
            addr: a + 2,
            size_bytes: 4
        })
    );
}

#[test]
fn slice_never_leaves_its_allocation() {
    let (image, a, _) = two_buffers();
    assert!(image.slice(a, 10).is_ok());
    assert!(image.slice(a, 11).is_err());
    assert!(image.slice(a + 1, u64::MAX).is_err());
}

#[test]
fn allocation_refuses_taken_names_no_bytes_and_too_many() {
    let (mut image, ..) = two_buffers();
    assert!(matches!(
        image.allocate("a", 4),
        Err(AllocationError::DuplicateName { .. })
    ));
    assert!(matches!(
        image.allocate("c", 0),
        Err(AllocationError::Empty { .. })
    ));
    assert!(matches!(
        image.allocate("c", MAX_TOTAL_BYTES),
        Err(AllocationError::TooLarge { .. })
    ));
    assert!(matches!(
        image.allocate("c", u64::MAX),
        Err(AllocationError::TooLarge { .. })
    ));
}

#[test]
fn difference_names_buffer_word_and_values() {
    let (left, _, b) = two_buffers();
    let mut right = left.clone();
    assert_eq!(left.first_difference(&right), None);
    right.write_u8(b + 598, 7).unwrap();
    let difference = left.first_difference(&right).unwrap();
    let word = Difference::Word {
        allocation: "b".into(),
        offset_bytes: 596,
        left: 0,
        right: 0x0007_0000,
    };
    assert_eq!(difference, word);
    assert_ne!(left, right);
    assert_ne!(left.digest(), right.digest());
}

#[test]
fn digest_of_the_empty_image_is_the_fnv_offset_basis() {
    assert_eq!(MemoryImage::new().digest(), 0xcbf2_9ce4_8422_2325);
}

#[test]
fn digest_never_changes_between_versions() {
    let (mut image, a, _) = two_buffers();
    image.write_u32(a, 42).unwrap();
    assert_eq!(image.digest(), 0xcff9_9d84_f74d_3f5f);
}

#[test]
fn module_variable_lies_at_its_address_with_its_contents() {
    let (mut image, a, _) = two_buffers();
    image
        .place_variable("table", MODULE_BASE + 64, &[1, 2, 3], 12)
        .unwrap();
    assert_eq!(image.read_u32(MODULE_BASE + 64), Ok(0x0003_0201));
    image.write_u32(MODULE_BASE + 72, 7).unwrap();
    assert_eq!(image.slice(MODULE_BASE + 64, 12).unwrap()[8], 7);
    assert_eq!(image.read_u32(a), Ok(0));
    assert!(image.read_u8(MODULE_BASE + 256).is_err());
    assert_eq!(image.allocations()[0].name, "table");
}

#[test]
fn module_variable_on_a_taken_place_is_refused() {
    let (mut image, ..) = two_buffers();
    image.place_variable("x", MODULE_BASE, &[], 8).unwrap();
    for addr in [MODULE_BASE + 4, MODULE_BASE - 8, FIRST_BASE - 4] {
        assert!(matches!(
            image.place_variable("y", addr, &[], 8),
            Err(AllocationError::Misplaced { .. })
        ));
    }
}
