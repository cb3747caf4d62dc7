### What the editor says in English.

## The launcher

launcher-edit = Editor
launcher-edit-hint = Draw maps and scenarios
launcher-make = Make your own
launcher-new-map = New map
launcher-new-scenario = New scenario
launcher-copy = A copy of this

## Keys

keys-drawing = Map editor
keys-swatch = Terrain or piece
keys-symmetry = Next symmetry
keys-next-problem = Next problem
keys-next-file = Next file
keys-previous-file = Previous file

## Tools

tool-hand = Hand: select and drag
tool-brush = Brush
tool-line = Line
tool-rectangle = Rectangle
tool-fill = Fill
tool-replace = Replace everywhere
tool-dropper = Pick a terrain
tool-hole = Holes
tool-height = Height
tool-region = Region
tool-edge = Edges
edge-value = Value
edge-hint = Drag along the borders of cells. Shift takes away.
tool-select = Select cells
tool-piece = Place pieces
tool-point = Points
tool-outline = Outlines of areas
tool-link = Links
brush-smaller = Smaller brush
brush-larger = Larger brush
height-raise = Raise
height-lower = Lower
height-set = Set
height-step = By or to
symmetry-none = None
symmetry-left-right = Left and right
symmetry-top-bottom = Top and bottom
symmetry-quarters = Both
symmetry-falling = Falling diagonal
symmetry-rising = Rising diagonal
symmetry-half-turn = Half a turn
symmetry-thirds = Thirds of a turn
symmetry-quarter-turns = Quarters of a turn
symmetry-sixths = Sixths of a turn

## What is done

edit-copy = Copy
edit-cut = Cut
edit-paste = Paste
edit-turn = Turn
edit-mirror = Mirror
edit-select-all = Select all
edit-delete = Delete
edit-remove-part = Take this part away
edit-leave = Clear selection
edit-try = Try it
edit-save = Save
edit-new = New map
edit-close = Close the file
edit-leave-editor = Back to the launcher
edit-leave-to-match = Back to the match
edit-new-map = New map
edit-new-scenario = New scenario
edit-copy-of = A copy
edit-new-or-open = New or open
edit-open = Open a map or scenario
edit-resize = Change the size
edit-recovered = { $count ->
    [one] 1 change of { $file } that was not saved has been recovered.
   *[other] { $count } changes of { $file } that were not saved have been recovered.
}
conflict-title = { $count ->
    [one] Another program made a conflicting change. Nothing is saved until you choose.
   *[other] Another program made conflicting changes in { $count } places. Nothing is saved until you choose.
}
conflict-mine = Keep mine
conflict-theirs = Take theirs
conflict-all-mine = Keep all of mine
conflict-all-theirs = Take all of theirs
conflict-sides = { $what }: mine { $mine }, theirs { $theirs }
conflict-nothing = nothing
conflict-id = Id
conflict-of-title = Title
conflict-topology = Size and kind of board
conflict-cell = Cell { $name }
conflict-point = Point { $name }
conflict-line = Line { $name }
conflict-region = Region { $name }
conflict-edge = Edge { $a } to { $b }
conflict-description = Description
conflict-ruleset = Ruleset
conflict-map = Map
conflict-overlay = Script of the scenario
conflict-seats = Seats
conflict-player = Player of { $seat }
conflict-option = Option { $name }
conflict-pieces = Pieces
conflict-property = Property { $name }
outside-merged = Another program changed { $file }. Taken in here: { $what }. { $key } takes it out again.
outside-unreadable = Another program changed { $file }, and it cannot be read: { $reason }. Your work stays open; saving writes it over what is there.
outside-cells = { $count ->
    [one] 1 cell
   *[other] { $count } cells
}
outside-points = { $count ->
    [one] 1 point or area
   *[other] { $count } points or areas
}
outside-lines = { $count ->
    [one] 1 line
   *[other] { $count } lines
}
outside-edges = { $count ->
    [one] 1 edge
   *[other] { $count } edges
}
outside-pieces = { $count ->
    [one] 1 piece
   *[other] { $count } pieces
}
outside-players = Players
outside-options = Options
outside-values = Properties
edit-set-aside = Unsaved work from last time does not fit { $file } any more, or cannot be read. It is kept in { $aside }.
edit-other-set-aside = { $file } was changed in another window, which closed without saving. Its work is kept in { $aside }.
edit-open-elsewhere = { $file } is open in another window. Changes here have no recovery file until you save.
edit-bundled = { $file } belongs to the program and is not written over. Save a copy to go on with it.
edit-bundled-copy = What you asked to edit belongs to the program and is not written over. Make a copy of it.
edit-save-copy = Save a copy
edit-save-copy-hint = Copies the map with its scenarios, or the scenario with its map, into your own content. You go on in the copy, with the history of the drawing.
edit-copied = You go on in the copy: { $file }.
edit-no-copy = No copy was saved: { $reason }.
edit-no-map = The map { $map } cannot be read.
edit-without-ruleset = Drawn without its ruleset
layer-coordinates = Show names of cells
layer-regions = Show regions
layer-heights = Show heights
layer-problems = Show problems
tab-of = File { $title }
tab-changed = File { $title }, not saved
tab-match = Match
tab-close = Close { $title }

