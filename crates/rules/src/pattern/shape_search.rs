//! Finds where many shapes fit, all at once.
//!
//! The squares of all shapes in all poses are put into one tree: each node adds one square to those of its parent, so that
//! shapes which begin alike share the work. A walk through the tree keeps the set of all cells on which the squares so far
//! lie on the ground, and the set of those from which one of them is a contact; both go on with one operation a word.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use boardwright_model::{Board, CellSet, Figure, KindId, PieceId, Pose};

/// Columns and rows from the first square of a shape.
type Offset = (i16, i16);

/// The tree of shapes, in the order in which it is walked through.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// The offsets that occur.
    offsets: Vec<Offset>,
    nodes: Vec<Node>,
    /// The kinds and poses that end at nodes, in the order of the nodes.
    ends: Vec<(usize, Pose)>,
    /// The kinds that have a figure, in rising order.
    kinds: Vec<KindId>,
    /// How many squares each of them has.
    sizes: Vec<usize>,
    /// Whether the squares of each figure hang together by their sides.
    is_connected: bool,
    deepest: usize,
}

#[derive(Clone, Debug)]
struct Node {
    depth: usize,
    /// The place of its square's offset.
    offset: usize,
    /// The node that follows those below it.
    next: usize,
    /// Which shapes end here.
    ends: std::ops::Range<usize>,
    /// Which kinds end here or below, as bits; kinds from the 64th on share bits.
    kinds: u64,
}

fn kind_bit(place: usize) -> u64 {
    1 << (place % 64)
}

/// A node while the tree is built.
#[derive(Default)]
struct Branch {
    squares: Vec<Offset>,
    children: Vec<usize>,
    ends: Vec<(usize, Pose)>,
}

impl Plan {
    /// A plan for the figures of some kinds, given in rising order.
    pub(super) fn new<'a>(figures: impl IntoIterator<Item = (KindId, &'a Figure)>) -> Self {
        let mut plan = Self {
            is_connected: true,
            ..Self::default()
        };
        let mut shapes: Vec<(Vec<Offset>, usize, Pose)> = Vec::new();
        for (kind, figure) in figures {
            let place = plan.kinds.len();
            plan.kinds.push(kind);
            plan.sizes.push(figure.shape().count());
            plan.is_connected &= is_connected(figure.shape().offsets());
            shapes.extend(figure.poses().map(|pose| (figure.lying(pose).offsets().to_vec(), place, pose)));
        }
        // Small shapes come first, so that larger ones find them as beginnings.
        shapes.sort_by_key(|(squares, place, pose)| (squares.len(), *place, *pose));
        let mut branches = vec![Branch {
            squares: vec![(0, 0)],
            ..Branch::default()
        }];
        for (squares, place, pose) in shapes {
            let end = branch(&mut branches, &squares);
            if let Some(branch) = branches.get_mut(end) {
                branch.ends.push((place, pose));
            }
        }
        plan.walk(&branches, 0, 0);
        plan
    }

    /// Appends a branch and those below it to the nodes.
    fn walk(&mut self, branches: &[Branch], index: usize, depth: usize) {
        let Some(branch) = branches.get(index) else { return };
        let last = branch.squares.last().copied().unwrap_or_default();
        let offset = self.offsets.iter().position(|known| *known == last).unwrap_or_else(|| {
            self.offsets.push(last);
            self.offsets.len() - 1
        });
        let start = self.ends.len();
        self.ends.extend_from_slice(&branch.ends);
        let node = self.nodes.len();
        self.deepest = self.deepest.max(depth);
        self.nodes.push(Node {
            depth,
            offset,
            next: 0,
            ends: start..self.ends.len(),
            kinds: 0,
        });
        for child in &branch.children {
            self.walk(branches, *child, depth + 1);
        }
        let next = self.nodes.len();
        let below = self.ends.get(start..).unwrap_or_default().iter();
        let kinds = below.fold(0, |kinds, (place, _)| kinds | kind_bit(*place));
        if let Some(node) = self.nodes.get_mut(node) {
            (node.next, node.kinds) = (next, kinds);
        }
    }

    pub(super) fn count(&self) -> usize {
        self.kinds.len()
    }

    pub(super) fn place(&self, kind: KindId) -> Option<usize> {
        self.kinds.binary_search(&kind).ok()
    }
}

