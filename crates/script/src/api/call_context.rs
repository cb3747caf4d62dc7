//! What hooks work on while they run.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, Position};

use super::super::lowered::Names;
use super::super::map_generation::MapSketch;
use super::super::value::{Answer, wrong};
use super::grounds::Grounds;
use boardwright_model::{Board, Declarations, Rejection, SeatId, State};
use boardwright_rules::{Luck, Pattern, Savepoint, Transaction};

/// The state or transaction that the running hook works on. Handles in scripts (views, turns, pieces, cells, seats) point here, so
/// that nothing a script keeps outlives its call.
pub(crate) struct CallContext {
    board: Arc<Board>,
    mode: Cell<Mode>,
    looking: RefCell<Option<Arc<State>>>,
    turn: RefCell<Transaction>,
    seat: Cell<Option<SeatId>>,
    /// The pattern of the action being carried out.
    pattern: RefCell<Option<Rc<Pattern>>>,
    /// The map that is being drawn.
    sketch: RefCell<Option<MapSketch>>,
    /// The names of what is declared, for lowered code.
    names: OnceCell<Rc<Names>>,
    /// What is known of the ground.
    grounds: RefCell<Grounds>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Idle,
    Looking,
    Acting,
}

/// The context of a handle.
pub(crate) type SharedContext = Rc<CallContext>;

const OVER: &str = "this value belongs to a call that is over";

impl CallContext {
    pub(crate) fn new(board: &Arc<Board>, declarations: &Arc<Declarations>) -> SharedContext {
        Self::idle(Arc::new(State::empty(Arc::clone(board), Arc::clone(declarations), &[])))
    }

    /// A context in which nothing runs yet, over a state that nothing can change.
    fn idle(state: Arc<State>) -> SharedContext {
        Rc::new(Self {
            board: Arc::clone(state.board()),
            mode: Cell::new(Mode::Idle),
            looking: RefCell::new(None),
            turn: RefCell::new(Transaction::new(state, Luck::Forbidden)),
            seat: Cell::new(None),
            pattern: RefCell::new(None),
            sketch: RefCell::new(None),
            names: OnceCell::new(),
            grounds: RefCell::default(),
        })
    }

    /// Begins a drawing of a map, or ends it; gives what was drawn before.
    pub(crate) fn sketch(&self, sketch: Option<MapSketch>) -> Option<MapSketch> {
        self.sketch.replace(sketch)
    }

    /// Whether a map is being drawn.
    pub(crate) fn is_drawing(&self) -> bool {
        self.sketch.try_borrow().map_or(true, |sketch| sketch.is_some())
    }

    /// Adds to the map that is being drawn.
    pub(crate) fn draw_map(&self, draw: impl FnOnce(&mut MapSketch)) -> Answer<()> {
        let mut sketch = self.sketch.try_borrow_mut().map_err(|_| wrong(OVER))?;
        let sketch = sketch.as_mut().ok_or_else(|| wrong("a map is drawn in generate_map only"))?;
        draw(sketch);
        Ok(())
    }

    /// Runs a hook that looks at a state.
    pub(crate) fn look<R>(&self, state: &Arc<State>, seat: Option<SeatId>, run: impl FnOnce() -> R) -> R {
        let outer = (
            self.mode.replace(Mode::Looking),
            self.looking.replace(Some(Arc::clone(state))),
            self.seat.replace(seat),
        );
        let result = run();
        self.mode.set(outer.0);
        self.looking.replace(outer.1);
        self.seat.set(outer.2);
        result
    }

    /// Shows a state until another is shown: for tests, which look between two actions.
    pub(crate) fn show(&self, state: Arc<State>, seat: Option<SeatId>) {
        self.mode.set(Mode::Looking);
        self.looking.replace(Some(state));
        self.seat.set(seat);
    }

    /// A context that shows a state for as long as it is there: one that a strategy has thought of.
    pub(crate) fn showing(state: Arc<State>, seat: Option<SeatId>) -> SharedContext {
        let context = Self::idle(Arc::clone(&state));
        context.show(state, seat);
        context
    }

    /// The names of what is declared.
    pub(crate) fn names(&self) -> Rc<Names> {
        let names = self.names.get_or_init(|| {
            // Those of the states that are read: they are looked for by where they lie.
            let read = self.read(|state| Ok(Rc::new(Names::of(state))));
            read.unwrap_or_else(|_| Rc::new(Names::of(self.turn.borrow().state())))
        });
        Rc::clone(names)
    }

