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
launcher-nothing = No rulesets were found. They are folders in rulesets/, each with a ruleset.xml.
launcher-elsewhere = Elsewhere in the content
launcher-start = Start the match
launcher-worth-a-look = Worth a look
launcher-unplayable = This ruleset cannot be played
launcher-continue = Continue
launcher-open = Open
launcher-open-one = Open { $title }, { $line }
launcher-open-saved = Open a saved match
launcher-close-list = Close list
launcher-all-ended = All saved matches have ended.

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
settings-moves = Pieces travel their way
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

## Messages

toast-dismiss = Dismiss
toast-refused = { $reason } Rule { $rule }.
