### Co okno říká česky.
###
### Slova: ruleset = hra nebo pravidla hry, match = partie, seat = strana, player = hráč, piece = beze jména (hry mu říkají voják, dílek, posádka), cell = pole, round = kolo,
### action = tah, history = historie tahů, hint = napovědět, level = obtížnost, scenario = scénář, mod = úprava pravidel.

## Program

app-name = Boardwright
app-line = Deskové a strategické hry, jejichž pravidla jsou skripty

## Úvodní obrazovka

launcher-question = Co si zahrajeme?
launcher-look-again = Vyhledat hry znovu
launcher-looking = Prohledávám složky s hrami
launcher-nothing = Žádné hry se nenašly. Jsou to složky v rulesets/, v každé je soubor ruleset.xml. Spusťte Boardwright ve složce, v níž je rulesets/, nebo ji udejte: boardwright --content SLOŽKA
launcher-elsewhere = Jinde v souborech her
launcher-start = Začít partii
launcher-learn = Naučit se hrát
launcher-suggested = Stojí za pozornost
launcher-unplayable = Podle těchto pravidel nelze hrát
launcher-continue = Pokračovat
launcher-search = Hledat
launcher-none-found = Hledání neodpovídá žádná hra.
launcher-again = Hrát znovu
launcher-again-one = { $title }: { $players }
launcher-replays = Znovu přehrát
launcher-all-replays = Všechny ({ $count })
launcher-watch-one = Přehrát { $title }, { $line }
card-play = Hrát: { $title }
card-reading = Čtu pravidla
card-mod = Úprava hry { $title }
card-plays-like = Hraje se jako { $names }.
card-more-findings = { $first } (a { $count ->
    [one] 1 další nález
    [few] { $count } další nálezy
   *[other] { $count } dalších nálezů
})
interrupted-title = Boardwright se během této partie nečekaně ukončil
interrupted-several = { $count ->
    [one] 1 přerušená partie
    [few] { $count } přerušené partie
   *[other] { $count } přerušených partií
}
interrupted-take-up = Pokračovat
interrupted-leave = Teď ne
interrupted-leave-line = Zůstane mezi uloženými partiemi

## Co říká karta

facts-seats = { $count ->
    [one] 1 hráč
    [few] { $count } hráči
   *[other] { $count } hráčů
}
facts-seats-between = { $least } až { $most } hráčů
facts-minutes = asi { $count ->
    [one] 1 minuta
    [few] { $count } minuty
   *[other] { $count } minut
}
facts-unreadable = Soubor ruleset.xml nelze přečíst

## Co se volí před partií

form-scenario = Scénář
form-seats = Strany
form-you = Hrajete za
form-you-all = Všechny strany
form-you-none = Jen se dívám
form-you-several = Více stran
form-computers = Počítače
form-computers-differ = Různá obtížnost
form-each-seat = Jednotlivé strany
form-choice = { $about }: { $chosen }
form-options = Možnosti
form-default-options = Vrátit výchozí
form-scenario-one = Scénář { $title }
form-more = Další
form-seed = Náhodné semínko
form-seed-any = jakékoli
form-seed-help = Partie se stejným semínkem mají stejnou náhodu. Prázdné pole znamená pokaždé nové.
form-seed-wrong = Semínko je celé číslo, 0 nebo větší.
option-range = Od { $least } do { $most }.
option-at-least = Nejméně { $least }.
option-at-most = Nejvýše { $most }.
option-default = Výchozí: { $value }.
option-yes = ano
option-no = ne
option-nothing = nic z toho

## Hráči

player-human = Člověk
player-human-line = Někdo u této obrazovky.
player-search = Počítač
player-search-line = Promýšlí tahy dopředu; obtížnost říká, jak daleko.
player-mcts = Počítač (dohrávky)
player-mcts-line = Dohrává partie, aby viděl, jak skončí; obtížnost říká, kolik jich dohraje.
player-greedy = Počítač (hladový)
player-greedy-line = Vezme, co hned vypadá nejlépe.
player-random = Náhodný
player-random-line = Udělá cokoli, co pravidla dovolí.
player-strategy = Počítač: { $name }
player-with-level = { $player }, obtížnost { $level }
player-with-limit = { $player }, nejvýš { $limit } na tah
level-title = { $name } ({ $level })
level-beginner = Začátečník
level-easy = Lehká
level-medium = Střední
level-hard = Těžká
level-expert = Expert
level-master = Mistr

## Nastavení

