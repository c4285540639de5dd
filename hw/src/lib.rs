//! Hardware units.