/// Whether there is a way by sides from each square to each other.
fn is_connected(squares: &[Offset]) -> bool {
    let is_beside = |a: &Offset, b: &Offset| a.0.abs_diff(b.0) + a.1.abs_diff(b.1) == 1;
    let mut reached: Vec<Offset> = squares.first().copied().into_iter().collect();
    while let Some(next) = squares
        .iter()
        .find(|square| !reached.contains(square) && reached.iter().any(|known| is_beside(known, square)))
    {
        reached.push(*next);
    }
    reached.len() == squares.len()
}

/// The branch of some squares, made if there is none. It grows from one that has the most of them.
fn branch(branches: &mut Vec<Branch>, squares: &[Offset]) -> usize {
    let is_beginning = |branch: &Branch| branch.squares.iter().all(|square| squares.contains(square));
    let beginnings = branches.iter().enumerate().filter(|(_, branch)| is_beginning(branch));
    let mut at = beginnings
        .max_by_key(|(_, branch)| branch.squares.len())
        .map_or(0, |(index, _)| index);
    loop {
        let known = branches.get(at).map_or(&[][..], |branch| &branch.squares);
        let Some(square) = squares.iter().find(|square| !known.contains(square)) else {
            return at;
        };
        let mut longer = known.to_vec();
        longer.push(*square);
        let next = branches.len();
        if let Some(branch) = branches.get_mut(at) {
            branch.children.push(next);
        }
        branches.push(Branch {
            squares: longer,
            ..Branch::default()
        });
        at = next;
    }
}

/// Buffers of a walk, for boards whose sets of cells have at most `N` words.
#[derive(Clone, Debug)]
pub(super) struct Workspace<const N: usize> {
    /// By offset, the cells from which it is ground, and those from which it is a contact.
    moved: Vec<Option<([u64; N], [u64; N])>>,
    /// By depth, the cells on which all squares so far lie on the ground, and those from which one of them is a contact.
    kept: Vec<([u64; N], [u64; N])>,
}

/// What walks through a plan. Which one it is depends on the size of the board.
#[derive(Clone, Debug)]
pub(super) enum Walker {
    Small(Box<Workspace<4>>),
    Medium(Box<Workspace<8>>),
    Large(Box<Workspace<32>>),
    Huge(Box<Workspace<1024>>),
}

impl Walker {
    pub(super) fn new(board: &Board) -> Self {
        match board.all().words().len() {
            0..=4 => Self::Small(Workspace::new()),
            5..=8 => Self::Medium(Workspace::new()),
            9..=32 => Self::Large(Workspace::new()),
            _ => Self::Huge(Workspace::new()),
        }
    }

    /// Finds all places at which shapes lie on the ground, all their squares, and on a contact, at least one.
    pub(super) fn walk(&mut self, plan: &Plan, board: &Board, search: &Search<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        match self {
            Self::Small(workspace) => workspace.walk(plan, board, search, found),
            Self::Medium(workspace) => workspace.walk(plan, board, search, found),
            Self::Large(workspace) => workspace.walk(plan, board, search, found),
            Self::Huge(workspace) => workspace.walk(plan, board, search, found),
        }
    }
}

/// Who receives the places that a walk finds: the cells as bits, at least one, and the kinds that can be placed there by their places in
/// the plan, with the pose. Ends the walk by returning `Break`.
pub(super) type Found<'a> = dyn FnMut(&[u64], &[(usize, Pose)]) -> ControlFlow<()> + 'a;

pub(super) struct Search<'a> {
    /// The cells a shape may cover.
    pub(super) ground: &'a CellSet,
    /// The cells of which it has to cover one; `None` if there is no such condition.
    pub(super) contacts: Option<&'a CellSet>,
    /// By place of their kind in the plan, the pieces to lay.
    pub(super) pieces: &'a [PiecesOfKind],
}

pub(super) type PiecesOfKind = SmallVec<[PieceId; 4]>;

