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

## Hlava partie

match-round = { $round }. kolo
match-looking-back = Pohled zpět: { $at } z { $of }
match-leave = Zpět na úvodní obrazovku
match-save = Uložit
match-hint = Napovědět
match-hint-awaited = Přemýšlím o nápovědě
match-undo = Zpět
match-redo = Znovu
match-standing = Stav partie

## Strany

seats-swap = Vyměnit strany
seats-go-on = Nechat počítače pokračovat
seats-wait = Nechat počítače počkat
seats-out = ze hry
seats-to-act = na tahu
seats-pieces = { $count ->
    [one] 1 kámen
    [few] { $count } kameny
   *[other] { $count } kamenů
}
seats-player-of = Hráč strany { $seat }
seats-level = Obtížnost
seats-level-of = Obtížnost strany { $seat }
thinking = Přemýšlí
thinking-ahead = Přemýšlí, { $count ->
    [one] 1 tah
    [few] { $count } tahy
   *[other] { $count } tahů
} dopředu
thinking-stop = Zastavit
thinking-stop-line = Zahrát hned, co se zatím našlo

## Historie

history = Historie tahů
history-newest = Na nejnovější tah
history-forward = O tah dopředu
history-back = O tah zpět
history-beginning = Na začátek
history-empty = Ještě se nic nezahrálo.
branch-title = Pokračovat odsud?
branch-dropped = { $count ->
    [one] Jeden pozdější tah se zahodí. Nelze to vzít zpět.
    [few] { $count } pozdější tahy se zahodí. Nelze to vzít zpět.
   *[other] { $count } pozdějších tahů se zahodí. Nelze to vzít zpět.
}
branch-drop-and-play = Zahodit je a zahrát

## Volba tahu

choice-preparing = Partie se připravuje.
choice-paused = Na tahu: { $seats }. Počítače čekají.
choice-to-act = Na tahu: { $seats }.
choice-several = Zvolte tah nebo kámen
choice-nothing = Nelze nic zahrát
choice-number = Číslo
choice-take-number = Vzít { $number }
choice-text = Text
choice-take = Vzít
choice-go-on = Dále
choice-play = Zahrát
choice-play-line = Enter nebo dvojí kliknutí
choice-clear = Zrušit volbu
choice-clear-line = Escape
choice-act = Tah

## Konec

outcome-draw = Remíza
outcome-won = Vítězství: { $seats }
outcome-and = {" a "}
outcome-reason = { $reason } (pravidlo { $rule })
outcome-rematch = Odveta
outcome-look-back = Ohlédnout se
outcome-leave = Na úvodní obrazovku

## Tlačítka desky a zprávy

board-larger = Zvětšit
board-smaller = Zmenšit
board-whole = Celá deska
toast-host-gone = Partie skončila, její hostitel zmizel.
toast-saved = Uloženo jako { $file }.
toast-fault = Chyba v pravidlech: { $message }
toast-no-hint = Není co napovědět.
toast-rules-broken = Změněná pravidla mají chyby, platí dál ta původní.
trouble-not-opened = Partii se nepodařilo otevřít.
player-strategy-line = Počítačový hráč, který přišel s pravidly.
