//! Brackets that are not closed, told where they were opened.

use super::tokens::{Sort, Token};

/// A bracket without its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unpaired<'s> {
    /// It was opened and is not closed; with the token at which that shows, if it is not the end of the script.
    Open(Token<'s>, Option<Token<'s>>),
    /// It closes nothing.
    Close(Token<'s>),
}

/// The bracket that closes another.
pub(super) fn partner(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// Words that begin a statement, which cannot stand between round or square brackets.
const STATEMENTS: [&str; 6] = ["let", "const", "return", "throw", "for", "while"];

/// The first bracket without its partner.
pub(super) fn unpaired<'s>(tokens: &[Token<'s>]) -> Option<Unpaired<'s>> {
    find(tokens, true)
}

/// The same by the brackets alone, wherever functions begin.
pub(super) fn unpaired_brackets<'s>(tokens: &[Token<'s>]) -> Option<Unpaired<'s>> {
    find(tokens, false)
}

fn find<'s>(tokens: &[Token<'s>], minds_functions: bool) -> Option<Unpaired<'s>> {
    let mut open: Vec<Token<'s>> = Vec::new();
    // A brace that was closed by one which stands further to the left than the line that opened it.
    let mut slanted: Option<Token<'s>> = None;
    for (index, token) in tokens.iter().enumerate() {
        let top = open.last().copied();
        match token.sort {
            Sort::Open => open.push(*token),
            Sort::Close => match top {
                None => return Some(Unpaired::Close(*token)),
                Some(top) if partner(top.text) == token.text => {
                    let is_slanted = token.is_first && top.line < token.line && token.indent < top.indent;
                    if token.text == "}" && is_slanted {
                        slanted = slanted.or(Some(top));
                    }
                    open.pop();
                }
                Some(top) => {
                    // Where the bracket closes one further out, those within are open; else it is the one too many.
                    let closes_outer = open.iter().any(|outer| partner(outer.text) == token.text);
                    return Some(if closes_outer {
                        Unpaired::Open(top, Some(*token))
                    } else {
                        Unpaired::Close(*token)
                    });
                }
            },
            Sort::Mark if token.is(";") => {
                if let Some(top) = top.filter(|top| matches!(top.text, "(" | "[")) {
                    return Some(Unpaired::Open(top, Some(*token)));
                }
            }
            Sort::Word if STATEMENTS.contains(&token.text) && token.is_first => {
                let is_key = tokens.get(index + 1).is_some_and(|next| next.is(":"));
                if let Some(top) = top.filter(|top| matches!(top.text, "(" | "[") && !is_key) {
                    return Some(Unpaired::Open(top, Some(*token)));
                }
            }
            _ if minds_functions && begins_function(tokens, index) => {
                if let Some(top) = top {
                    return Some(Unpaired::Open(slanted.unwrap_or(top), Some(*token)));
                }
                slanted = None;
            }
            _ => {}
        }
    }
    let top = open.last().copied()?;
    Some(Unpaired::Open(slanted.unwrap_or(top), None))
}

/// Whether a token begins a function, which stands outside of all brackets.
fn begins_function(tokens: &[Token<'_>], index: usize) -> bool {
    let at = |offset: usize| tokens.get(index + offset);
    let Some(token) = at(0).filter(|token| token.is_first) else {
        return false;
    };
    let is_name = |offset| at(offset).is_some_and(|token: &Token<'_>| token.sort == Sort::Word);
    token.sort == Sort::Doc && token.indent == 0 || token.is("fn") && is_name(1) || token.is("private") && is_name(2)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    fn found(script: &str) -> String {
        match unpaired(&tokens(script)) {
            None => "fine".to_owned(),
            Some(Unpaired::Open(open, shows)) => {
                let shows = shows.map_or("the end".to_owned(), |token| format!("{}:{}", token.line, token.column));
                format!("{} {}:{} open, shows at {shows}", open.text, open.line, open.column)
            }
            Some(Unpaired::Close(close)) => format!("{} {}:{} too many", close.text, close.line, close.column),
        }
    }

    #[test]
    fn what_is_whole_is_fine() {
        let script = "// ( [\nfn f() { `a ${ [1, \"}\"][0] } (` + \"[\" }\n/* { */\nfn g(a) { #{ b: [a] } }";
        assert_eq!(found(script), "fine");
    }

    #[test]
    fn a_bracket_is_told_where_it_was_opened() {
        assert_eq!(found("fn f() {\n    let a = [1, 2;\n    a\n}"), "[ 2:13 open, shows at 2:18");
        assert_eq!(found("fn f() {\n    g(h(1);\n}"), "( 2:6 open, shows at 2:11");
        assert_eq!(found("fn f() {\n    let a = [1, 2\n}"), "[ 2:13 open, shows at 3:1");
        assert_eq!(found("fn f() {\n    g(1))\n}"), ") 2:9 too many");
        assert_eq!(found("const A = [1, 2\nfn f() { 1 }"), "[ 1:11 open, shows at 2:1");
        assert_eq!(found("fn f() { `a ${ g(1 }` }"), "( 1:17 open, shows at 1:20");
    }

    #[test]
    fn a_brace_is_found_by_how_lines_are_indented() {
        let inner = "fn f() {\n    if a {\n        b();\n    c()\n}\n\n/// 1 The next.\nfn g() { 1 }";
        assert_eq!(found(inner), "{ 2:10 open, shows at 7:1");
        assert_eq!(found("fn f() {\n    if a { b() }\n\nfn g() { 1 }"), "{ 1:8 open, shows at 4:1");
        assert_eq!(
            found("fn f() {\n    if a {\n        b()\n    c()\n}\n"),
            "{ 2:10 open, shows at the end"
        );
    }
}
