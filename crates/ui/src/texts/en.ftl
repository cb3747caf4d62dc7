### What the window says in English.
###
### The words are those of CONTRIBUTING.md. A key begins with the part of the window it belongs to; `count` is always a number.

## The program

app-name = Boardwright
app-line = Board and strategy games whose rules are scripts

## The launcher

launcher-question = What shall we play?
launcher-look-again = Look for rulesets again
launcher-looking = Looking through the rulesets
launcher-nothing = No rulesets were found. They are folders in rulesets/, each with a ruleset.xml. Start Boardwright in the folder that has rulesets/ in it, or name that folder: boardwright --content FOLDER
launcher-elsewhere = Elsewhere in the content
launcher-start = Start the match
launcher-worth-a-look = Worth a look
launcher-unplayable = This ruleset cannot be played
launcher-continue = Continue
launcher-open-saved = Open a saved match
launcher-all-ended = All saved matches have ended.
launcher-search = Search
launcher-none-found = None of the rulesets fits the search.
launcher-again = Once more:
launcher-again-one = { $title }: { $players }
launcher-replays = To watch again
launcher-all-replays = All { $count }
launcher-watch-one = Watch { $title }, { $line }
card-reading = Reading the rules
card-mod = Mod of { $title }
card-plays-like = Plays like { $names }.
card-more-findings = { $first } (and { $count ->
    [one] 1 more finding
   *[other] { $count } more findings
})
cut-off-title = Boardwright was stopped while this match was running
cut-off-take-up = Take it up again
cut-off-leave = Leave it
cut-off-leave-line = It stays among the saved matches

## What a card tells

facts-seats = { $count ->
    [one] 1 seat
   *[other] { $count } seats
}
facts-seats-between = { $least } to { $most } seats
facts-minutes = about { $count ->
    [one] 1 minute
   *[other] { $count } minutes
}
facts-unreadable = The manifest cannot be read

## The form before a match

form-scenario = Scenario
form-seats = Seats
form-options = Options
form-usual-options = As usual
form-scenario-one = Scenario { $title }
form-more = More
form-seed = Seed of luck
form-seed-any = any
form-seed-help = Matches with the same seed have the same luck. Usually nobody knows it.
form-seed-wrong = A seed is a whole number, 0 or greater.
option-range = Between { $least } and { $most }.
option-at-least = At least { $least }.
option-at-most = At most { $most }.
option-usually = Usually { $value }.
option-yes = yes
option-no = no

## Players

player-human = Person
player-human-line = Someone at this screen.
player-search = Computer
player-search-line = Looks ahead; the level says how far.
player-mcts = Playing computer
player-mcts-line = Plays matches on to see how they end; the level says how many.
player-greedy = Greedy computer
player-greedy-line = Takes what looks best at once.
player-random = Random computer
player-random-line = Does anything the rules allow.
player-strategy = Strategy { $name }
player-with-level = { $player }, level { $level }

## Settings

settings = Settings
settings-plays-at-once = Play as soon as nothing is left to choose
settings-shows-names = Names of cells on the board
settings-colours = Colours
settings-colours-system = As the system
settings-colours-light = Light
settings-colours-dark = Dark
settings-to-light = Light colours
settings-to-dark = Dark colours
settings-language = Language
settings-language-system = As the system
settings-done = Done
settings-window = The window
settings-text-size = Size of texts
settings-text-larger = Larger texts
settings-text-smaller = Smaller texts
settings-percent = { $percent } %
settings-board = The board
settings-seats = Colours of seats
settings-seats-declared = As the rules say
settings-seats-safe = For every eye
settings-patterns = Patterns besides colours
settings-play = Playing
settings-sounds = Sounds
settings-sounds-off = Off
settings-sounds-quiet = Quiet
settings-sounds-usual = Usual
settings-sounds-loud = Loud
settings-sounds-none = There is no sound device.
panel-resize = Resize panel
settings-motion = Pieces travel
settings-motion-off = Not at all
settings-motion-slow = Slowly
settings-motion-usual = As usual
settings-motion-fast = Fast

## The keys

keys-title = Keyboard
keys-key-map = This map
keys-program = Everywhere
keys-match = In a match
keys-history = Looking back
keys-board = On the board
keys-lists = In lists
keys-editor = In the editor of scripts
keys-choose-action = Choose an action
keys-play-on = Play on until it is decided
keys-play = Play what is chosen
keys-replay-back = The same, while looking back
keys-replay-forward = The same forward, while looking back
keys-left = Cell to the left
keys-right = Cell to the right
keys-up = Cell above
keys-down = Cell below
keys-next-offered = Next cell that can be picked
keys-previous-offered = The one before it
keys-click = Click the cell
keys-pan-left = Move the view left
keys-pan-right = Move the view right
keys-pan-up = Move the view up
keys-pan-down = Move the view down
keys-list-up = One up
keys-list-down = One down
key-space = Space

## Saved matches

save-title = { $ruleset }: { $scenario }
save-player = { $seat }: { $player }
save-actions = { $count ->
    [one] 1 action
   *[other] { $count } actions
}
save-finished = ended after { $count ->
    [one] 1 action
   *[other] { $count } actions
}
save-copy = kept by itself
save-broken = Cannot be opened: { $reason }
ago-now = just now
ago-minutes = { $count ->
    [one] 1 minute ago
   *[other] { $count } minutes ago
}
ago-hours = { $count ->
    [one] 1 hour ago
   *[other] { $count } hours ago
}
ago-days = { $count ->
    [one] yesterday
   *[other] { $count } days ago
}
open-title = Saved matches
open-all = All
open-unfinished = To go on with
open-finished = Ended
open-search = Search saved matches
open-none = There are none here yet.
open-open = Open
open-watch = Watch
open-watch-line = From its beginning
open-delete = Delete
open-delete-question = Delete { $name }? This cannot be taken back.
open-delete-yes = Delete it
open-path = Path of a file
open-path-open = Open the file
save-as-title = Save the match as
save-as-name = Name of the saved match
save-as-empty = Give it a name.
save-as-sign = A name cannot hold the sign { $sign }
save-as-replace-question = There is a match of this name already.
save-as-replace = Replace it
save-as-save = Save the match
corner-files = Files
corner-open = Open a saved match
corner-save-as = Save as
dialog-close = Close
dialog-cancel = Cancel
dialog-ok = OK
trouble-title = That did not work
trouble-match-goes-on = The match on the screen is as it was.
trouble-gone = The match ended while it was opened.

## Messages

toast-dismiss = Dismiss
