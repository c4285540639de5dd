//! NumPy files, checks and saves.

use super::*;

const CHECKED: &str = r#"
kernel = "k"
grid = 1
block = 1
[[arg]]
buffer = "x"
type = "f32"
length = 4
[[arg]]
buffer = "y"
type = "f32"
length = 4
contents = { constant = 2.0 }
[[check]]
buffer = "x"
equals_buffer = "y"
abs = 0.25
[[save]]
buffer = "y"
npy = "y.npy"
shape = [2, 2]
"#;

#[test]
fn check_accepts_within_the_tolerance_and_names_the_first_element_beyond() {
    let launch = prepared(CHECKED);
    let mut image = launch.memory.clone();
    let base = launch.buffer("x").unwrap().base;
    for (index, value) in [2.25_f32, 1.75, 2.0, 2.0].into_iter().enumerate() {
        image
            .write_u32(base + 4 * index as u64, value.to_bits())
            .unwrap();
    }
    assert!(launch.check(&image)[0].passed());
    image.write_u32(base + 8, 2.5_f32.to_bits()).unwrap();
    let result = &launch.check(&image)[0];
    assert!(
        matches!(
            result.outcome,
            CheckOutcome::Differs {
                count: 1,
                first: 2,
                ..
            }
        ),
        "{result}"
    );
    image.write_u32(base + 8, f32::NAN.to_bits()).unwrap();
    assert!(!launch.check(&image)[0].passed());
}

#[test]
fn check_without_tolerance_is_exact() {
    let launch = prepared(&CHECKED.replace("abs = 0.25", ""));
    let mut image = launch.memory.clone();
    let (x, y) = (
        launch.buffer("x").unwrap().base,
        launch.buffer("y").unwrap().base,
    );
    for offset in (0..16).step_by(4) {
        image
            .write_u32(x + offset, image.read_u32(y + offset).unwrap())
            .unwrap();
    }
    assert!(launch.check(&image)[0].passed());
    let bits = image.read_u32(x).unwrap();
    image.write_u32(x, bits + 1).unwrap();
    assert!(!launch.check(&image)[0].passed());
}

#[test]
fn saved_buffer_is_what_a_launch_reads_back_and_nothing_else_is_left_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let launch = prepared(CHECKED);
    let files = launch.save(&launch.memory, folder.path()).unwrap();
    assert_eq!(files, [folder.path().join("y.npy")]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    let again =
        "kernel='k'\ngrid=1\nblock=1\n[[arg]]\nbuffer='y'\ntype='f32'\ncontents={ npy = 'y.npy' }";
    let again = LaunchSpec::parse(again, "again.toml")
        .unwrap()
        .prepare(folder.path())
        .unwrap();
    assert_eq!(floats(&again, "y"), [2.0; 4]);
}

#[test]
fn failed_save_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("taken");
    std::fs::create_dir(&target).unwrap();
    assert!(write_npy(&target, ElementType::U8, &[3], &[1, 2, 3]).is_err());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(
        write_npy(
            &folder.path().join("x.npy"),
            ElementType::U8,
            &[4],
            &[1, 2, 3]
        )
        .is_err()
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn data_file_of_wrong_type_length_or_size_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.npy");
    let problem = |element, length| read_npy(&path, element, length).unwrap_err().to_string();
    assert!(problem(ElementType::U32, None).contains("in.npy: cannot be read"));
    std::fs::write(&path, b"not numpy").unwrap();
    assert!(problem(ElementType::U32, None).contains("is not a NumPy file"));
    write_npy(&path, ElementType::S32, &[2, 3], &[7; 24]).unwrap();
    assert!(problem(ElementType::F32, None).contains("holds '<i4', not <f4 (f32)"));
    assert!(problem(ElementType::S32, Some(5)).contains("has 6 elements (shape [2, 3]), not 5"));
    assert!(read_npy(&path, ElementType::B32, Some(6)).is_ok());
    let whole = std::fs::read(&path).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert!(problem(ElementType::S32, Some(6)).contains("has 23 bytes of data"));
    std::fs::write(&path, whole.iter().chain([&0]).copied().collect::<Vec<_>>()).unwrap();
    assert!(problem(ElementType::S32, Some(6)).contains("has 25 bytes of data"));
}

#[test]
fn missing_data_file_is_told_with_the_place_in_the_launch_file() {
    let text = "kernel='k'\ngrid=1\nblock=1\n[[arg]]\nbuffer='y'\ntype='f32'\ncontents={ npy = 'none.npy' }";
    let folder = tempfile::tempdir().unwrap();
    let error = LaunchSpec::parse(text, "l.toml")
        .unwrap()
        .prepare(folder.path())
        .unwrap_err();
    assert!(error.to_string().starts_with("l.toml:5:8: "), "{error}");
    assert!(error.to_string().contains("none.npy"), "{error}");
}

#[test]
fn fortran_order_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.npy");
    write_npy(&path, ElementType::U8, &[2, 2], &[1, 2, 3, 4]).unwrap();
    let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
    assert!(text.contains("False"));
    let bytes = std::fs::read(&path).unwrap();
    let at = bytes
        .windows(5)
        .position(|window| window == b"False")
        .unwrap();
    let mut fortran = bytes.clone();
    fortran[at..at + 5].copy_from_slice(b"True ");
    std::fs::write(&path, fortran).unwrap();
    assert!(
        read_npy(&path, ElementType::U8, None)
            .unwrap_err()
            .to_string()
            .contains("Fortran")
    );
}