impl<const N: usize> Workspace<N> {
    #[expect(
        clippy::unnecessary_box_returns,
        reason = "it is large, and nobody needs it anywhere else than on the heap"
    )]
    fn new() -> Box<Self> {
        Box::new(Self {
            moved: Vec::new(),
            kept: Vec::new(),
        })
    }

    fn walk(&mut self, plan: &Plan, board: &Board, search: &Search<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
        let is_wanted = |place: usize| search.pieces.get(place).is_some_and(|pieces| !pieces.is_empty());
        let (mut wanted, mut longest) = (0, 0);
        for (place, size) in plan.sizes.iter().enumerate().filter(|(place, _)| is_wanted(*place)) {
            wanted |= kind_bit(place);
            longest = longest.max(*size);
        }
        let near = search
            .contacts
            .filter(|_| plan.is_connected)
            .map(|contacts| board.flood_steps(contacts, search.ground, longest.saturating_sub(1) as u32));
        let ground = near.as_ref().unwrap_or(search.ground);
        let used = board.all().words().len();
        self.moved.clear();
        self.moved.resize(plan.offsets.len(), None);
        self.kept.resize(plan.deepest + 1, ([0; N], [0; N]));
        let mut at = 0;
        while let Some(node) = plan.nodes.get(at) {
            if node.kinds & wanted == 0 {
                at = node.next;
                continue;
            }
            let Some(moved) = self.moved.get_mut(node.offset) else { break };
            let moved = moved.get_or_insert_with(|| {
                let offset = plan.offsets.get(node.offset).copied().unwrap_or_default();
                let from = |set: &CellSet| {
                    let mut words = [0; N];
                    board.add_with_square_in(offset, set, &mut words);
                    words
                };
                (from(ground), search.contacts.map_or([u64::MAX; N], from))
            });
            let Some((above, below)) = self.kept.split_at_mut_checked(node.depth) else {
                break;
            };
            let Some(kept) = below.first_mut() else { break };
            *kept = *moved;
            if let Some((fits, touches)) = above.last() {
                kept.0.iter_mut().zip(fits).for_each(|(word, above)| *word &= above);
                kept.1.iter_mut().zip(touches).for_each(|(word, above)| *word |= above);
            }
            let (fits, touches) = kept;
            if is_empty(fits) {
                at = node.next;
                continue;
            }
            at += 1;
            let ends = plan.ends.get(node.ends.clone()).unwrap_or_default();
            if !ends.iter().any(|(place, _)| is_wanted(*place)) {
                continue;
            }
            let mut cells = *fits;
            cells.iter_mut().zip(touches).for_each(|(word, touching)| *word &= *touching);
            if !is_empty(&cells) {
                found(cells.get(..used).unwrap_or(&cells), ends)?;
            }
        }
        ControlFlow::Continue(())
    }
}

fn is_empty(words: &[u64]) -> bool {
    words.iter().fold(0, |all, word| all | word) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use boardwright_model::Shape;

    fn figures(texts: &[&str]) -> Vec<Figure> {
        texts.iter().map(|text| Figure::new(Shape::parse(text.lines()).unwrap())).collect()
    }

    fn plan(figures: &[Figure]) -> Plan {
        Plan::new(
            figures
                .iter()
                .enumerate()
                .map(|(index, figure)| (KindId::from_index(index), figure)),
        )
    }

    #[test]
    fn shapes_that_begin_alike_share_their_nodes() {
        // Two of length two, two of length three in a row, four bent ones: each adds one node to one before it.
        let small = plan(&figures(&["X", "XX", "XXX", "XX\nX."]));
        assert_eq!((small.nodes.len(), small.ends.len(), small.deepest), (9, 9, 2));
        // A large shape alone brings the nodes that lead to it.
        assert_eq!(plan(&figures(&["XXXX\nX..X"])).ends.len(), 4);
    }

    #[test]
    fn a_node_leads_past_all_nodes_below_it() {
        let plan = plan(&figures(&["XX", "XXX", "XX\nX.", ".X.\nXXX\n.X."]));
        for (index, node) in plan.nodes.iter().enumerate() {
            let below = plan
                .nodes
                .iter()
                .enumerate()
                .skip(index + 1)
                .take_while(|(_, other)| other.depth > node.depth);
            assert_eq!(node.next, index + 1 + below.count());
        }
    }
}
