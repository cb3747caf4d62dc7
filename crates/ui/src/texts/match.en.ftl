### What the window says in English about a match.

## The title of the window

match-title = { $now } - { $game } - Boardwright
match-to-act = { $seats } to act

## The board, in words

board-named = Board: { $title }
board-minimap = The whole board in small
board-piece = { $seat } { $kind }
board-empty = empty
board-chosen = chosen
board-target = can be chosen
board-pickable = can be picked
board-hint = hint
board-last = last action
board-differing = differs from now
board-pointed-out = pointed out
board-going = { $piece } would be gone
board-coming = { $piece } would come here
board-changing = would be { $piece }

## The head of the match

match-round = Round { $round }
match-looking-back = Looking back: { $at } of { $of }
match-leave = Back to the launcher
match-save = Save
match-hint = Hint
match-hint-awaited = Thinking about a hint
match-undo = Undo
match-redo = Redo
match-tools = More tools
match-standing = Standing

## The seats

seats-swap = Swap seats
seats-swap-with = Swap { $seat } with
seats-go-on = Let computers go on
seats-wait = Let computers wait
seats-out = out
seats-to-act = to act
seats-pieces = { $count ->
    [one] 1 piece
   *[other] { $count } pieces
}
seats-player-of = Player of { $seat }
seats-level = Level
seats-level-of = Level of { $seat }
thinking = Thinking
thinking-ahead = Thinking, { $count } ahead
thinking-stop = Stop
thinking-stop-line = Act now on what was found
thought-ahead = Looked { $count } ahead
thinking-score = Evaluation { $score }
thinking-wins = { $count ->
    [one] Wins at once
   *[other] Wins within { $count } actions
}
thinking-loses = { $count ->
    [one] Loses at once
   *[other] Loses within { $count } actions
}
pace = Computers act after
pace-short = Pace
pace-at-once = no pause
pace-seconds = { $seconds } s

## The history

history = History
history-newest = Go to the newest action
history-forward = One action forward
history-back = One action back
history-beginning = Go to the beginning
history-empty = Nothing has been played yet.
branch-title = Go on from here?
branch-dropped = { $count ->
    [one] One later action is dropped. This cannot be taken back.
   *[other] { $count } later actions are dropped. This cannot be taken back.
}
branch-drop-and-play = Drop them and play
branch-drop = Drop them
history-look-back = Look back

## Looking back

replay-beginning = To the beginning
replay-back = Back
replay-run = Run
replay-pause = Hold
replay-forward = Forward
replay-newest = To the newest
replay-position = Position in the match
replay-count = { $at } of { $of }
replay-speed = Speed of the replay
replay-times = { $speed }×
replay-compare = Compare
replay-compare-line = Lights the cells that differ from the present
replay-show-now = Show now
replay-show-then = Show then
replay-is-now = The match as it stands now
replay-go-on = Play on from here
replay-go-on-line = Later actions are dropped, after a question
replay-close = Back to the present
keys-run = Let the replay run, or hold it
keys-compare = Compare, then flip to now and back

## How the match went

chart-title = How the match went
chart-empty = There is nothing to draw yet.
chart-measure = What is drawn
chart-points = Points
chart-score = Position
chart-pieces = Pieces
chart-round = { $round }
chart-rounds = Round
chart-thousands = { $count }k
chart-line = { $seat } from { $first } to { $last }
chart-said = { $measure }: { $seats }

## The choice of an action

choice-preparing = The match is being prepared.
choice-paused = To act: { $seats }. Computers are paused.
choice-to-act = To act: { $seats }.
choice-several = Choose an action, or click on the board
choice-nothing = Nothing can be done
choice-number = Number
choice-fewer = Fewer
choice-more = More
choice-take-number = Take { $number }
choice-text = Text
choice-take = Take
choice-go-on = Go on
choice-play = Play
choice-play-line = Enter, or a double click
choice-clear = Clear
choice-clear-line = Escape
keys-take-back = Take the last step of the choice back
choice-act = Act

pose-turn = Turn
pose-turn-back = Turn back
pose-mirror = Mirror
keys-number-up = A greater number
keys-number-down = A smaller number
fan-close = None of them

## The end

outcome-draw = A draw
outcome-won = Won by { $seats }
outcome-and = {" and "}
outcome-place = { $place }.
outcome-points = { $count ->
    [one] 1 point
   *[other] { $count } points
}
outcome-watch = Watch
outcome-show = Result
outcome-close = See the board
outcome-watch-line = The whole match from its beginning
outcome-save = Save the match
rule-link = Rule { $rule }
rule-link-line = Read it in the rule book
outcome-rematch = Rematch
outcome-look-back = Look back
outcome-leave = To the launcher

## The board's buttons, and messages

board-larger = Larger
board-smaller = Smaller
board-whole = Whole board
toast-host-gone = The match has ended: its host is gone.
toast-saved = Saved as { $file }.
toast-fault = The rules are at fault: { $message }
fault-in-hook = { $message } (in { $hook })
toast-no-hint = There is nothing to hint at.
toast-overtaken = The match has gone on: what was clicked or pressed before that has no effect.
toast-rules-broken = The changed rules have errors; the old ones stay in force.
toast-rules-same = Nothing has changed in the rules: those in force are the same.
trouble-not-opened = The match could not be opened.
player-strategy-line = A computer player that came with the rules.

## What players say to one another

talk-title = Talk
talk-close = Close the talk
talk-to = Whom it is for
talk-everyone = Everyone
talk-line = Say something
talk-empty = Nothing was said yet.
talk-onlooker = An onlooker
talk-alone = to { $seat } alone:
talk-said = { $seat }: { $words }
match-rated = Rated
match-rated-line = Nothing is taken back or changed by hand, and nobody helps.
choice-again = Until it is decided
choice-going-on = { $action }: goes on until it is decided.
choice-stop = Stop
