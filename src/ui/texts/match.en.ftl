### What the window says in English about a match.

## The title of the window

match-title = { $now } - { $game } - Boardwright
match-to-act = { $seats } to act
