//! Lowered code: what the functions of scripts become when they are run.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use rhai::{INT, ImmutableString, Stmt};

use super::Names;
use super::memo::Recalls;
use super::value::{Entries, Keys, Value};
use boardwright_model::PropertyId;

/// A function.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) name: Box<str>,
    /// How many variables it has, its parameters first.
    pub(super) slots: usize,
    pub(super) block: Block,
}

/// Statements in order. Its value is that of the last one.
#[derive(Debug, Default)]
pub(super) struct Block(pub(super) Box<[Step]>);

/// Something that runs as a whole or not at all, with the operations that this takes: those of what lies inside and may be left out, such
/// as the branches of an `if`, are counted there.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) operations: u32,
    /// Its line in the whole program.
    pub(super) line: u32,
    pub(super) node: Node,
}

/// Where a variable lies, counted from the first parameter of its function.
pub(super) type Slot = usize;

/// What is worked out.
#[derive(Debug)]
pub(super) enum Node {
    /// The engine has to run the function: this is not covered, or always an error.
    Abandon,
    Constant(Value),
    Local(Slot),
    Block(Block),
    Not(Box<Node>),
    Negate(Box<Node>),
    Binary(Operator, Box<[Node; 2]>),
    And(Box<Node>, Box<[Step]>),
    Or(Box<Node>, Box<[Step]>),
    Coalesce(Box<Node>, Box<[Step]>),
    Text(Box<[Node]>),
    List(Box<[Node]>),
    Map(Box<MapLiteral>),
    If(Box<(Node, Block, Block)>),
    Get(Box<(Node, Property)>),
    /// What `for` goes over: from a number in steps to another, which is not among them.
    Steps(Box<[Node; 3]>),
    /// The container, and the index, which is worked out first.
    Index(Box<[Node; 2]>),
    Call(Box<Call>),
    Word(Box<WordCall>),
    /// A word that takes a closure, what it works on, and what it begins with.
    Each(Box<(Each, Node, Option<Node>)>),
    Chain(Box<Chain>),
    Let(Slot, Box<Node>),
    Assign(Slot, Option<Operator>, Box<Node>),
    AssignIn(Box<AssignIn>),
    Switch(Box<Switch>),
    While(Box<(Step, Block)>),
    Loop(Block),
    For(Box<For>),
    Return(Option<Box<Node>>),
    Break(Option<Box<Node>>),
    Continue,
}

/// Operators with two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Range,
    RangeInclusive,
    Union,
    Intersection,
}

impl Operator {
    pub(super) fn of(text: &str) -> Option<Self> {
        Some(match text {
            "+" => Self::Add,
            "-" => Self::Subtract,
            "*" => Self::Multiply,
            "/" => Self::Divide,
            "%" => Self::Remainder,
            "**" => Self::Power,
            "==" => Self::Equal,
            "!=" => Self::Unequal,
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            ">" => Self::Greater,
            ">=" => Self::GreaterOrEqual,
            ".." => Self::Range,
            "..=" => Self::RangeInclusive,
            "|" => Self::Union,
            "&" => Self::Intersection,
            _ => return None,
        })
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Power => "**",
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Range => "..",
            Self::RangeInclusive => "..=",
            Self::Union => "|",
            Self::Intersection => "&",
        }
    }
}

macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum $name {
            $($variant,)*
            /// Any other.
            Other,
        }

        impl $name {
            pub(super) fn of(name: &str) -> Self {
                match name {
                    $($text => Self::$variant,)*
                    _ => Self::Other,
                }
            }
        }
    };
}

names! {
    /// Properties that lowered code reads itself.
    Getter {
        Cargo = "cargo",
        Carrier = "carrier",
        Cell = "cell",
        Cells = "cells",
        Column = "column",
        Corners = "corners",
        Count = "count",
        Elevation = "elevation",
        Empty = "empty",
        First = "first",
        Id = "id",
        IsEmpty = "is_empty",
        IsExplored = "is_explored",
        IsOff = "is_off",
        IsOut = "is_out",
        IsVisible = "is_visible",
        Kind = "kind",
        Name = "name",
        Neighbours = "neighbours",
        Next = "next",
        NoCells = "no_cells",
        Occupied = "occupied",
        Options = "options",
        Owner = "owner",
        Phase = "phase",
        Pieces = "pieces",
        PiecesInPlay = "pieces_in_play",
        Question = "question",
        Round = "round",
        Row = "row",
        Seat = "seat",
        Seats = "seats",
        SeatsLeft = "seats_left",
        Side = "side",
        Sides = "sides",
        Terrain = "terrain",
        TurnNumber = "turn_number",
        TurnOf = "turn_of",
    }
}

