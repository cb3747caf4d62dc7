### What the window says in English about a match.

## The title of the window

match-title = { $now } - { $game } - Boardwright
match-to-act = { $seats } to act

## The board, in words

board-named = Board: { $title }
board-minimap = The whole board in small
board-empty = empty
board-chosen = chosen
board-target = can be chosen
board-pickable = can be picked
board-hint = hint
board-last = last action
board-pointed-out = pointed out
