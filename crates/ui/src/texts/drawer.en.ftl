### What the window says in English in the drawer: the rule book, and the rules in force with their files.

## The drawer

drawer-book = Rule book
drawer-scripts = Rules in force
drawer-close = Close the drawer
launcher-rule-book = Read the rules

## The rule book

book-search = Search the rules
book-empty = This ruleset brings no rule book, and its scripts cite no rules.
book-page = Page of the rule book
book-previous = Previous page
book-next = Next page
book-scripts = The rules as the scripts say them
book-scripts-line = These are the comments of the functions in force. Where they and the pages differ, play goes by the scripts.
book-script-place = { $file }, line { $line }
book-to-script = Show it in the script
book-no-hits = Nothing was found.
book-hits = { $count ->
    [one] 1 place
   *[other] { $count } places
}

## The rules in force

scripts-none = The files of these rules are not at hand.
scripts-fingerprint = The fingerprint of the rules: the same files have the same one
scripts-as-begun = They have not changed since the match was begun here.
scripts-reloads = { $count ->
    [one] Changed once during the match
   *[other] Changed { $count } times during the match
}
scripts-reload = { $what }; in force after { $milliseconds } ms
scripts-errors = { $count ->
    [one] 1 error
   *[other] { $count } errors
}
scripts-file = File
scripts-elsewhere = Open in the editor of the system
scripts-save = Save the file
scripts-discard = Discard changes
scripts-discard-yes = Yes, discard them
scripts-write-over = Write mine over it
scripts-overtaken = Another program has changed this file while you were writing. Its text is kept until you write yours over it; discarding your changes shows it.
scripts-changed = not saved yet
scripts-in-file = as in the file
editor-of = Text of { $name }
editor-problem = Line { $line }: { $message }
unsaved-title = Some files are not saved
unsaved-question = Save the changes before the window closes?
unsaved-save = Save and close
unsaved-discard = Close without saving

## Following strategies

follow-title = Strategies, line by line
follow-line = Follow one to see it decide, or click a line number of its script to halt it there.
follow-seat = { $seat }: { $player }
follow-before = halt before
follow-before-of = Halt { $seat } before its decisions
follow-after = halt after
follow-after-of = Halt { $seat } after its decisions
follow-halted = { $seat } has halted at line { $line }.
follow-halted-before = { $seat } begins a decision.
follow-halted-after = { $seat } has decided.
follow-halted-break-point = { $seat } is at the break point in line { $line }.
follow-deciding = { $seat } is deciding.
follow-waiting = Nobody who is followed is to decide now.
follow-go-on = Continue
follow-over = Step over
follow-into = Step into
follow-out = Step out
follow-halt = Halt at the next line
follow-chosen = Chosen: { $action }
follow-considered = Weighing: { $action }
follow-variables = Variables
follow-watches = Watched expressions
follow-watch = Watch an expression
follow-watch-hint = an expression, such as view.seat
follow-unwatch = Watch { $expression } no longer
follow-points = Break points
follow-condition = Condition of the break point in line { $line }
follow-condition-hint = always, or if, such as worth > 100
follow-no-point = Halt in line { $line } no longer
follow-hits = { $count ->
    [one] Once so far.
   *[other] { $count } times so far.
}
follow-condition-fails = The condition could not be worked out: { $problem }
follow-calls = Calls
follow-call = { $function }, line { $line }
follow-thoughts = Said and weighed so far
editor-break-point = Break point at line { $line }
editor-halted = Halted at line { $line }

## Problems and changes

problems-errors = { $count ->
    [one] 1 error
   *[other] { $count } errors
}
problems-warnings = { $count ->
    [one] 1 warning
   *[other] { $count } warnings
}
problems-notes = { $count ->
    [one] 1 note
   *[other] { $count } notes
}
problems-none = No problems
problems-close = Close problems
problems-edit = Edit { $place }
problem-help = Help: { $help }
reload-in-force = The changed rules are in force
reload-after = after { $milliseconds } ms
reload-close = Close notice
reload-show = Show
reload-more = and { $count } more
