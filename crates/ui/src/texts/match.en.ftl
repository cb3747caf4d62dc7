### What the window says in English about a match.

## The title of the window

match-title = { $now } - { $game } - Boardwright
match-to-act = { $seats } to move

## The board, in words

board-named = Board: { $title }
board-minimap = Overview map
board-piece = { $seat } { $kind }
board-empty = empty
board-unexplored = not seen yet
board-remembered = remembered
board-unknown-place = unknown place
board-chosen = chosen
board-target = can be chosen
board-pickable = can be picked
board-hint = hint
board-last = last action
board-differing = differs from now
board-pointed-out = highlighted
board-going = { $piece } would be removed
board-coming = { $piece } would come here
board-changing = would be { $piece }

## The head of the match

match-round = Round { $round }
match-looking-back = Looking back: { $at } of { $of }
match-leave = Back to the launcher
match-save = Save
match-export-scenario = Make a scenario
match-to-drawing = Drawing
match-edit-map = Edit the map
match-edit-scenario = Edit the scenario
match-hint = Hint
match-hint-awaited = Finding a hint
match-undo = Undo
match-redo = Redo
match-tools = More tools
match-scoreboard = Scoreboard

## The seats

seats-swap = Swap seats
seats-swap-with = Swap { $seat } with
seats-go-on = Resume computers
seats-wait = Pause computers
seats-out = out
seats-to-act = to move
seats-pieces = { $count ->
    [one] 1 piece
   *[other] { $count } pieces
}
seats-player-of = Player of { $seat }
seats-level = Level
seats-level-of = Level of { $seat }
thinking = Thinking
thinking-ahead = Thinking, depth { $count }
thinking-stop = Stop
thinking-stop-line = Play the best action found so far
thought-ahead = Depth { $count }
thinking-chance = { $chance } likely to win
thinking-level = About level
thinking-slightly-ahead = Slightly ahead
thinking-well-ahead = Ahead
thinking-far-ahead = Far ahead
thinking-slightly-behind = Slightly behind
thinking-well-behind = Behind
thinking-far-behind = Far behind
thinking-wins = { $count ->
    [one] Wins at once
   *[other] Wins in { $count } actions
}
thinking-loses = { $count ->
    [one] Loses at once
   *[other] Loses in { $count } actions
}
pace = Computers wait
pace-short = Pace
pace-at-once = no pause
pace-seconds = { $seconds } s

hint-is = Hint: { $action }
hint-play = Play it

## The history

history = History
history-newest = Go to the latest action
history-forward = One action forward
history-back = One action back
history-beginning = Go to the beginning
history-rolls = { $count } rolls, show all
history-fold = show less
history-variations = Variations
history-variation-line = Go on with this line; the one you leave becomes a variation
history-variation-delete = Delete the variation { $line }
history-empty = Nothing has been played yet.
history-look-back = Look back

## Looking back

replay-beginning = To the beginning
replay-back = Back
replay-run = Start replay
replay-pause = Pause replay
replay-forward = Forward
replay-newest = To the latest
replay-position = Position in the match
replay-count = { $at } of { $of }
replay-speed = Replay speed
replay-times = { $speed }×
replay-compare = Compare
replay-compare-line = Highlights the cells that differ from the present
replay-show-now = Show now
replay-show-then = Show then
replay-is-now = The match as it is now
replay-go-on = Play on from here
replay-go-on-line = The later actions stay as a variation
replay-close = Back to the present
keys-run = Play or pause the replay
keys-compare = Compare, then switch between then and now

## How the match went

chart-title = Match graph
chart-empty = There is nothing to show yet.
chart-measure = Measure
chart-points = Points
chart-chance = Chance of winning
chart-score = Advantage
chart-advantage-line = 100% is the largest advantage of this match
chart-pieces = Pieces
chart-round = { $round }
chart-rounds = Round
chart-line = { $seat } from { $first } to { $last }
chart-said = { $measure }: { $seats }

## The choice of an action

