//! Exporter.
