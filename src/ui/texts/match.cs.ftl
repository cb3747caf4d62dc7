### Co okno říká česky o partii.

## Titulek okna

match-title = { $now } - { $game } - Boardwright
match-to-act = Na tahu { $seats }