choice-preparing = Preparing the match…
choice-paused = { $seats } to move. Computers are paused.
choice-to-act = { $seats } to move
choice-several = Choose an action, or click on the board
choice-nothing = No legal action
choice-after-odds = See the odds, then press Play or Enter
choice-not-your-turn = Not yet: { $seats } to move
choice-beside-first = First choose a piece beside the board
choice-not-here = Not here. { $prompt }
choice-nothing-here = Nothing to choose here
choice-number = Number
choice-fewer = Fewer
choice-more = More
left-to-do = { $count ->
    [one] One thing is left to do
   *[other] { $count } things are left to do
}
scoreboard-show = Show it on the board
choice-take-number = Choose { $number }
choice-play-number = { $action }: { $number }
choice-stop-here = Go on, or click again or press Enter to stop here
choice-stop-set = Press Enter when you have chosen all
choice-confirm = Press Enter or click again to play
choice-picked = { $action }: { $picks }
choice-for = { $action }:
choice-none = None
confirm-title = { $action }?
confirm-rated = { $seat } cannot undo this: the match is rated.
confirm-line = This is final for { $seat } unless it is undone.
choice-text = Text
choice-take = OK
choice-go-on = Next
choice-play = Play
choice-play-line = Enter, or click again
choice-clear = Clear
choice-clear-line = Escape
keys-take-back = Undo the last step of the choice
choice-act = Act

pose-turn = Rotate
pose-turn-back = Rotate back
pose-mirror = Mirror
keys-number-up = Higher number
keys-number-down = Lower number
piece-chooser-close = None of these
piece-chooser-end = That is all
piece-chooser-back = Close the list
piece-chooser-title = Which of these?

## The end

outcome-draw = Draw
outcome-won = { $seats } won
outcome-and = {" and "}
outcome-place = { $place }.
outcome-points = { $count ->
    [one] 1 point
   *[other] { $count } points
}
outcome-watch = Watch
outcome-new-match = New match
outcome-close = Show the board
outcome-watch-line = The whole match from its beginning
outcome-save = Save match
rule-link = Rule { $rule }
rule-link-line = Read it in the rule book
outcome-rematch = Rematch
outcome-look-back = Look back
outcome-leave = To the launcher

## The board's buttons, and messages

board-larger = Larger
board-smaller = Smaller
board-whole = Whole board
toast-host-gone = The connection to the match was lost. Go back and open it again.
toast-saved = Saved as { $file }.
toast-exported = The scenario is in { $file }: { $notes }.
toast-fault = Error in the rules: { $message }
fault-in-hook = { $message } (in { $hook })
toast-replaced = { $count ->
    [one] Played on from here. The later action stays as a variation.
   *[other] Played on from here. The { $count } later actions stay as a variation.
}
toast-no-hint = No hint available.
toast-overtaken = The match has moved on; your earlier clicks and keys were ignored.
toast-rules-broken = The changed rules have errors; still using the old rules.
toast-rules-same = Nothing has changed in the rules.
trouble-not-opened = The match couldn't be opened.
player-strategy-line = A computer player that comes with the rules.

## What players say to one another

chat-title = Chat
chat-close = Close chat
chat-to = Recipient
chat-everyone = Everyone
chat-line = Message
chat-empty = No messages yet.
chat-spectator = A spectator
chat-alone = to { $seat } only:
chat-said = { $seat }: { $words }
match-rated = Rated
match-latency = { $milliseconds } ms
match-no-answer = No answer for { $seconds } s
match-latency-hint = How long the server takes to answer
console-host-only = Only the host of the match edits it
match-rated-line = No undo, no edits, no hints
choice-repeat = { $action } until decided
choice-repeating = { $action }: repeating until decided
choice-stop = Stop

## Between people at one screen

hand-over-turn = { $seat } to move
hand-over-hint = Hand the screen over to { $seat }. Nobody else should look.
hand-over-show = Show the side of { $seat }
hand-over-off = Do not hide sides in this match

match-agree-draw = Agree on a draw
match-offer-draw = Offer a draw
match-ask-undo = Ask to undo
match-resign = Resign

offer-draw = { $seat } offers a draw
offer-draw-own = You offer a draw
offer-undo = { $seat } asks to undo
offer-undo-own = You ask to undo
offer-wait = { $seat } wants to wait for those who are gone
offer-wait-own = You want to wait for those who are gone
offer-accept = Accept
offer-decline = Decline
offer-withdraw = Withdraw
seats-you = You
seats-gone = gone
seats-played-on = played on
seats-substitute = { $player }, for { $name }
seats-time-left = { $time } left
match-ask-wait = Vote to wait