## Beginning

welcome-title = Maps and scenarios
welcome-line = Draw a board, put pieces on it, and try it at once.
welcome-recent = Recent files
welcome-all = All maps and scenarios
new-ruleset = Ruleset
new-title = Title
new-id = File name
new-template = Begin with
new-empty = an empty board
new-shape = Shape of the cells
new-hex-flat = Hexes, flat
new-hex-pointy = Hexes, pointy
new-square = Squares
new-points = Points
new-areas = Areas
new-width = Columns
new-height = Rows
new-diagonals = Diagonals are neighbours
new-drawn-remark = They begin in rows; then they are moved, linked and outlined as you like.
new-map = Map
new-copy-title = { $title } (copy)
new-copy-map = Copy its map as well
new-copy-map-hint = Without it the copy is played on the same map, and follows its changes.
new-make = Make
new-remark = The file is created now. Until you save, changes are kept in a recovery file.
new-no-title = Give it a title.
new-no-id = A file name is made of small letters, digits and single hyphens.
new-no-map = Choose a map.
new-taken = { $file } is there already.
open-drawing-hint = Search, or the path of a file
open-drawing-path = Open this file
open-drawing-missing = There is no such file.
close-drawing-title = Close { $name } without saving?
close-drawing-remark = The changes stay in the recovery file and return when you reopen it.
close-drawing-anyway = Close
changed-title = The file was changed by another program
changed-remark = Both sets of changes can be merged. You decide where they conflict, and can undo the merge.
changed-merge = Merge and save
resize-anchor = What stays where it is
resize-anchor-one = { $across } % of the new columns on the left, { $down } % of the new rows above
resize-cut-off = { $count ->
    [0] No cell is cut off.
    [one] 1 cell is cut off.
   *[other] { $count } cells are cut off.
}

## Palette

palette-brush = Brush
palette-size = Size of the brush
palette-size-hint = Smaller and larger: { $keys }
palette-symmetry = Symmetry
palette-symmetry-hint = What you draw is repeated, so that a map is fair. { $key } takes the next.
palette-terrain = Terrain
palette-swatch = Terrain { $title }
palette-dropper-hint = Alt and a click pick the terrain of a cell.
palette-no-terrain = This ruleset has no terrains.
palette-owner = Owner
palette-owner-hint = Pieces of { $title }
palette-nobody = Nobody
palette-kinds = Pieces
palette-kind = Piece { $title }
palette-no-kinds = This ruleset has no pieces.
palette-pose = Pose
outline-new = New
outline-part = Part
outline-hint = A new area, or one more part of the selected one. Click the corners one after the other, the first one again or Enter closes. Borders that are there are followed; Shift draws straight. Drag a corner or a side to move it, Shift and a click take a corner away.
align-column = Into one column
align-row = Into one row
align-across = Even gaps across
align-down = Even gaps down
align-grid = Onto the grid
zones-off-board = Off the board
zones-hint = Drag pieces here and back.
zone-add = Add a piece to { $zone }
zone-pieces = { $count ->
    [one] { $zone }: { $title }
   *[other] { $zone }: { $count } times { $title }
}
palette-pieces-hint = Click a cell to put a piece there, or drag one from here. The hand drags pieces; Delete takes them away.
palette-selection = Selection

## Panel

