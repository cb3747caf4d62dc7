### What the window says in English to those who try things out in a match.

## Edits

keys-console = In the console
console-title = Edit position
console-line = Type a change
console-recorded = Each change is recorded, marked, and can be undone.
console-say = Apply
console-complete = Complete the word
console-earlier = Previous line
console-later = Next line
console-close = Close
console-more = and { $count } more
console-set = sets a declared property of the match, a seat, a cell, or the piece on a cell
console-owner = gives the pieces on cells to a seat, or to nobody
console-exchange = swaps the owners of the pieces on two cells
console-strip = gives everything of the first seat on the board to the second, except the pieces on one cell
console-add = adds a piece to a cell or a zone; “of SEAT” is optional
console-move = moves the pieces of a cell, or the last piece of a zone
console-remove = removes the pieces on cells from the match
console-dice = sets the next dice rolls, one after the other
console-phase = goes to a phase of the current turn
console-turn = begins the turn of a seat
console-run = runs a line of script, which may do all that a turn can
history-edit = Edit: { $command }
history-edited = Edited

## The odds of what is chosen

odds-title = Odds
odds-of = Odds: { $contest }
percent = { $value }%
percent-less = < { $value }%
percent-more = > { $value }%
odds-close = Close the odds
odds-none = Choose an action that is decided by luck, such as an attack, to see its odds.
odds-awaited = Calculating the odds…
odds-never = No action of this ruleset has odds.
odds-left = { $left } left
odds-lost = { $lost } lost
odds-exact = Exact odds
odds-sampled = From { $count } samples; margins at 95% confidence.
odds-chart = { $count } possible results, most likely { $likely }

## What strategies think

insight-title = What strategies think
insight-close = Close
insight-none = This ruleset has no strategies.
insight-strategy = Strategy to ask
insight-silent = –
insight-value = { $seat }: value { $value }
insight-no-value = { $seat }: no evaluation
insight-cells = Show values on the board
insight-cells-of = Show the values of cells for { $seat }
insight-values-for = Values for { $seat }
insight-no-cells = The strategy has no values for single cells here.
insight-watch = Explain decisions
insight-wait = What a strategy considers appears here with its next decision.
insight-decision = { $seat }: { $chosen }
board-value = value { $value }

heat-map-next = Next heat map
heat-map-close = Hide the heat map
heat-map-empty = There is nothing to show now.
heat-map-none = This ruleset has no heat maps.
