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
launcher-elsewhere = Other problems in the content
launcher-start = Start match
launcher-learn = Learn to play
launcher-suggested = Suggested
launcher-unplayable = This ruleset can't be played
launcher-continue = Continue
launcher-search = Search
launcher-none-found = No ruleset matches the search.
launcher-again = Play again
launcher-again-one = { $title }: { $players }
launcher-replays = Watch again
launcher-all-replays = All { $count }
launcher-watch-one = Watch { $title }, { $line }
card-play = Play { $title }
card-reading = Reading the rules
card-mod = Mod of { $title }
card-plays-like = Plays like { $names }.
card-more-findings = { $first } (and { $count ->
    [one] 1 more finding
   *[other] { $count } more findings
})
interrupted-title = Boardwright closed unexpectedly during this match
interrupted-several = { $count ->
    [one] 1 interrupted match
   *[other] { $count } interrupted matches
}
interrupted-take-up = Resume
interrupted-leave = Not now
interrupted-leave-line = It stays in the list of saved matches

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
facts-unreadable = The manifest can't be read

## The form before a match

form-scenario = Scenario
form-seats = Seats
form-you = You play
form-you-all = All seats
form-you-none = Only watch
form-you-several = Several seats
form-computers = Computers
form-computers-differ = Different levels
form-each-seat = Each seat
form-choice = { $about }: { $chosen }
form-options = Options
form-default-options = Reset to defaults
form-scenario-one = Scenario { $title }
form-more = More
form-seed = Random seed
form-seed-any = any
form-seed-help = Matches with the same seed have the same luck. Leave it empty for a new one each time.
form-seed-wrong = A seed is a whole number, 0 or greater.
option-range = Between { $least } and { $most }.
option-at-least = At least { $least }.
option-at-most = At most { $most }.
option-default = Default: { $value }.
option-yes = yes
option-no = no
option-nothing = none of them

## Players

player-human = Person
player-human-line = Someone at this screen.
player-search = Computer
player-search-line = Searches ahead; the level sets how far.
player-mcts = Computer (playouts)
player-mcts-line = Plays out many random games; the level sets how many.
player-greedy = Computer (greedy)
player-greedy-line = Takes what looks best right now.
player-random = Random
player-random-line = Plays any legal action.
player-strategy = Computer: { $name }
player-with-level = { $player }, level { $level }
player-with-limit = { $player }, at most { $limit } a move
level-title = { $name } ({ $level })
level-beginner = Beginner
level-easy = Easy
level-medium = Medium
level-hard = Hard
level-expert = Expert
level-master = Master

## Settings

settings = Settings
settings-confirm-moves = Confirm moves
settings-hand-over = Hide each side between turns
settings-shows-names = Show cell names
settings-colours = Theme
settings-colours-system = System
settings-colours-light = Light
settings-colours-dark = Dark
settings-to-light = Light theme
settings-to-dark = Dark theme
settings-language = Language
settings-language-system = System
settings-done = Done
settings-window = Window
settings-text-size = Text size
settings-text-larger = Larger text
settings-text-smaller = Smaller text
settings-percent = { $percent } %
settings-board = Board
settings-seats = Player colours
settings-seats-declared = Default
settings-seats-safe = Colour-blind safe
settings-patterns = Patterns too
settings-play = Play
settings-sounds = Sound
settings-sounds-off = Off
settings-sounds-quiet = Quiet
settings-sounds-normal = Normal
settings-sounds-loud = Loud
settings-sounds-none = No sound device was found.
panel-resize = Resize panel
settings-motion = Animation
settings-motion-off = Off
settings-motion-slow = Slow
settings-motion-normal = Normal
settings-motion-fast = Fast

## The keys

keys-title = Keyboard shortcuts
keys-change = Click a key to change it.
keys-change-one = Change { $key }: { $about }
keys-press = Press the key for: { $about } (Esc gives up)
keys-taken = { $key } is in use: { $others }
keys-replace = Use it here
keys-reset = Default key: { $about }
keys-reset-all = Reset all keys
keys-none = none
keys-shortcuts = Keyboard shortcuts
keys-program = Everywhere
keys-match = In a match
keys-history = Looking back
keys-board = On the board
keys-lists = In lists
keys-editor = In the script editor
keys-choose-action = Choose an action
keys-play-on = Repeat until decided
keys-play = Play the chosen action
keys-replay-back = Back, while looking back
keys-replay-forward = Forward, while looking back
keys-left = Cell to the left
keys-right = Cell to the right
keys-up = Cell above
keys-down = Cell below
keys-next-offered = Next cell to choose
keys-previous-offered = Previous cell to choose
keys-next-piece = Next piece beside the board
keys-previous-piece = Previous piece beside the board
keys-click = Click the cell
keys-pan-left = Move the view left
keys-pan-right = Move the view right
keys-pan-up = Move the view up
keys-pan-down = Move the view down
keys-list-up = One up
keys-list-down = One down
keys-list-leave = Back to the launcher
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
save-copy = auto-saved
save-broken = Can't be opened: { $reason }
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
open-unfinished = In progress
open-finished = Finished
open-search = Search saved matches
open-none = No saved matches yet.
open-open = Open
open-watch = Watch
open-watch-line = From its beginning
open-delete = Delete
open-delete-question = Delete { $name }? This can't be undone.
open-delete-yes = Delete
open-path = Path to a file
open-path-open = Open file
save-as-title = Save match as
save-as-name = Name
save-as-empty = Enter a name.
save-as-sign = A name can't contain { $sign }
save-as-replace-question = A match with this name already exists.
save-as-replace = Replace
save-as-save = Save match
toolbar-files = Files
toolbar-open = Open a saved match
toolbar-save-as = Save as
dialog-close = Close
dialog-cancel = Cancel
dialog-ok = OK
trouble-title = That didn't work
trouble-match-goes-on = The match on the screen is unchanged.
trouble-gone = The match ended while it was being opened.

## Messages

toast-dismiss = Dismiss