side-properties = Properties
side-regions = Regions
side-problems = { $count ->
    [0] Problems: none
    [one] 1 problem
   *[other] { $count } problems
}
side-history = History
side-statistics = Numbers
side-map = Map
side-scenario = Scenario
map-id = File: { $id }
map-ruleset = Ruleset: { $title }
properties-none-selected = Click a cell with the hand to see its properties.
cell-one = Cell { $name }
cell-several = { $count ->
    [one] 1 cell
   *[other] { $count } cells
}
cell-name = Name
cell-terrain = Terrain
cell-height = Height
cell-place = Place
cell-edges = Edges
cell-edge-to = { $title } to { $name }
scenario-description = Description
scenario-map = On the map { $map }, by the rules of { $ruleset }
scenario-seats = Seats
scenario-seat-hint = Whether it takes part
scenario-anybody = anybody
scenario-options = Options
scenario-match = The match
scenario-seat-values = What seats have
scenario-hint = Click a piece or a cell with the hand to see its properties.
piece-one = { $title }, { $place }
piece-several = { $count ->
    [one] 1 piece
   *[other] { $count } pieces
}
piece-zone = Where
piece-off = out of play
piece-aboard = aboard { $carrier }
piece-put-aboard = Put the selected pieces aboard { $number }. { $title }
piece-ashore = Unload { $title }
piece-side = Side
piece-no-side = in the middle
piece-stack = { $count ->
    [one] 1 piece here
   *[other] { $count } pieces here
}
piece-in-stack = { $number }. { $title }
piece-delete = { $count ->
    [one] Delete the piece
   *[other] Delete { $count } pieces
}
value-reset = { $title }: reset to default
value-nothing = nothing
region-name = region { $number }
area-name = area
region-new = New region
region-of-selection = New region of the selected cells
region-none = There are no regions yet. A region is a named set of cells that rules can ask about.
region-cells = { $count ->
    [one] { $name }: 1 cell
   *[other] { $name }: { $count } cells
}
region-delete = Delete { $name }
region-paint-hint = Paint its cells with the region tool; Shift takes cells out.
problems-drawn-none = Nothing is wrong.
history-drawn-beginning = As it was opened
history-drawn-earlier = Earlier steps
history-step = { $number }. { $what }
history-no-log = The last change is not in the recovery file: { $reason }
step-paint = Brush
step-fill = Fill
step-line = Line
step-rectangle = Rectangle
step-replace = Replace everywhere
step-holes = Holes
step-elevation = Height
step-property = Property
step-name = Name
step-region = Region
step-points = Points
step-lines = Links
step-outline = Outline
step-cut = Delete
step-paste = Paste
step-move = Move
step-turn = Turn
step-mirror = Mirror
step-resize = Size
step-title = Title
step-seats = Seats
step-players = Players
step-options = Options
step-pieces = Pieces
step-triggers = Triggers
step-script = Script
step-mend = Fix
step-generate = Generate
step-import = Import
step-merge = Changes of another program
step-other = Change
statistics-balance = What each seat has
statistics-sum = Sum of { $title }
statistics-share = { $count } ({ $percent } %)
shape-hexes = { $width } by { $height } hexes
shape-squares = { $width } by { $height } squares
shape-graph = points and areas
status-board = { $count ->
    [one] { $shape }, 1 cell
   *[other] { $shape }, { $count } cells
}
status-selected = { $count ->
    [one] 1 cell selected
   *[other] { $count } cells selected
}
status-height = height { $height }
status-not-kept = no recovery file
status-zoom = { $points } points a cell
statistics-starts = Where seats begin
statistics-to-next = Next
statistics-to-next-hint = Steps to the nearest other seat
statistics-nearest = Cells
statistics-nearest-hint = Cells that are nearer to it than to any other
edit-wrong-ending = The names of maps end in { $map }, those of scenarios in { $scenario }

## Triggers

