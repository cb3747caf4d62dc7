### What the window says in English to those who try things out in a match.

## Changing it by hand

keys-console = While changing by hand
console-title = Change the match by hand
console-line = What is to change
console-recorded = Each change is recorded and marked, and can be taken back.
console-say = Do it
console-complete = Complete the word
console-earlier = What was said before
console-later = What was said after
console-close = Close
console-more = and { $count } more
console-set = sets a declared property of match, of a seat, of a cell, or of the piece on a cell
console-owner = gives the pieces on cells to a seat, or to nobody
console-exchange = exchanges the owners of the pieces on two cells
console-strip = gives all that the first seat has on the board to the second, but for the pieces on one cell
console-add = puts a new piece onto a cell or into a zone; “of SEAT” may be left out
console-move = moves the pieces of a cell, or the last piece of a zone
console-remove = takes the pieces on cells out of the match
console-dice = says how the next dice fall, one after the other
console-phase = goes to a phase of the present turn
console-turn = begins the turn of a seat
console-run = runs a line of a script, which may do all that a turn can
history-by-hand = By hand: { $what }
history-changed-by-hand = Changed by hand

## The odds of what is chosen

odds-title = Odds
odds-close = Close the odds
odds-none = Choose an action that is decided by luck, such as an attack, to see its odds.
odds-awaited = The odds are being worked out.
odds-never = Nothing in this ruleset is decided by luck in a way that has odds.
odds-left = { $left } left
odds-lost = { $lost } lost
odds-fraction = fraction of { $digits } digits
odds-exact = Exact: every result of luck was counted.
odds-sampled = Fought { $count } times; 95 of 100 times the truth is no further away than said.
odds-chart = { $count } ways to end, most likely { $likely }

## What strategies think

insight-title = What strategies think
insight-close = Close
insight-none = This ruleset brings no strategies.
insight-strategy = Strategy that is asked
insight-silent = –
insight-worth = { $seat } is worth { $worth }
insight-no-worth = { $seat }: no evaluation
insight-cells = Worth of the cells on the board
insight-cells-of = Show what cells are worth to { $seat }
insight-worth-to = What cells are worth to { $seat }
insight-no-cells = The strategy says nothing of single cells here.
insight-watch = Watch strategies decide
insight-wait = What a strategy weighs appears here with its next decision.
insight-decision = { $seat }: { $chosen }
board-worth = worth { $worth }