    /// What is known of the ground.
    pub(super) fn grounds(&self) -> &RefCell<Grounds> {
        &self.grounds
    }

    /// Whether the running hook changes things.
    pub(crate) fn is_acting(&self) -> bool {
        self.mode.get() == Mode::Acting
    }

    /// The moment to come back to if a hook that changes things has to run once more; nothing where it only looks.
    pub(crate) fn savepoint(&self) -> Option<Savepoint> {
        match self.mode.get() {
            Mode::Acting => self.turn.try_borrow().ok().map(|turn| turn.savepoint()),
            Mode::Idle | Mode::Looking => None,
        }
    }

    /// What has changed since a moment, as text: for comparisons.
    pub(crate) fn changes_since(&self, savepoint: &Savepoint) -> String {
        self.turn
            .try_borrow()
            .map_or_else(|_| String::new(), |turn| turn.changes_since(savepoint))
    }

    /// Goes back to a moment.
    pub(crate) fn restore(&self, savepoint: Option<Savepoint>) {
        if let (Some(savepoint), Ok(mut turn)) = (savepoint, self.turn.try_borrow_mut()) {
            turn.restore(savepoint);
        }
    }

    /// Whether both show states of one match, so that a cell of one is a cell of the other.
    pub(crate) fn belongs_with(&self, other: &Self) -> bool {
        self.board.has_cells_of(&other.board)
    }

    /// The state that is looked at.
    pub(crate) fn state(&self) -> Option<Arc<State>> {
        match self.mode.get() {
            Mode::Looking => self.looking.try_borrow().ok()?.clone(),
            Mode::Idle | Mode::Acting => None,
        }
    }

    /// Runs a hook that changes a state.
    pub(crate) fn act<R>(&self, transaction: &mut Transaction, seat: Option<SeatId>, run: impl FnOnce() -> R) -> R {
        let swap = |transaction: &mut Transaction| {
            if let Ok(mut turn) = self.turn.try_borrow_mut() {
                std::mem::swap(&mut *turn, transaction);
            }
        };
        swap(transaction);
        let outer = (self.mode.replace(Mode::Acting), self.seat.replace(seat));
        let result = run();
        self.mode.set(outer.0);
        self.seat.set(outer.1);
        swap(transaction);
        result
    }

    /// Runs something with the pattern of an action at hand.
    pub(crate) fn with_pattern<R>(&self, pattern: Option<Rc<Pattern>>, run: impl FnOnce() -> R) -> R {
        let outer = self.pattern.replace(pattern);
        let result = run();
        self.pattern.replace(outer);
        result
    }

    /// The pattern of the action being carried out.
    pub(crate) fn pattern(&self) -> Option<Rc<Pattern>> {
        self.pattern.borrow().clone()
    }

    /// The seat that looks or acts.
    pub(crate) fn seat(&self) -> Option<SeatId> {
        self.seat.get()
    }

    /// Reads the state.
    pub(crate) fn read<R>(&self, read: impl FnOnce(&State) -> Answer<R>) -> Answer<R> {
        match self.mode.get() {
            Mode::Idle => Err(wrong(OVER)),
            Mode::Looking => match self.looking.try_borrow() {
                Ok(looking) => looking.as_deref().map_or_else(|| Err(wrong(OVER)), read),
                Err(_) => Err(wrong(OVER)),
            },
            Mode::Acting => self.turn.try_borrow().map_or_else(|_| Err(wrong(OVER)), |turn| read(turn.state())),
        }
    }

    /// Changes the state.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut Transaction) -> Result<R, Rejection>) -> Answer<R> {
        match self.mode.get() {
            Mode::Acting => {}
            Mode::Looking => {
                return Err(wrong(
                    "this hook only looks: change things in do_..., start, enter_..., leave_..., on_... and migrate",
                ));
            }
            Mode::Idle => return Err(wrong(OVER)),
        }
        let mut turn = self.turn.try_borrow_mut().map_err(|_| wrong(OVER))?;
        change(&mut turn).map_err(|rejection| match rejection {
            Rejection::Refused(refusal) => EvalAltResult::ErrorRuntime(Dynamic::from(refusal), Position::NONE).into(),
            Rejection::Fault(fault) => EvalAltResult::ErrorRuntime(Dynamic::from(*fault), Position::NONE).into(),
        })
    }
}