settings = Nastavení
settings-confirm-moves = Potvrzovat tahy
settings-hand-over = Mezi tahy skrývat strany
settings-shows-names = Jména polí na desce
settings-colours = Barvy
settings-colours-system = Podle systému
settings-colours-light = Světlé
settings-colours-dark = Tmavé
settings-to-light = Světlé barvy
settings-to-dark = Tmavé barvy
settings-language = Jazyk
settings-language-system = Podle systému
settings-done = Hotovo
settings-window = Okno
settings-text-size = Velikost textů
settings-text-larger = Větší texty
settings-text-smaller = Menší texty
settings-percent = { $percent } %
settings-board = Deska
settings-seats = Barvy hráčů
settings-seats-declared = Výchozí
settings-seats-safe = Pro barvoslepé
settings-patterns = I vzory
settings-play = Hraní
settings-sounds = Zvuky
settings-sounds-off = Vypnuté
settings-sounds-quiet = Tiché
settings-sounds-normal = Běžné
settings-sounds-loud = Hlasité
settings-sounds-none = Zvukové zařízení tu není.
panel-resize = Změnit velikost panelu
settings-motion = Animace
settings-motion-off = Vypnuté
settings-motion-slow = Pomalé
settings-motion-normal = Běžné
settings-motion-fast = Rychlé

## Klávesy

keys-title = Klávesnice
keys-change = Klepnutím na klávesu ji změníte.
keys-change-one = Změnit { $key }: { $about }
keys-press = Stiskněte klávesu pro: { $about } (Esc to zruší)
keys-taken = { $key } už slouží: { $others }
keys-replace = Použít tady
keys-reset = Výchozí klávesa: { $about }
keys-reset-all = Vrátit všechny klávesy
keys-none = žádná
keys-shortcuts = Tento přehled
keys-program = Všude
keys-match = V partii
keys-history = Pohled zpět
keys-board = Na desce
keys-lists = V seznamech
keys-editor = V editoru skriptů
keys-choose-action = Zvolit akci
keys-play-on = Hrát až do rozhodnutí
keys-play = Zahrát, co je zvoleno
keys-replay-back = Totéž při pohledu zpět
keys-replay-forward = Totéž dopředu při pohledu zpět
keys-left = Pole vlevo
keys-right = Pole vpravo
keys-up = Pole nahoře
keys-down = Pole dole
keys-next-offered = Další pole, které lze vybrat
keys-previous-offered = Předchozí takové pole
keys-next-piece = Další z nabídky vedle desky
keys-previous-piece = Předchozí z nabídky vedle desky
keys-click = Kliknout na pole
keys-pan-left = Posunout pohled doleva
keys-pan-right = Posunout pohled doprava
keys-pan-up = Posunout pohled nahoru
keys-pan-down = Posunout pohled dolů
keys-list-up = O jedno výš
keys-list-down = O jedno níž
keys-list-leave = Zpět na úvodní obrazovku
key-space = Mezerník

## Uložené partie

save-title = { $ruleset }: { $scenario }
save-player = { $seat }: { $player }
save-actions = { $count ->
    [one] 1 tah
    [few] { $count } tahy
   *[other] { $count } tahů
}
save-finished = skončila po { $count ->
    [one] 1 tahu
   *[other] { $count } tazích
}
save-copy = uložena automaticky
save-broken = Nelze otevřít: { $reason }
ago-now = právě teď
ago-minutes = { $count ->
    [one] před minutou
   *[other] před { $count } minutami
}
ago-hours = { $count ->
    [one] před hodinou
   *[other] před { $count } hodinami
}
ago-days = { $count ->
    [one] včera
   *[other] před { $count } dny
}
open-title = Uložené partie
open-all = Všechny
open-unfinished = Rozehrané
open-finished = Ukončené
open-search = Hledat v uložených partiích
open-none = Zatím tu žádné nejsou.
open-open = Otevřít
open-watch = Přehrát
open-watch-line = Od začátku
open-delete = Smazat
open-delete-question = Smazat { $name }? Nelze to vzít zpět.
open-delete-yes = Smazat ji
open-path = Cesta k souboru
open-path-open = Otevřít soubor
save-as-title = Uložit partii jako
save-as-name = Jméno uložené partie
save-as-empty = Pojmenujte ji.
save-as-sign = Jméno nemůže obsahovat znak { $sign }
save-as-replace-question = Partie tohoto jména už existuje.
save-as-replace = Nahradit ji
save-as-save = Uložit partii
toolbar-files = Soubory
toolbar-open = Otevřít uloženou partii
toolbar-save-as = Uložit jako
dialog-close = Zavřít
dialog-cancel = Zrušit
dialog-ok = OK
trouble-title = To se nepovedlo
trouble-match-goes-on = Partie na obrazovce zůstala, jak byla.
trouble-gone = Partie skončila, než se otevřela.

## Zprávy

toast-dismiss = Zavřít zprávu
