### Co okno říká česky o partii.

## Titulek okna

match-title = { $now } - { $game } - Boardwright
match-to-act = Na tahu { $seats }

## Deska slovy

board-named = Deska: { $title }
board-minimap = Celá deska v malém
board-piece = { $kind } ({ $seat })
board-empty = prázdné
board-unexplored = dosud neviděno
board-remembered = z paměti
board-unknown-place = neznámé místo
board-chosen = zvoleno
board-target = lze zvolit
board-pickable = lze vybrat
board-hint = nápověda
board-last = poslední tah
board-differing = liší se od současnosti
board-pointed-out = vyznačeno
board-going = zmizí odtud { $piece }
board-coming = přijde sem { $piece }
board-changing = bude tu { $piece }

## Hlava partie

match-round = { $round }. kolo
match-looking-back = Pohled zpět: { $at } z { $of }
match-leave = Zpět na úvodní obrazovku
match-save = Uložit
match-export-scenario = Udělat scénář
match-to-drawing = Kresba
match-edit-map = Upravit mapu
match-edit-scenario = Upravit scénář
match-hint = Napovědět
match-hint-awaited = Přemýšlím o nápovědě
match-undo = Zpět
match-redo = Znovu
match-tools = Další nástroje
match-scoreboard = Stav partie

## Strany

seats-swap = Vyměnit strany
seats-swap-with = Vyměnit si místo: { $seat }
seats-go-on = Nechat počítače pokračovat
seats-wait = Nechat počítače počkat
seats-out = ze hry
seats-to-act = na tahu
seats-pieces = ve hře { $count }
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
thought-ahead = { $count ->
    [one] Promyslel 1 tah
    [few] Promyslel { $count } tahy
   *[other] Promyslel { $count } tahů
} dopředu
thinking-chance = Vyhraje s pravděpodobností { $chance }
thinking-level = Vyrovnáno
thinking-slightly-ahead = Mírně vede
thinking-well-ahead = Vede
thinking-far-ahead = Vysoko vede
thinking-slightly-behind = Mírně ztrácí
thinking-well-behind = Ztrácí
thinking-far-behind = Hodně ztrácí
thinking-wins = { $count ->
    [one] Vyhrává hned
   *[other] Vyhrává do { $count } tahů
}
thinking-loses = { $count ->
    [one] Prohrává hned
   *[other] Prohrává do { $count } tahů
}
pace = Počítače táhnou po
pace-short = Tempo
pace-at-once = bez čekání
pace-seconds = { $seconds } s

hint-is = Nápověda: { $action }
hint-play = Zahrát to

## Historie

history = Historie
history-newest = Na nejnovější tah
history-forward = O tah dopředu
history-back = O tah zpět
history-beginning = Na začátek
history-rolls = { $count ->
    [few] { $count } hody, ukázat všechny
   *[other] { $count } hodů, ukázat všechny
}
history-fold = ukázat méně
history-variations = Varianty
history-variation-line = Pokračovat touto variantou; dosavadní hra se stane variantou
history-variation-delete = Smazat variantu { $line }
history-empty = Ještě se nic nezahrálo.
history-look-back = Ohlédnout se zpět

## Pohled zpět

replay-beginning = Úplně na začátek
replay-back = Krok zpět
replay-run = Přehrávat
replay-pause = Pozastavit
replay-forward = Krok vpřed
replay-newest = Až na konec
replay-position = Místo v partii
replay-count = { $at } z { $of }
replay-speed = Rychlost přehrávání
replay-times = { $speed }×
replay-compare = Porovnat
replay-compare-line = Zvýrazní pole, která se liší od současnosti
replay-show-now = Ukázat nyní
replay-show-then = Ukázat tehdy
replay-is-now = Partie, jak stojí nyní
replay-go-on = Hrát dál odsud
replay-go-on-line = Pozdější tahy zůstanou jako varianta
replay-close = Zpět do současnosti
keys-run = Přehrávat, nebo pozastavit
keys-compare = Porovnat, pak střídat nyní a tehdy

## Průběh partie

chart-title = Graf partie
chart-empty = Zatím není co kreslit.
chart-measure = Co se kreslí
chart-points = Body
chart-chance = Pravděpodobnost výhry
chart-score = Výhoda
chart-advantage-line = 100 % je největší výhoda této partie
chart-pieces = Síly ve hře
chart-round = { $round }
chart-rounds = Kolo
chart-line = { $seat } od { $first } do { $last }
chart-said = { $measure }: { $seats }

## Volba tahu

