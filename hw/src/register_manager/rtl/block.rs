//! Makes the blocks of one system.

/// Blocks with all ports and the children of one system, or of systems that differ in their children only.
///
/// - `blocks`: their names, sizes and children.
/// - `clocked`: children that have a clock; `unclocked`: a wire for the clock where none has.
/// - `asks`: pins of a child that are the ports of the same names; `asks_as`: those of other names.
/// - `within`: pins of a child that another child drives.
/// - `answers`, `answers_as`: ports that a child drives.
/// - `idle`: ports that the system does not have, and their constants; `idle_w16`, `idle_w48`, `idle_w64`: those of which
///   the width, or which others have it, depends on the size.
/// - `unread`: ports that it does not read. They meet in a wire with `unused` in its name, of which Verilator knows that
///   nobody is to read it.
macro_rules! register_manager {
    (
        blocks { $($(#[$doc:meta])* $name:ident of $size:ident $children:tt)+ }
        idle_w16 $w16:tt
        idle_w48 $w48:tt
        idle_w64 $w64:tt
        system $system:tt
    ) => {
        $(register_manager!($size { $w16 $w48 $w64 } { $(#[$doc])* $name $children } $system);)+
    };
    (w16 { $idle:tt $w48:tt $w64:tt } $block:tt $system:tt) => {
        with_ports!(register_manager w16 $block $idle $system);
    };
    (w48 { $w16:tt $idle:tt $w64:tt } $block:tt $system:tt) => {
        with_ports!(register_manager w48 $block $idle $system);
    };
    (w64 { $w16:tt $w48:tt $idle:tt } $block:tt $system:tt) => {
        with_ports!(register_manager w64 $block $idle $system);
    };
    (
        ports of $size:ident
        { $(#[$doc:meta])* $name:ident { $($child:ident: [$($child_ty:tt)+]),+ } }
        { $($sized:ident: [$($sized_ty:tt)+] = [$($sized_value:tt)+] => $($sized_idle:ident),+;)* }
        {
            clocked { $($clocked:ident),* }
            unclocked { $($unclocked:ident),* }
            asks { $($ask:ident { $($asked:ident),+ })* }
            asks_as { $($to:ident.$to_pin:ident = $port_in:ident;)* }
            within { $($inner:ident.$inner_pin:ident = $from:ident.$from_pin:ident;)* }
            answers { $($answer:ident { $($answered:ident),+ })* }
            answers_as { $($port_out:ident = $by:ident.$by_pin:ident;)* }
            idle { $($constant:ident: [$($constant_ty:tt)+] = [$($value:tt)+] => $($idle:ident),+;)* }
            unread {
                bits { $($unread_bit:ident),* }
                buses { $($unread_bus:ident),* }
            }
        }
        inputs { $($in:ident: [$($in_ty:tt)+],)+ }
        outputs { $($out:ident: [$($out_ty:tt)+],)+ }
    ) => {
        $(#[$doc])*
        ///
        /// The ports are documented at [`RegisterManagerIn`](crate::register_manager::RegisterManagerIn) and
        /// [`RegisterManagerOut`](crate::register_manager::RegisterManagerOut).
        #[derive(LogicBlock)]
        pub struct $name {
            /// Rising edge changes the state.
            pub clock: Signal<In, Clock>,
            $(
                #[doc = concat!("Input `", stringify!($in), "`.")]
                pub $in: Signal<In, $($in_ty)+>,
            )+
            $(
                #[doc = concat!("Output `", stringify!($out), "`.")]
                pub $out: Signal<Out, $($out_ty)+>,
            )+
            $($child: crate::common::lazy::Lazy<$($child_ty)+>,)+
            $($constant: Constant<$($constant_ty)+>,)*
            $($sized: Constant<$($sized_ty)+>,)*
            $($unclocked: Signal<Local, Clock>,)*
            unused_pins: Signal<Local, bool>,
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    clock: Signal::default(),
                    $($in: Signal::default(),)+
                    $($out: Signal::default(),)+
                    $($child: Default::default(),)+
                    $($constant: Constant::new($($value)+),)*
                    $($sized: Constant::new($($sized_value)+),)*
                    $($unclocked: Signal::default(),)*
                    unused_pins: Signal::default(),
                }
            }
        }

        impl Logic for $name {
            #[hdl_gen]
            #[crate::common::word::machine_words]
            fn update(&mut self) {
                $(clock!(self, clock, $clocked);)*
                $($(self.$ask.$asked.next = self.$asked.val();)+)*
                $(self.$to.$to_pin.next = self.$port_in.val();)*
                $(self.$inner.$inner_pin.next = self.$from.$from_pin.val();)*
                $($(self.$answered.next = self.$answer.$answered.val();)+)*
                $(self.$port_out.next = self.$by.$by_pin.val();)*
                $($(self.$idle.next = self.$constant.val();)+)*
                $($(self.$sized_idle.next = self.$sized.val();)+)*
                $(self.$unclocked.next = self.clock.val();)*
                self.unused_pins.next =
                    false $(| self.$unread_bit.val())* $(| (self.$unread_bus.val().any()))*;
            }
        }

        manager_block!($name of $size { $($in),+ } { $($out),+ });
    };
}
pub(super) use register_manager;