names! {
    /// Natives that lowered code calls itself.
    Verb {
        Abs = "abs",
        Append = "append",
        AtLeast = "at_least",
        Cell = "cell",
        CellAt = "cell_at",
        CellsWhere = "cells_where",
        Clear = "clear",
        Contains = "contains",
        Cost = "cost",
        Create = "create",
        CreateIn = "create_in",
        CrossedCells = "crossed_cells",
        Dedup = "dedup",
        Dilate = "dilate",
        Distance = "distance",
        Distances = "distances",
        Eliminate = "eliminate",
        EndTurn = "end_turn",
        EndsWith = "ends_with",
        First = "first",
        Flood = "flood",
        Get = "get",
        Give = "give",
        HasRow = "has_row",
        Having = "having",
        IndexOf = "index_of",
        Insert = "insert",
        IsEmpty = "is_empty",
        IsWithin = "is_within",
        Keys = "keys",
        Last = "last",
        Len = "len",
        Max = "max",
        Middles = "middles",
        Min = "min",
        MovePiece = "move_piece",
        MoveToZone = "move_to_zone",
        NextPhase = "next_phase",
        Part = "part",
        Passes = "passes",
        Path = "path",
        PieceAt = "piece_at",
        PiecesAt = "pieces_at",
        PiecesOf = "pieces_of",
        PointsLeft = "points_left",
        Pop = "pop",
        Push = "push",
        Reach = "reach",
        Region = "region",
        Release = "release",
        Remove = "remove",
        Reverse = "reverse",
        Roll = "roll",
        RollEach = "roll_each",
        Set = "set",
        SetOf = "set_of",
        Shift = "shift",
        Sign = "sign",
        Sort = "sort",
        Sorted = "sorted",
        Sow = "sow",
        StartsWith = "starts_with",
        Step = "step",
        Sum = "sum",
        TakesBack = "takes_back",
        Terrain = "terrain",
        ToString = "to_string",
        Truncate = "truncate",
        Turned = "turned",
        Values = "values",
        Vector = "vector",
        WithSidesIn = "with_sides_in",
        Zone = "zone",
        ZoneCount = "zone_count",
    }
}

/// A map as it is written.
#[derive(Debug)]
pub(super) struct MapLiteral {
    pub(super) keys: Keys,
    /// The values as they are written, each with the place of its key.
    pub(super) values: Box<[(usize, Node)]>,
}

/// A call of a function of the scripts.
#[derive(Debug)]
pub(super) struct Call {
    /// Its number among those that are called.
    pub(super) function: usize,
    pub(super) arguments: Box<[Node]>,
    /// Whether the first argument is worked out last: a variable is, which the others may change.
    pub(super) is_first_last: bool,
}

/// A call of a native, on its first argument or not.
#[derive(Debug)]
pub(super) struct WordCall {
    pub(super) word: Word,
    /// The object or the first argument, which is worked out last; nothing where the native takes none.
    pub(super) object: Option<Node>,
    pub(super) arguments: Box<[Node]>,
}

/// A native by its name.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) name: Box<str>,
    pub(super) verb: Verb,
    /// Whether it stands behind a point.
    pub(super) is_method: bool,
    /// How many links its chain has in front of it; none where it is not the last one.
    pub(super) links: usize,
    pub(super) native: Native,
}

/// A property of an object: declared, a native, or the key of a map.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: ImmutableString,
    pub(super) getter: Getter,
    /// The handles of which it is a native, as a set of [`Owner`]s.
    pub(super) natives: u8,
    /// The declared property that was last found under the name: in which declarations, and of what.
    pub(super) found: RefCell<Option<(Rc<Names>, Owner, PropertyId)>>,
    /// Where the key was last found, and among which keys.
    pub(super) place: RefCell<Option<(Keys, usize)>>,
    pub(super) get: Native,
    pub(super) set: Native,
}

/// In maps of more keys than this no place is remembered: to remember one would be to copy all keys when the map grows.
const MOST_REMEMBERED: usize = 64;

impl Property {
    /// The value of its key.
    pub(super) fn value_in<'m>(&self, map: &'m Entries) -> Option<&'m Value> {
        if let Some((keys, place)) = &*self.place.borrow()
            && Rc::ptr_eq(keys, map.keys())
        {
            return map.at(*place);
        }
        let place = map.place(&self.name).ok()?;
        if map.keys().len() <= MOST_REMEMBERED {
            *self.place.borrow_mut() = Some((Rc::clone(map.keys()), place));
        }
        map.at(place)
    }
}

