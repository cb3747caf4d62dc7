//! The rulesets: what each does, what it is asked, and how the program has to answer.

/// Which command an attack is run with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// `check`: the match cannot even begin.
    Check,
    /// `engine`, with requests.
    Engine,
    /// `arena`, two matches.
    Arena,
}

/// A ruleset that tries to harm the program it runs in.
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    pub(crate) way: Way,
    /// Width and height of the board.
    pub(crate) board: (u32, u32),
    /// Declarations beside those of every attack.
    declarations: String,
    /// What the action `mark` picks.
    picks: &'static str,
    /// Actions beside `mark` and `answer`.
    actions: String,
    hooks: String,
    /// What the engine is asked, as `do` with its fields.
    pub(crate) asked: &'static [&'static str],
    /// Codes of which one has to be told, and none but these. `done` where all may go well.
    pub(crate) codes: &'static [&'static str],
}

impl Attack {
    fn new(name: &'static str, way: Way, codes: &'static [&'static str], hooks: impl Into<String>) -> Self {
        Self {
            name,
            way,
            board: (3, 3),
            declarations: String::new(),
            picks: "#{ name: \"what\", pick: \"cell\" }",
            actions: String::new(),
            hooks: hooks.into(),
            asked: PLAY,
            codes,
        }
    }

    fn on(mut self, width: u32, height: u32) -> Self {
        self.board = (width, height);
        self
    }

    fn declaring(mut self, declarations: impl Into<String>) -> Self {
        self.declarations = declarations.into();
        self
    }

    fn picking(mut self, picks: &'static str) -> Self {
        self.picks = picks;
        self
    }

    fn with_actions(mut self, actions: String) -> Self {
        self.actions = actions;
        self
    }

    fn asked(mut self, asked: &'static [&'static str]) -> Self {
        self.asked = asked;
        self
    }

    /// The script: what every attack has, unless it has its own.
    pub(crate) fn script(&self) -> String {
        let mut script = format!(
            "fn ruleset() {{ #{{ seats: [#{{ name: \"red\", colour: \"#ff0000\" }}, #{{ name: \"blue\", colour: \"#0000ff\" }}], \
             kinds: [#{{ name: \"mark\" }}], actions: [#{{ name: \"mark\", picks: [{}] }}, \
             #{{ name: \"answer\", answers: true }}, {}], {} }} }}\n",
            self.picks, self.actions, self.declarations
        );
        let has = |hook: &str| self.hooks.contains(&format!("fn {hook}("));
        for (hook, usual) in [
            ("mark_what", "(view) { view.empty }"),
            (
                "do_mark",
                "(turn, picked) { turn.create(\"mark\", turn.seat, picked.what); turn.end_turn(); }",
            ),
            ("do_answer", "(turn, picked) { }"),
        ] {
            let is_of_pattern = hook.ends_with("mark") && has("pattern_mark") || hook == "mark_what" && has("pattern_mark");
            if !has(hook) && !is_of_pattern {
                script.push_str(&format!("fn {hook}{usual}\n"));
            }
        }
        script.push_str(&self.hooks);
        script
    }
}

const NUMBER: &str = "#{ name: \"what\", pick: \"number\" }";
const CELLS: &str = "#{ name: \"what\", pick: \"cells\" }";
const PATH: &str = "#{ name: \"piece\", pick: \"piece\" }, #{ name: \"way\", pick: \"path\" }";

