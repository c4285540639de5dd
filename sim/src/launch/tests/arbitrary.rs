//! Whatever the text or file, reading it ends in a result.

use std::path::Path;

use proptest::prelude::*;

use super::*;

/// Pieces of launch files, so that random text gets past the first line.
fn launch_like() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "kernel = \"k\"\n",
        "grid = [1,1,1]\n",
        "block = 32\n",
        "[[arg]]\n",
        "[[check]]\n",
        "[[save]]\n",
        "buffer = \"x\"\n",
        "type = \"u8\"\n",
        "length = 9\n",
        "contents = ",
        "\"iota\"\n",
        "{ random = ",
        "{ seed = 1, min = 0, max = 3 } }\n",
        "value = ",
        "-1\n",
        "0x7f\n",
        "1e400\n",
        "nan\n",
        "npy = \"x\"\n",
        "equals_buffer = \"x\"\n",
        "shape = [3, 3]\n",
        "abs = 1\n",
        "ä = 'ö'\n",
        "\u{feff}",
        "[",
        "]",
        "{",
        "}",
        "99999999999999999999999999999999999999999999\n",
        "arg = 3\n",
        "\"\"\"",
        "\\u",
        "# \n",
        "\r\n",
        "\0",
    ]);
    prop::collection::vec(pieces, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn reading_any_text_ends_in_a_launch_or_an_error_with_words(
        text in prop_oneof![launch_like(), any::<String>(), any::<Vec<u8>>().prop_map(|b| String::from_utf8_lossy(&b).into_owned())]
    ) {
        match LaunchSpec::parse(&text, "any.toml") {
            Ok(spec) => { let _ = spec.prepare(Path::new("no such folder")); }
            Err(error) => {
                prop_assert!(!error.to_string().is_empty());
                prop_assert!(!error.kind().cure().is_empty());
            }
        }
    }

    #[test]
    fn damaging_one_byte_of_a_good_file_never_panics(at in 0..GOOD.len(), byte in 0_u8..128) {
        let mut bytes = GOOD.as_bytes().to_vec();
        bytes[at] = byte;
        let _ = LaunchSpec::parse(&String::from_utf8_lossy(&bytes), "damaged.toml");
    }

    #[test]
    fn numpy_files_of_every_type_come_back(
        index in 0..ElementType::ALL.len(),
        rows in 1_u64..5,
        columns in 1_u64..5,
        seed in any::<u64>(),
    ) {
        let element = ElementType::ALL[index];
        let size = rows * columns * u64::from(element.size_bytes());
        let bytes: Vec<u8> = (0..size).map(|i| (seed.wrapping_mul(i | 1) >> 32) as u8).collect();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        write_npy(&path, element, &[rows, columns], &bytes).unwrap();
        prop_assert_eq!(read_npy(&path, element, Some(rows * columns)).unwrap(), bytes);
    }

    #[test]
    fn reading_a_damaged_numpy_file_never_panics(at in 0_usize..140, byte in any::<u8>(), cut in 0_usize..200) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.npy");
        write_npy(&path, ElementType::U32, &[4], &[1; 16]).unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[at.min(last)] = byte;
        bytes.truncate(bytes.len().min(cut.max(1)));
        std::fs::write(&path, &bytes).unwrap();
        let _ = read_npy(&path, ElementType::U32, None);
    }
}
