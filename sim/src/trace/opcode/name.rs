//! Names of classes, as `--unknown-opcode` and `trace check` write them.

use crate::trace::record::{Class, Space};

/// Every class with its name.
pub const CLASS_NAMES: &[(&str, Class)] = &[
    ("alu", Class::Alu),
    ("int", Class::Int),
    ("sp", Class::Sp),
    ("half", Class::Half),
    ("dp", Class::Dp),
    ("sfu", Class::Sfu),
    ("tensor", Class::Tensor),
    ("branch", Class::Branch),
    ("texture", Class::Texture),
    ("uniform", Class::Uniform),
    ("load.global", Class::Load(Space::Global)),
    ("load.local", Class::Load(Space::Local)),
    ("load.shared", Class::Load(Space::Shared)),
    ("load.generic", Class::Load(Space::Generic)),
    ("store.global", Class::Store(Space::Global)),
    ("store.local", Class::Store(Space::Local)),
    ("store.shared", Class::Store(Space::Shared)),
    ("store.generic", Class::Store(Space::Generic)),
    ("atomic.global", Class::Atomic(Space::Global)),
    ("atomic.local", Class::Atomic(Space::Local)),
    ("atomic.shared", Class::Atomic(Space::Shared)),
    ("atomic.generic", Class::Atomic(Space::Generic)),
    ("async-copy", Class::AsyncCopy),
    ("barrier", Class::Barrier),
    ("fence", Class::Fence),
    ("exit", Class::Exit),
];

/// The name of a class.
pub fn class_name(class: Class) -> &'static str {
    let named = CLASS_NAMES.iter().find(|(_, named)| *named == class);
    named.expect("every class has a name").0
}

/// The class of a name.
pub fn parse_class(name: &str) -> Option<Class> {
    let named = CLASS_NAMES.iter().find(|(known, _)| *known == name);
    named.map(|&(_, class)| class)
}