const PLAY: &[&str] = &[r#""do":"play","text":"mark a1""#];
const LEGAL: &[&str] = &[r#""do":"legal""#];
const LOOKS: &[&str] = &[r#""do":"looks""#];
/// Followed by what the computer player says.
const HINT: &[&str] = &[r#""do":"hint","milliseconds":500"#];
const PREVIEW: &[&str] = &[r#""do":"preview","seat":0,"action":0,"picks":[{"cell":0}]"#];

/// About as many steps as take `milliseconds` in a release build.
fn steps(milliseconds: u32) -> String {
    format!("let n = 0; while n < {} {{ n += 1; }}", milliseconds * 3_000)
}

/// Automatic phases, each of which takes a part of what a request may take.
const PHASES: u32 = 60;

fn phases() -> String {
    let names = (0..PHASES).map(|n| format!("#{{ name: \"p{n}\", automatic: true }}"));
    names.collect::<Vec<_>>().join(", ")
}

fn slow_phases() -> String {
    (0..PHASES).map(|n| format!("fn enter_p{n}(turn) {{ {} }}\n", steps(40))).collect()
}

/// Makes a text `t` of 16 kilobytes.
const BIG_TEXT: &str = "let t = \"0123456789abcdef\"; for i in 0..10 { t += t; }";

/// What holds a match up before anybody can act.
pub(crate) fn beginnings() -> Vec<Attack> {
    use Way::Check;
    let all = |hook: &str| format!("fn start(turn) {{ {BIG_TEXT} loop {{ {hook} }} }}");
    vec![
        Attack::new(
            "phases-without-end",
            Check,
            &["budget-request"],
            format!("fn enter_play(turn) {{ {} turn.end_turn(); }}", steps(10)),
        ),
        Attack::new(
            "many-short-phases",
            Check,
            &["endless-phases", "budget-request"],
            "fn enter_play(turn) { turn.end_turn(); }",
        ),
        Attack::new("slow-phases", Check, &["budget-request"], slow_phases())
            .declaring(format!("phases: [{}, #{{ name: \"play\" }}]", phases())),
        Attack::new("notes", Check, &["budget-size"], all("turn.note(t);")),
        Attack::new(
            "notes-caught",
            Check,
            &["budget-time", "budget-operations", "budget-size"],
            all("try { turn.note(t); } catch { }"),
        ),
        Attack::new(
            "rolls",
            Check,
            &["budget-size", "budget-draws", "budget-operations", "budget-time"],
            all("turn.roll(\"1000d1000000\", t);"),
        ),
        Attack::new(
            "questions",
            Check,
            &["budget-size", "open-question"],
            all("turn.ask(turn.seat, \"answer\", #{ a: t, b: t, c: t });"),
        ),
        Attack::new(
            "questions-caught",
            Check,
            &["budget-time", "budget-operations", "budget-size"],
            all("let m = #{}; for i in 0..300 { m[\"k\" + i] = t; } try { turn.ask(turn.seat, \"answer\", m); } catch { }"),
        ),
        Attack::new(
            "many-questions",
            Check,
            &["budget-effects", "budget-operations", "budget-time", "budget-size"],
            "fn start(turn) { loop { turn.ask(turn.seats, \"answer\", #{}); } }",
        ),
        Attack::new(
            "pieces-without-end",
            Check,
            &["budget-effects", "budget-operations", "budget-time"],
            "fn start(turn) { loop { turn.create(\"mark\", turn.cell(\"a1\")); } }",
        ),
        Attack::new(
            "choices-caught",
            Check,
            &["budget-operations", "budget-time"],
            "fn start(turn) { loop { try { turn.choose(turn.cells, \"x\"); } catch { } } }",
        )
        .on(200, 200),
        Attack::new(
            "shuffles-caught",
            Check,
            &["budget-operations", "budget-time", "budget-size"],
            "fn start(turn) { loop { try { turn.shuffled(turn.cells, \"x\"); } catch { } } }",
        )
        .on(200, 200),
        Attack::new(
            "declarations-without-end",
            Check,
            &["budget-operations", "budget-time"],
            "const X = forever(); fn forever() { loop { } }",
        )
        .declaring("idle: X"),
        Attack::new(
            "endings-without-end",
            Check,
            &["budget-operations", "budget-time"],
            "fn outcome(view) { loop { } }",
        ),
    ]
}

/// Lists that are too long, too large, or made too slowly.
pub(crate) fn lists() -> Vec<Attack> {
    use Way::Engine;
    let numbers = |to: &str| format!("fn mark_what(view) {{ numbers(1, {to}) }} fn do_mark(turn, picked) {{ }}");
    let actions: Vec<String> = (0..80).map(|n| format!("#{{ name: \"a{n}\" }}")).collect();
    let slow_may: Vec<String> = (0..80)
        .map(|n| format!("fn may_a{n}(view) {{ {} false }} fn do_a{n}(turn, picked) {{ }}", steps(40)))
        .collect();
    let pattern_actions: Vec<String> = (0..60).map(|n| format!("#{{ name: \"p{n}\", picks: [{PATH}] }}")).collect();
    let mut pattern_hooks: Vec<String> = (0..60)
        .map(|n| format!("fn pattern_p{n}(view) {{ [slide().times(200)] }}"))
        .collect();
    pattern_hooks.push("fn start(turn) { turn.create(\"mark\", turn.seats[0], turn.cell(\"a1\")); }".to_owned());
    vec![
        Attack::new("numbers-without-end", Engine, &["too-many-actions"], numbers("1000000000000"))
            .picking(NUMBER)
            .asked(LEGAL),
        Attack::new(
            "slow-notation",
            Engine,
            &["budget-request"],
            format!("{} fn notation_mark(view, picked) {{ {} \"x\" }}", numbers("199999"), steps(1)),
        )
        .picking(NUMBER)
        .asked(LEGAL),
        Attack::new(
            "large-notation",
            Engine,
            &["budget-size", "budget-request"],
            format!(
                "{} const T = text(); fn text() {{ {BIG_TEXT} t }} fn notation_mark(view, picked) {{ T }}",
                numbers("20000")
            ),
        )
        .picking(NUMBER)
        .asked(LEGAL),
        Attack::new(
            "large-picks",
            Engine,
            &["too-many-actions"],
            "fn mark_what(view) { some(view.cells, 39998, 40000) } fn do_mark(turn, picked) { }",
        )
        .on(200, 200)
        .picking(CELLS)
        .asked(LEGAL),
        Attack::new(
            "picks-of-any-size",
            Engine,
            &["too-many-actions"],
            "fn mark_what(view) { some(view.cells, 0, 100) } fn do_mark(turn, picked) { }",
        )
        .on(10, 10)
        .picking(CELLS)
        .asked(LEGAL),
        Attack::new("slow-sorts", Engine, &["budget-request"], slow_may.join("\n"))
            .with_actions(actions.join(", "))
            .asked(LEGAL),
        Attack::new(
            "steps-back-and-forth",
            Engine,
            &["too-many-actions"],
            "fn start(turn) { turn.create(\"mark\", turn.seats[0], turn.cell(\"a1\")); } fn pattern_mark(options) { [step().repeated()] }",
        )
        .picking(PATH)
        .on(20, 20)
        .asked(LEGAL),
        Attack::new(
            "slides-back-and-forth",
            Engine,
            &["too-many-actions"],
            "fn start(turn) { turn.create(\"mark\", turn.seats[0], turn.cell(\"a1\")); } fn pattern_mark(options) { [slide().times(200)] }",
        )
        .picking(PATH)
        .on(20, 20)
        .asked(LEGAL),
        Attack::new(
            "many-patterns",
            Engine,
            &["too-many-actions", "budget-request", "done"],
            pattern_hooks.join("\n"),
        )
        .with_actions(pattern_actions.join(", "))
        .on(20, 20)
        .asked(LEGAL),
        Attack::new(
            "slow-domain",
            Engine,
            &["budget-operations", "budget-time"],
            "fn mark_what(view) { loop { } }",
        )
        .asked(LEGAL),
    ]
}

/// Looks that are too large or made too slowly.
pub(crate) fn looks() -> Vec<Attack> {
    use Way::Engine;
    let cell = |hook: String| format!("fn look_cell(view, cell) {{ {hook} }}");
    vec![
        Attack::new(
            "many-overlays",
            Engine,
            &["budget-size", "budget-request"],
            cell("let l = []; for i in 0..1900 { l.push(\"a.svg\"); } #{ overlays: l }".to_owned()),
        )
        .on(100, 100)
        .asked(LOOKS),
        Attack::new(
            "large-labels",
            Engine,
            &["budget-size", "budget-request"],
            format!(
                "const T = text(); fn text() {{ {BIG_TEXT} t }} {}",
                cell("#{ label: T }".to_owned())
            ),
        )
        .on(200, 200)
        .asked(LOOKS),
        Attack::new(
            "slow-cells",
            Engine,
            &["budget-request"],
            cell(format!("{} #{{ glyph: \"x\" }}", steps(1))),
        )
        .on(100, 100)
        .asked(LOOKS),
        Attack::new(
            "slow-preview",
            Engine,
            &["budget-request", "done"],
            format!(
                "fn start(turn) {{ for c in turn.cells {{ turn.create(\"mark\", turn.seats[0], c); }} }} \
                     fn mark_what(view) {{ view.cells }} fn look_piece(view, piece) {{ {} () }}",
                steps(5)
            ),
        )
        .on(30, 30)
        .asked(PREVIEW),
        Attack::new(
            "large-panel",
            Engine,
            &["budget-size", "done"],
            format!("fn panel(view) {{ {BIG_TEXT} let l = []; for i in 0..900 {{ l.push([t, t]); }} l }}"),
        )
        .asked(LOOKS),
    ]
}

/// Words that take long, in an action.
pub(crate) fn words() -> Vec<Attack> {
    use Way::Engine;
    let budget: &[&str] = &["budget-operations", "budget-time"];
    let act = |body: &str| format!("fn do_mark(turn, picked) {{ {body} }}");
    let on_large = |name, body: &str| Attack::new(name, Engine, budget, act(body)).on(200, 200);
    vec![
        on_large("distances", "turn.distances(turn.cells, turn.cells);"),
        on_large("neighbours", "loop { turn.cells.neighbours; }"),
        on_large("rows", "loop { turn.cells.has_row(100000); }"),
        on_large(
            "dilations",
            "let a = turn.cells & turn.cell(\"a1\").neighbours; loop { a.dilate(100000); }",
        ),
        on_large("components", "loop { turn.empty.components; }"),
        on_large("pieces-of-cells", "loop { turn.cells.pieces; }"),
        on_large("filters", "loop { let kept = turn.cells.filter(|c| true); }"),
        on_large("floods", "loop { turn.cell(\"a1\").neighbours.flood(turn.cells); }"),
        on_large("reaches", "loop { turn.reach(turn.cell(\"a1\"), #{ points: 1000000 }); }"),
        on_large(
            "paths",
            "loop { turn.path(turn.cell(\"a1\"), turn.cells.first, #{}); turn.path(turn.cell(\"a1\"), turn.cell_at(199, 199), #{}); }",
        ),
        on_large("loops-left-early", "loop { for c in turn.cells { break; } }"),
    ]
}

/// Values that grow, and scripts that do not give up.
pub(crate) fn values() -> Vec<Attack> {
    use Way::Engine;
    let act = |body: &str| format!("fn do_mark(turn, picked) {{ {body} }}");
    vec![
        Attack::new("text-doubled", Engine, &["budget-size"], act("let t = \"x\"; loop { t += t; }")),
        Attack::new("list-doubled", Engine, &["budget-size"], act("let l = [1]; loop { l += l; }")),
        Attack::new(
            "lists-kept",
            Engine,
            &["budget-size", "budget-time", "budget-operations"],
            act("let l = []; loop { let m = []; for i in 0..1999 { m.push(i); } l.push(m); }"),
        ),
        Attack::new(
            "recursion",
            Engine,
            &["budget-depth"],
            format!("fn deeper(n) {{ deeper(n + 1) }} {}", act("deeper(0);")),
        ),
        Attack::new(
            "swallowed",
            Engine,
            &["budget-operations", "budget-time"],
            act("loop { try { loop { } } catch { } }"),
        ),
        Attack::new(
            "printed",
            Engine,
            &["budget-operations", "budget-time"],
            act("loop { print(\"again and again\"); }"),
        ),
        Attack::new("thrown", Engine, &["thrown"], act("throw \"no\";")),
        Attack::new(
            "constants",
            Engine,
            &["budget-operations", "budget-time"],
            act("let l = [1, 2]; loop { l = l.map(|x| x); }"),
        ),
        Attack::new(
            "reason-of-an-end",
            Engine,
            &["budget-size", "done"],
            act(&format!("{BIG_TEXT} turn.end_match(win(turn.seat, t, t));")),
        ),
        Attack::new(
            "hidden-slowly",
            Engine,
            &["budget-request", "budget-time", "done"],
            format!("fn visible(view) {{ {} view.cells }}", steps(100)),
        )
        .declaring("fog: true"),
    ]
}

/// What a computer player asks while it looks for a hint.
pub(crate) fn hints() -> Vec<Attack> {
    use Way::Engine;
    let budget: &[&str] = &["budget-operations", "budget-time", "budget-request", "done"];
    vec![
        Attack::new("hint-value", Engine, budget, "fn value(view, seat) { loop { } }").asked(HINT),
        Attack::new("hint-prior", Engine, budget, "fn prior(view, picked) { loop { } }").asked(HINT),
        Attack::new(
            "hint-action",
            Engine,
            budget,
            "fn do_mark(turn, picked) { loop { turn.cells.neighbours; } }",
        )
        .on(100, 100)
        .asked(HINT),
        Attack::new(
            "hint-slow-list",
            Engine,
            budget,
            format!("fn may_mark(view) {{ {} true }}", steps(200)),
        )
        .asked(HINT),
        Attack::new(
            "hint-candidates",
            Engine,
            &[
                "budget-operations",
                "budget-time",
                "budget-request",
                "budget-size",
                "illegal-candidate",
                "wrong-result",
                "done",
            ],
            "fn candidates_mark(view) { let l = []; for i in 0..1900 { l.push(#{ what: view.cell(\"a1\") }); } l }",
        )
        .asked(HINT),
    ]
}

/// Matches that nobody watches.
pub(crate) fn arenas() -> Vec<Attack> {
    use Way::Arena;
    vec![
        Attack::new(
            "arena-of-slow-actions",
            Arena,
            &["budget-request"],
            format!("fn do_mark(turn, picked) {{ turn.next_phase(); }} {}", slow_phases()),
        )
        .declaring(format!("phases: [#{{ name: \"play\" }}, {}]", phases())),
        Attack::new(
            "arena-of-large-picks",
            Arena,
            &["too-many-actions"],
            "fn mark_what(view) { some(view.cells, 9000, 10000) } fn do_mark(turn, picked) { throw \"no\"; }",
        )
        .on(100, 100)
        .picking(CELLS),
        Attack::new(
            "arena-of-loops",
            Arena,
            &["budget-request", "budget-operations", "budget-time"],
            "fn do_mark(turn, picked) { loop { } }",
        ),
    ]
}