side-triggers = Triggers
triggers-list = List
triggers-script = Script
triggers-none = Nothing happens by itself in this scenario yet. A trigger makes something happen when something else does.
triggers-no-script = This scenario has no script yet. What is written here becomes one.
triggers-script-file = { $file }, laid over the rules in this scenario. It may be edited in any text editor.
triggers-by-hand = { $count ->
    [one] Script written by hand, 1 line
   *[other] Script written by hand, { $count } lines
}
trigger-add = New trigger
trigger-new-name = Trigger
trigger-name = Name of the trigger
trigger-comment = Comment
trigger-of = Trigger { $name }
trigger-on = { $name } is on
trigger-summary = When { $when }: { $then }
trigger-when = When
trigger-if = If
trigger-then = Then
trigger-once = Once in a match
trigger-add-condition = Condition
trigger-add-consequence = Consequence
trigger-change-when = Something else happens
trigger-sentence-up = Move sentence { $number } up
trigger-sentence-away = Take sentence { $number } out
trigger-does-nothing = Nothing is done yet.
trigger-duplicate = Duplicate the trigger
trigger-up = Move the trigger up
trigger-down = Move the trigger down
trigger-delete = Delete the trigger
trigger-script = As script
trigger-open-script = Edit the script
trigger-happens = Trigger: { $name }
trigger-translated = { $language }: { $text }
trigger-not-translated = { $language }: not translated
trigger-search = Search
subject-time = Rounds and turns
subject-action = Actions
subject-piece = Pieces
subject-value = Properties
subject-board = Board
subject-message = Messages
subject-match = Seats and the end
field-region = Region
field-cell = Cell
field-seat = Seat
field-kind = Kind
field-terrain = Terrain
field-zone = Zone
field-action = Action
field-property = Property
field-number = Number
field-dice = Dice
field-text = Text
field-word = Value
field-comparison = Comparison
field-seat-on-turn = the seat on turn
field-yes = yes
field-no = no
field-plain-number = a number
field-other = Something else for: { $title }
field-point = Click it on the board
field-pointing = Click a cell on the board, or press Escape.
field-none-found = Nothing is found.
field-more-found = { $count ->
    [one] And 1 more
   *[other] And { $count } more
}
compare-equal = exactly
compare-not-equal = not
compare-at-least = at least
compare-at-most = at most
compare-more = more than
compare-less = less than
fault-missing = { $name } is not there.
fault-empty = Choose a value.
fault-range = It goes from { $least } to { $most }.
fault-value = The property cannot be { $value }.
fault-nothing = Nothing is done.
unread-heading = { $name }, as script
unread-why = Line { $line }: { $reason }
unread-name = the marker needs a name without invisible characters.
unread-function = no function of a trigger follows.
unread-hook = { $name } is no listener of triggers, or has other parameters.
unread-unknown = there is something that triggers do not contain, such as a comment.
unread-condition = this condition is not an available sentence.
unread-consequence = this consequence is not an available sentence.
unread-once = `turn.once` has another name than the trigger.
unread-misplaced = this sentence is not allowed here: { $sentence }

## The title of the window

edit-title = { $file } - Editor - Boardwright

## Maps from pictures, and random maps

new-picture = a picture
new-random = a random map
new-mask = Mask
new-drawing = Drawing (optional)
new-picture-hint = path, or drop a PNG or JPEG here
new-picture-remark = In the mask each area is filled with a colour of its own. The drawing is what it was painted over; it is shown through the areas while you name them.
new-no-mask = Name the picture of the mask.
new-no-picture = There is no file { $file }.
edit-random = Random map
random-seed = Seed
random-other-seed = Another seed
random-make = Generate
random-remark = It takes the place of the map that is shown. Undo brings that back.
picture-importing = Tracing areas
picture-failed = The import ended without a result. The log of the program says why.
cell-name-taken = Another cell is called { $name }. Names are unique on a map.
picture-stage-colours = Reading colours
picture-stage-parts = Finding areas
picture-stage-borders = Following borders
picture-stage-simplifying = Simplifying borders
picture-stage-pivots = Placing labels
side-picture = Picture
picture-heading = Traced from a picture
picture-found = { $areas ->
    [one] 1 area
   *[other] { $areas } areas
} in { $parts ->
    [one] 1 part
   *[other] { $parts } parts
}; { $specks ->
    [0] no specks
    [one] 1 speck joined
   *[other] { $specks } specks joined
}
picture-show-drawing = Show the drawing
picture-tolerance = Tolerance of borders
picture-corners = { $count } corners. Areas share their borders at every tolerance.
picture-outlines-edited = Outlines were edited, so the borders are no longer traced again. Undo brings the slider back.
picture-least-border = Neighbours touch along at least
picture-neighbours = { $count ->
    [one] 1 pair of neighbours
   *[other] { $count } pairs of neighbours
}. The link tool adds links across water, and removes any.
picture-lines-edited = Links were edited, so neighbours are no longer proposed again.
picture-areas = Names of areas
picture-area-name = Area of the colour { $colour }
picture-areas-changed = Areas were added or deleted. Names are in Properties.

## Cells with other names

renamed-cells = { $count ->
    [one] 1 scenario names cells that have another name now or are gone: { $titles }.
   *[other] { $count } scenarios name cells that have another name now or are gone: { $titles }.
}
renamed-follow = Rename there too
renamed-hint = Opens each of them, changed and not saved. What stood on cells that are gone is taken out. It can be undone there.
renamed-leave = Leave them
renamed-script = The script of { $title } still has old names in it. Look through it.
renamed-done = { $count ->
    [one] Changed and not saved yet: { $titles }.
   *[other] { $count } scenarios are changed and not saved yet: { $titles }.
}
renamed-gone = { $count ->
    [one] 1 entry on a cell that is gone was taken out.
   *[other] { $count } entries on cells that are gone were taken out.
}
