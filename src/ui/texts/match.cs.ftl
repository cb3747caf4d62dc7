### Co okno říká česky o partii.

## Titulek okna

match-title = { $now } - { $game } - Boardwright
match-to-act = Na tahu { $seats }

## Deska slovy

board-named = Deska: { $title }
board-minimap = Celá deska v malém
board-empty = prázdné
board-chosen = zvoleno
board-target = lze zvolit
board-pickable = lze vybrat
board-hint = nápověda
board-last = poslední tah
board-pointed-out = vyznačeno