/// What has properties that are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    View = 1,
    Seat = 2,
    Piece = 4,
    Cell = 8,
}

/// The bit of tables among those of [`Owner`]s.
pub(super) const TABLES: u8 = 16;

/// A native as the engine calls it, made when it is first called.
#[derive(Debug, Default)]
pub(super) struct Native {
    pub(super) made: OnceCell<Option<Snippet>>,
}

/// A statement that calls a native with the values of its variables.
#[derive(Debug)]
pub(super) struct Snippet {
    pub(super) statements: Box<[Stmt]>,
    /// The operations of the statement itself, which the call it stands for has counted.
    pub(super) operations: u64,
}

/// A word that takes a closure.
#[derive(Debug)]
pub(super) struct Each {
    pub(super) word: EachWord,
    pub(super) closure: Closure,
    /// How many links its chain has in front of it; none where it is not the last one.
    pub(super) links: usize,
    /// The number of the argument that it begins with, for `reduce`.
    pub(super) first: Option<usize>,
}

/// Words that take a closure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EachWord {
    All,
    Count,
    Filter,
    Find,
    IndexOf,
    Map,
    Reduce,
    Some,
    SortedBy,
}

impl EachWord {
    /// The word with so many arguments.
    pub(super) fn of(name: &str, arguments: usize) -> Option<Self> {
        Some(match (name, arguments) {
            ("all", 1) => Self::All,
            ("count", 1) => Self::Count,
            ("filter", 1) => Self::Filter,
            ("find", 1) => Self::Find,
            ("index_of", 1) => Self::IndexOf,
            ("map", 1) => Self::Map,
            ("reduce", 2) => Self::Reduce,
            ("some", 1) => Self::Some,
            ("sorted_by", 1) => Self::SortedBy,
            _ => return None,
        })
    }
}

/// A function that a word calls.
#[derive(Debug)]
pub(super) enum Closure {
    /// Written where it is used. Its variables lie in the frame of the function around it.
    Inline { parameters: Box<[Slot]>, block: Block },
    /// A function of the scripts, by its number among those that are called.
    Function(usize),
}

/// A chain whose arguments are worked out before what it begins with.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) arguments: Box<[Node]>,
    pub(super) base: Node,
    pub(super) links: Box<[Link]>,
}

/// The next part of a chain.
#[derive(Debug)]
pub(super) enum Link {
    Property(Property),
    /// The number of the argument that is the index.
    Index(usize),
    /// The word, and from which to which argument it takes.
    Word(Word, usize, usize),
    Each(Each),
}

/// An assignment to a part of what a variable holds.
#[derive(Debug)]
pub(super) struct AssignIn {
    pub(super) value: Node,
    pub(super) operator: Option<Operator>,
    pub(super) chain: Chain,
}

/// A choice among cases by a value.
#[derive(Debug)]
pub(super) struct Switch {
    pub(super) value: Node,
    pub(super) cases: Box<[Step]>,
    /// The same with the number of each case in its place: the engine knows the values of cases by their hashes alone.
    pub(super) chooser: Snippet,
    /// The cases of values that came before.
    pub(super) known: RefCell<Vec<(Value, Option<usize>)>>,
}

/// A loop over values.
#[derive(Debug)]
pub(super) struct For {
    pub(super) over: Node,
    pub(super) item: Slot,
    pub(super) counter: Option<Slot>,
    pub(super) block: Block,
}

/// Why something ends before its end. The value of a `return` or a `break` is the machine's, so that results stay as small as values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    /// The engine has to run the hook.
    Abandon,
    Return,
    Break,
    Continue,
}

/// The result of running something.
pub(super) type Run<T = Value> = Result<T, Exit>;

/// A function that lowered code calls.
#[derive(Debug)]
pub(in super::super) struct Callee {
    pub(super) name: ImmutableString,
    pub(super) parameters: usize,
    /// What it has become, once it was called. Nothing if it is not covered.
    pub(super) body: OnceCell<Option<Rc<Body>>>,
    pub(super) recalls: Recalls,
}

impl Callee {
    pub(super) fn new(name: &str, parameters: usize) -> Self {
        Self {
            name: name.into(),
            parameters,
            body: OnceCell::new(),
            recalls: Recalls::default(),
        }
    }
}

/// A number that a script gives as an index.
pub(super) fn position(index: INT, len: usize) -> Option<usize> {
    super::super::texts::position(index, len)
}