choice-preparing = Partie se připravuje.
choice-paused = Na tahu: { $seats }. Počítače čekají.
choice-to-act = Na tahu: { $seats }.
choice-several = Zvolte tah, nebo klikněte na desku
choice-nothing = Nelze nic zahrát
choice-after-odds = Prohlédněte si šance a stiskněte Zahrát nebo Enter
choice-not-your-turn = Ještě ne: na tahu { $seats }
choice-beside-first = Nejdřív zvolte dílek vedle desky
choice-not-here = Tady ne. { $prompt }
choice-nothing-here = Tady není co zvolit
choice-number = Číslo
choice-fewer = Méně
choice-more = Více
left-to-do = { $count ->
    [one] Zbývá udělat jedna věc
    [few] Zbývá udělat { $count } věci
   *[other] Zbývá udělat { $count } věcí
}
scoreboard-show = Ukázat na desce
choice-take-number = Zvolit { $number }
choice-play-number = { $action }: { $number }
choice-stop-here = Pokračujte, nebo zakončete dalším kliknutím či klávesou Enter
choice-stop-set = Až bude vybráno vše, stiskněte Enter
choice-confirm = Zahrajete klávesou Enter nebo dalším kliknutím
choice-picked = { $action }: { $picks }
choice-for = { $action }:
choice-none = Žádný
confirm-title = { $action }?
confirm-rated = Strana { $seat } to nemůže vzít zpět: partie je hodnocená.
confirm-line = Strana { $seat } to může vzít zpět jen vrácením tahu.
choice-text = Text
choice-take = OK
choice-go-on = Dále
choice-play = Zahrát
choice-play-line = Enter, nebo kliknout znovu
choice-clear = Zrušit volbu
choice-clear-line = Escape
keys-take-back = Vrátit poslední krok volby
choice-act = Tah

pose-turn = Otočit
pose-turn-back = Otočit zpátky
pose-mirror = Překlopit
keys-number-up = Větší číslo
keys-number-down = Menší číslo
piece-chooser-close = Žádný z nich
piece-chooser-end = To je vše
piece-chooser-back = Zavřít seznam
piece-chooser-title = Který z nich?

## Konec

outcome-draw = Remíza
outcome-won = Vítězství: { $seats }
outcome-and = {" a "}
outcome-place = { $place }.
outcome-points = { $count ->
    [one] 1 bod
    [few] { $count } body
   *[other] { $count } bodů
}
outcome-watch = Přehrát
outcome-new-match = Nová partie
outcome-close = Zobrazit desku
outcome-watch-line = Celou partii od začátku
outcome-save = Uložit partii
rule-link = Pravidlo { $rule }
rule-link-line = Přečíst je v knize pravidel
outcome-rematch = Odveta
outcome-look-back = Ohlédnout se
outcome-leave = Na úvodní obrazovku

## Tlačítka desky a zprávy

board-larger = Zvětšit
board-smaller = Zmenšit
board-whole = Celá deska
toast-host-gone = Spojení se zápasem se přerušilo. Vraťte se a otevřete ho znovu.
toast-saved = Uloženo jako { $file }.
toast-exported = Scénář je v { $file }: { $notes }.
toast-fault = Chyba v pravidlech: { $message }
fault-in-hook = { $message } (v { $hook })
toast-replaced = { $count ->
    [one] Hraje se dál odsud. Pozdější tah zůstává jako varianta.
    [few] Hraje se dál odsud. { $count } pozdější tahy zůstávají jako varianta.
   *[other] Hraje se dál odsud. { $count } pozdějších tahů zůstává jako varianta.
}
toast-no-hint = Není co napovědět.
toast-overtaken = Partie mezitím pokročila: co jste předtím klikli nebo stiskli, neplatí.
toast-rules-broken = Změněná pravidla mají chyby, platí dál ta původní.
toast-rules-same = V pravidlech se nic nezměnilo: platí táž jako dosud.
trouble-not-opened = Partii se nepodařilo otevřít.
player-strategy-line = Počítačový hráč, který přišel s pravidly.

## Co si hráči říkají

chat-title = Chat
chat-close = Zavřít chat
chat-to = Komu
chat-everyone = Všem
chat-line = Něco říct
chat-empty = Zatím nikdo nic neřekl.
chat-spectator = Divák
chat-alone = jen pro: { $seat }
chat-said = { $seat }: { $words }
match-rated = Hodnocená
match-latency = { $milliseconds } ms
match-no-answer = { $seconds } s bez odpovědi
match-latency-hint = Za jak dlouho server odpovídá
console-host-only = Partii může upravovat jen její hostitel
match-rated-line = Bez vracení tahů, úprav a nápovědy
choice-repeat = { $action } až do rozhodnutí
choice-repeating = { $action }: opakuje se do rozhodnutí
choice-stop = Zastavit

## Mezi hráči u jedné obrazovky

hand-over-turn = Na tahu: { $seat }
hand-over-hint = Předejte obrazovku: { $seat }. Nikdo jiný by se neměl dívat.
hand-over-show = Ukázat stranu: { $seat }
hand-over-off = V tomto zápasu strany neskrývat

match-agree-draw = Dohodnout remízu
match-offer-draw = Nabídnout remízu
match-ask-undo = Požádat o vrácení tahu
match-resign = Vzdát se

offer-draw = { $seat } nabízí remízu
offer-draw-own = Nabízíte remízu
offer-undo = { $seat } žádá o vrácení tahu
offer-undo-own = Žádáte o vrácení tahu
offer-wait = { $seat } chce dál čekat na ty, kdo odešli
offer-wait-own = Chcete dál čekat na ty, kdo odešli
offer-accept = Přijmout
offer-decline = Odmítnout
offer-withdraw = Vzít zpět
seats-you = Vy
seats-gone = pryč
seats-played-on = hraje počítač
seats-substitute = { $player }, za hráče { $name }
seats-time-left = zbývá { $time }
match-ask-wait = Hlasovat pro čekání
