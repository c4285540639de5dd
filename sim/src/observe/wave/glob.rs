//! Patterns for scopes: `*` stands for any characters, `?` for one.

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob(String);

impl From<&str> for Glob {
    fn from(pattern: &str) -> Self {
        Glob(pattern.to_owned())
    }
}

impl std::fmt::Display for Glob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl Glob {
    /// Whether the pattern matches `text` from its start to its end.
    pub fn matches(&self, text: &str) -> bool {
        let (pattern, text) = (self.0.as_bytes(), text.as_bytes());
        let (mut p, mut t) = (0, 0);
        // Where to go on after the last `*`, one character later each time.
        let mut retry = None;
        while t < text.len() {
            match pattern.get(p) {
                Some(b'*') => {
                    retry = Some((p + 1, t));
                    p += 1;
                }
                Some(&c) if c == b'?' || c == text[t] => {
                    p += 1;
                    t += 1;
                }
                _ => match retry {
                    Some((after, from)) => {
                        retry = Some((after, from + 1));
                        (p, t) = (after, from + 1);
                    }
                    None => return false,
                },
            }
        }
        pattern[p..].iter().all(|&c| c == b'*')
    }

    /// Whether it selects the signal `name` in `scope`: it matches the signal, its scope or a scope around that.
    pub fn selects(&self, scope: &str, name: &str) -> bool {
        let mut around = scope.match_indices('.').map(|(at, _)| &scope[..at]);
        self.matches(&format!("{scope}.{name}"))
            || self.matches(scope)
            || around.any(|outer| self.matches(outer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn star_matches_any_characters_and_question_mark_one() {
        let matches = |pattern: &str, text| Glob::from(pattern).matches(text);
        assert!(matches("sm.sched*", "sm.scheduler0"));
        assert!(matches("*0*r", "a0b0cr"));
        assert!(matches("sm.scheduler?", "sm.scheduler1"));
        assert!(matches("*", ""));
        assert!(!matches("sm.scheduler?", "sm.scheduler"));
        assert!(!matches("sm", "sm.fetch"));
    }

    #[test]
    fn scope_selects_everything_inside() {
        let glob = Glob::from("sm.warps");
        assert!(glob.selects("sm.warps.warp03", "pc"));
        assert!(glob.selects("sm.warps", "ready"));
        assert!(!glob.selects("sm.fetch", "valid"));
    }
}
