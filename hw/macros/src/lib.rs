//! What a rust-hdl block needs to be simulated fast. Neither changes the Verilog: that is written from the source that rust-hdl's
//! own macros see.

use proc_macro::TokenStream;
use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{
    BinOp, Data, DeriveInput, Expr, Fields, GenericArgument, ItemFn, Member, PathArguments, Type,
    parse_macro_input, parse_quote,
};

/// On an `update` behind `#[hdl_gen]`: shifts and slices of words are computed by `common::word`, to the same result.
///
/// rust-hdl computes each of them with numbers of any size, which are allocated. `#[hdl_gen]` stands before it, so that the Verilog is
/// written from what stands in the source.
#[proc_macro_attribute]
pub fn machine_words(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut function = parse_macro_input!(item as ItemFn);
    Words.visit_item_fn_mut(&mut function);
    quote!(#function).into()
}

struct Words;

impl VisitMut for Words {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let replaced = match expr {
            Expr::Binary(shift) => {
                let (left, right) = (bare(&shift.left), bare(&shift.right));
                match shift.op {
                    BinOp::Shl(_) => parse_quote!(crate::common::word::up(#left, #right)),
                    BinOp::Shr(_) => parse_quote!(crate::common::word::down(#left, #right)),
                    _ => return,
                }
            }
            Expr::MethodCall(call) if call.method == "get_bits" => {
                let (word, place) = (&call.receiver, &call.args);
                let Some(width) = call.turbofish.as_ref().map(|given| &given.args) else {
                    return;
                };
                parse_quote!(crate::common::word::slice::<#width, _>(#word, #place))
            }
            _ => return,
        };
        *expr = replaced;
    }
}

/// An argument needs no parentheses around it.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(within) => &within.expr,
        _ => expr,
    }
}

/// Implements `common::lazy::Inputs` for a block: whether an input has another value than it was computed with.
#[proc_macro_derive(Inputs)]
pub fn inputs(item: TokenStream) -> TokenStream {
    let input = parse_macro_input!(item as DeriveInput);
    let fields = match &input.data {
        Data::Struct(block) => match &block.fields {
            Fields::Named(fields) => &fields.named,
            _ => return refused(&input),
        },
        _ => return refused(&input),
    };
    let pending = fields.iter().filter_map(|field| {
        let name = Member::Named(field.ident.clone()?);
        if is_input(&field.ty) {
            return Some(quote!(self.#name.next != self.#name.val()));
        }
        let Type::Array(array) = &field.ty else {
            return None;
        };
        is_input(&array.elem)
            .then(|| quote!(self.#name.iter().any(|signal| signal.next != signal.val())))
    });
    let pending: Vec<_> = pending.collect();
    let name = &input.ident;
    let (generics, arguments, bounds) = input.generics.split_for_impl();
    quote! {
        impl #generics crate::common::lazy::Inputs for #name #arguments #bounds {
            fn pending(&self) -> bool {
                #(#pending)||*
            }
        }
    }
    .into()
}

fn refused(input: &DeriveInput) -> TokenStream {
    syn::Error::new_spanned(&input.ident, "a block is a struct with named fields")
        .to_compile_error()
        .into()
}

/// Whether a type is `Signal<In, ..>`.
fn is_input(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let Some(last) = path.path.segments.last() else {
        return false;
    };
    let PathArguments::AngleBracketed(given) = &last.arguments else {
        return false;
    };
    let first = given.args.first();
    let direction = match first {
        Some(GenericArgument::Type(Type::Path(direction))) => direction,
        _ => return false,
    };
    last.ident == "Signal" && direction.path.is_ident("In")
}
