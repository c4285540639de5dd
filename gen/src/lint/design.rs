//! The instance tree of a block, with the width and kind of every name that its `update` can use.

use rust_hdl::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// What a name stands for.
#[derive(Clone, Debug)]
pub struct Net {
    /// Width in bits, at least 1.
    pub width_bits: usize,
    /// A `Constant`: a `localparam` in Verilog, which never wakes an `always @(*)`.
    pub constant: bool,
    /// Number of variants, if the type is a `LogicState` enum.
    pub variants: Option<usize>,
    /// A `Signed` type: Verilog extends its sign where it is computed wider.
    pub signed: bool,
}

/// What a module does.
pub enum Code {
    /// The tree of an `#[hdl_gen]` update.
    Update(Vec<ast::VerilogStatement>),
    /// Verilog text by hand.
    Custom(String),
    /// Black box, wrapper or nothing.
    External,
}

/// One instance, which rust-hdl writes as one module.
pub struct Module {
    /// Instance path, joined by `$`: the module's name in Verilog.
    pub path: String,
    /// Name of the instance in its parent.
    pub instance: String,
    /// Every name that `update` may use, as it stands in Verilog.
    pub nets: BTreeMap<String, Net>,
    /// Names declared by the module itself.
    pub own_names: Vec<String>,
    /// Those of them that are ports.
    pub ports: BTreeSet<String>,
    /// Enum discriminants in scope, as `Type$Variant`.
    pub discriminants: BTreeSet<String>,
    /// What it does.
    pub code: Code,
}

/// The modules of `block`, parents before children.
pub fn modules(block: &dyn Block, top: &str) -> Vec<Module> {
    let mut collector = Collector::default();
    block.accept(top, &mut collector);
    collector.modules
}

#[derive(Default)]
struct Collector {
    modules: Vec<Module>,
    open: Vec<usize>,
    namespaces: Vec<String>,
}

impl Probe for Collector {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        let path = match self.open.last() {
            Some(&parent) => format!("{}${name}", self.modules[parent].path),
            None => name.to_owned(),
        };
        self.namespaces.clear();
        self.open.push(self.modules.len());
        self.modules.push(Module {
            path,
            instance: name.to_owned(),
            nets: BTreeMap::new(),
            own_names: Vec::new(),
            ports: BTreeSet::new(),
            discriminants: BTreeSet::new(),
            code: match node.hdl() {
                Verilog::Combinatorial(block) => Code::Update(block),
                Verilog::Custom(text) => Code::Custom(text),
                _ => Code::External,
            },
        });
    }

    fn visit_start_namespace(&mut self, name: &str, _: &dyn Block) {
        self.namespaces.push(name.to_owned());
    }

    fn visit_atom(&mut self, name: &str, atom: &dyn Atom) {
        let Some(&at) = self.open.last() else { return };
        let name = self
            .namespaces
            .iter()
            .map(String::as_str)
            .chain([name])
            .collect::<Vec<_>>()
            .join("$");
        let descriptor = atom.descriptor();
        let mut discriminants = Vec::new();
        discriminants_of(&descriptor, &mut discriminants);
        let net = Net {
            width_bits: atom.bits(),
            constant: atom.kind() == AtomKind::Constant,
            variants: match &descriptor.kind {
                TypeKind::Enum(labels) => Some(labels.len()),
                _ => None,
            },
            signed: matches!(descriptor.kind, TypeKind::Signed(_)),
        };
        if atom.kind().is_parameter()
            && let [.., parent, _] = self.open[..]
        {
            let stub = format!("{}${name}", self.modules[at].instance);
            self.modules[parent].nets.insert(stub, net.clone());
            self.modules[parent]
                .discriminants
                .extend(discriminants.iter().cloned());
        }
        let module = &mut self.modules[at];
        module.discriminants.extend(discriminants);
        module.own_names.push(name.clone());
        if atom.kind().is_parameter() {
            module.ports.insert(name.clone());
        }
        module.nets.insert(name, net);
    }

    fn visit_end_namespace(&mut self, _: &str, _: &dyn Block) {
        self.namespaces.pop();
    }

    fn visit_end_scope(&mut self, _: &str, _: &dyn Block) {
        self.open.pop();
    }
}

fn discriminants_of(descriptor: &TypeDescriptor, out: &mut Vec<String>) {
    match &descriptor.kind {
        TypeKind::Enum(labels) => out.extend(labels.iter().map(|label| label.replace("::", "$"))),
        TypeKind::Composite(fields) => fields
            .iter()
            .for_each(|field| discriminants_of(&field.kind, out)),
        TypeKind::Bits(_) | TypeKind::Signed(_) => {}
    }
}
