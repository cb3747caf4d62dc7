### What the window says in English in the tools panel: the rule book, and the rules in force with their files.

## The tools panel

tools-book = Rule book
tools-scripts = Rules (live)
tools-close = Close
launcher-rule-book = Read the rules

## The rule book

book-search = Search the rules
book-empty = This ruleset has no rule book, and its scripts cite no rules.
book-page = Page of the rule book
book-previous = Previous page
book-next = Next page
book-scripts = The rules according to the scripts
book-scripts-line = These are the comments of the active functions. Where they and the pages differ, the scripts decide.
book-script-place = { $file }, line { $line }
book-to-script = Show in script
book-no-hits = Nothing found.
book-hits = { $count ->
    [one] 1 place
   *[other] { $count } places
}

## The rules in force

scripts-none = The files of these rules are not available.
scripts-fingerprint = Fingerprint of the rules: the same files have the same one
scripts-as-begun = Unchanged since the start
scripts-reloads = { $count ->
    [one] Changed once during the match
   *[other] Changed { $count } times during the match
}
scripts-reload = { $what }; active after { $milliseconds } ms
scripts-errors = { $count ->
    [one] 1 error
   *[other] { $count } errors
}
scripts-file = File
scripts-wrap = Wrap long lines
scripts-elsewhere = Open in the system editor
scripts-save = Save file
scripts-discard = Discard changes
scripts-discard-yes = Yes, discard
scripts-write-over = Overwrite with mine
scripts-overtaken = Another program has changed this file while you were editing. Overwrite it with your text, or discard your changes to see its text.
scripts-changed = Unsaved changes
scripts-bundled = This file came with the program and can only be read. Change a copy of the game instead.
scripts-bundled-goes-on = This file came with the program and can only be read. A copy of the game can be changed; this match goes on with the copy.
scripts-bundled-match = This file came with the program and can only be read. A copy of the game can be changed; this match is left for it and can be continued from the launcher.
scripts-copy = Change a copy
scripts-in-file = Saved
editor-of = Text of { $name }
editor-problem = Line { $line }: { $message }
unsaved-title = Unsaved files
unsaved-question = Save the changes before closing?
unsaved-save = Save and close
unsaved-discard = Close without saving

## Debugging strategies

debug-title = Strategy debugger
debug-line = Attach to a strategy to see it decide, or click a line number of its script to set a break point.
debug-seat = { $seat }: { $player }
debug-before = pause before
debug-before-of = Pause { $seat } before its decisions
debug-after = pause after
debug-after-of = Pause { $seat } after its decisions
debug-paused = { $seat } has paused at line { $line }.
debug-paused-before = { $seat } begins a decision.
debug-paused-after = { $seat } has decided.
debug-paused-break-point = { $seat } is at the break point at line { $line }.
debug-deciding = { $seat } is deciding.
debug-waiting = No attached strategy is to decide now.
debug-go-on = Continue
debug-over = Step over
debug-into = Step into
debug-out = Step out
debug-pause = Pause at the next line
debug-chosen = Chosen: { $action }
debug-evaluated = Evaluating: { $action }
debug-variables = Variables
debug-watches = Watched expressions
debug-watch = Watch an expression
debug-watch-hint = an expression, such as view.seat
debug-unwatch = Stop watching { $expression }
debug-points = Break points
debug-condition = Condition of the break point at line { $line }
debug-condition-hint = condition, such as value > 100; empty for always
debug-no-point = Remove the break point at line { $line }
debug-hits = { $count ->
    [one] Once so far.
   *[other] { $count } times so far.
}
debug-condition-fails = The condition couldn't be evaluated: { $problem }
debug-calls = Call stack
debug-call = { $function }, line { $line }
debug-thoughts = Thoughts so far
editor-break-point = Break point at line { $line }
editor-paused = Paused at line { $line }

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
reload-in-force = New rules are active
reload-after = after { $milliseconds } ms
reload-close = Close notice
reload-open-rule = Open the rule
reload-show = Show
reload-more = and { $count } more

## The tutorial

lesson-step = Tutorial, step { $number } of { $count }
lesson-next = Next
lesson-leave = Leave the tutorial
lesson-leave-line = The match goes on against the computer
lesson-play-on = Play on against the computer
lesson-missed = That's not the move meant here. The arrow shows it: try again.
lesson-done = That was the tutorial. The match can go on against the computer.
