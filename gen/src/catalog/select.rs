//! Which units a user means.

use super::{Entry, Value, catalog, units};

/// A choice that cannot be met.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SelectError {
    /// No such unit.
    #[error("there is no unit `{name}`; units are {}", valid.join(", "))]
    UnknownUnit {
        /// What was asked for.
        name: String,
        /// What there is.
        valid: Vec<String>,
    },
    /// No unit that was asked for has such a parameter.
    #[error("no chosen unit has a parameter `{name}`; parameters are {}", valid.join(", "))]
    UnknownParam {
        /// What was asked for.
        name: String,
        /// What there is.
        valid: Vec<String>,
    },
    /// The parameter is not offered with that value.
    #[error("`{unit}` is not offered with {name}={value}; offered are {}", valid.join(", "))]
    UnsupportedValue {
        /// The unit.
        unit: String,
        /// The parameter.
        name: String,
        /// What was asked for.
        value: String,
        /// Values it is offered with.
        valid: Vec<String>,
    },
    /// Each value is offered, but not all of them together.
    #[error("`{unit}` is not offered with these values together; offered are {}", valid.join(", "))]
    UnsupportedSet {
        /// The unit.
        unit: String,
        /// Names of the parameter sets it is offered with.
        valid: Vec<String>,
    },
}

/// The entries of the named units (none named: all) whose parameters have the wanted values. A unit may also be named
/// by its module name, which fixes its parameters.
///
/// A wanted parameter only restricts the units that have it, but at least one must have it.
///
/// # Errors
/// [`SelectError`], which lists what would have been accepted.
pub fn select(names: &[String], params: &[(String, String)]) -> Result<Vec<Entry>, SelectError> {
    let all = catalog();
    for name in names {
        if !all
            .iter()
            .any(|entry| entry.unit == name || entry.name == *name)
        {
            let valid = units().into_iter().map(String::from).collect();
            return Err(SelectError::UnknownUnit {
                name: name.clone(),
                valid,
            });
        }
    }
    let named = |entry: &Entry| {
        names.is_empty()
            || names
                .iter()
                .any(|name| entry.unit == name || entry.name == *name)
    };
    let candidates: Vec<Entry> = all.into_iter().filter(named).collect();
    for (name, value) in params {
        let known = |entry: &&Entry| entry.params.iter().any(|param| param.name == name);
        let Some(unit) = candidates.iter().find(known).map(|entry| entry.unit) else {
            return Err(SelectError::UnknownParam {
                name: name.clone(),
                valid: param_names(&candidates),
            });
        };
        let values = values_of(&candidates, name);
        if !values.iter().any(|offered| offered.is(value)) {
            let valid = values.iter().map(Value::to_string).collect();
            return Err(SelectError::UnsupportedValue {
                unit: unit.into(),
                name: name.clone(),
                value: value.clone(),
                valid,
            });
        }
    }
    let meets = |entry: &Entry| {
        params.iter().all(|(name, value)| {
            entry
                .params
                .iter()
                .find(|param| param.name == name)
                .is_none_or(|param| param.value.is(value))
        })
    };
    let (chosen, rest): (Vec<Entry>, Vec<Entry>) = candidates.into_iter().partition(meets);
    match rest
        .iter()
        .find(|entry| !chosen.iter().any(|other| other.unit == entry.unit))
    {
        Some(left) => Err(SelectError::UnsupportedSet {
            unit: left.unit.into(),
            valid: rest
                .iter()
                .filter(|entry| entry.unit == left.unit)
                .map(|entry| entry.name.clone())
                .collect(),
        }),
        None => Ok(chosen),
    }
}

fn param_names(entries: &[Entry]) -> Vec<String> {
    let mut names: Vec<_> = entries
        .iter()
        .flat_map(|entry| &entry.params)
        .map(|param| param.name.into())
        .collect();
    names.sort();
    names.dedup();
    names
}

fn values_of(entries: &[Entry], name: &str) -> Vec<Value> {
    let mut values: Vec<_> = entries
        .iter()
        .flat_map(|entry| &entry.params)
        .filter(|param| param.name == name)
        .map(|p| p.value)
        .collect();
    values.sort_unstable();
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_unit_is_refused_with_the_valid_names() {
        let error = select(&["srp_alocator".into()], &[])
            .err()
            .expect("refused");
        let text = error.to_string();
        assert!(
            text.contains("srp_alocator") && text.contains("srp_allocator"),
            "{text}"
        );
    }

    #[test]
    fn unsupported_warp_count_is_refused_with_the_offered_ones() {
        let error = select(&["srp_allocator".into()], &[("warps".into(), "47".into())])
            .err()
            .expect("refused");
        assert!(error.to_string().contains("48, 64"), "{error}");
    }

    #[test]
    fn unknown_parameter_is_refused() {
        let error = select(&["srp_allocator".into()], &[("warp".into(), "48".into())])
            .err()
            .expect("refused");
        assert!(matches!(error, SelectError::UnknownParam { .. }), "{error}");
    }

    #[test]
    fn wanted_warp_count_selects_one_allocator() {
        let chosen =
            select(&["srp_allocator".into()], &[("warps".into(), "48".into())]).expect("offered");
        assert_eq!(
            chosen
                .iter()
                .map(|entry| entry.name.as_str())
                .collect::<Vec<_>>(),
            ["srp_allocator_w48"]
        );
    }

    #[test]
    fn a_system_is_chosen_by_its_name() {
        let chosen = |system: &str| {
            let system = ("system".into(), system.into());
            select(&["register_manager".into()], &[system])
        };
        let chosen_one = chosen("rfv").expect("offered");
        assert!(!chosen_one.is_empty());
        assert!((chosen_one.iter()).all(|entry| entry.name.starts_with("register_manager_rfv_w")),);
        let error = chosen("RFV").err().expect("refused").to_string();
        assert!(
            error.contains("system=RFV") && error.contains("safe_paired"),
            "{error}"
        );
        let error = chosen("48").err().expect("refused").to_string();
        assert!(error.contains("system=48"), "{error}");
    }
}
