### Co editor říká česky.
###
### Slova: map = mapa, cell = pole, piece = kámen, seat = strana, region = oblast, height = výška.

## Úvodní obrazovka

launcher-edit = Editor
launcher-edit-hint = Kreslit mapy a scénáře
launcher-make = Vytvořit vlastní
launcher-new-map = Nová mapa
launcher-new-scenario = Nový scénář
launcher-copy = Kopie tohoto

## Klávesy

keys-drawing = Editor map
keys-swatch = Terén nebo kámen
keys-symmetry = Další souměrnost
keys-next-problem = Další problém
keys-next-file = Další soubor
keys-previous-file = Předchozí soubor

## Nástroje

tool-hand = Ruka: vybrat a táhnout
tool-brush = Štětec
tool-line = Čára
tool-rectangle = Obdélník
tool-fill = Vyplnit
tool-replace = Nahradit všude
tool-dropper = Nabrat terén
tool-hole = Díry
tool-height = Výška
tool-region = Oblast
tool-edge = Hrany
edge-value = Hodnota
edge-hint = Táhněte po hranicích polí. Shift odebírá.
tool-select = Vybrat pole
tool-piece = Umístit kameny
tool-point = Body
tool-outline = Obrysy území
tool-link = Spojnice
brush-smaller = Menší štětec
brush-larger = Větší štětec
height-raise = Zvýšit
height-lower = Snížit
height-set = Nastavit
height-step = O kolik či na kolik
symmetry-none = Žádná
symmetry-left-right = Vlevo a vpravo
symmetry-top-bottom = Nahoře a dole
symmetry-quarters = Obojí
symmetry-falling = Klesající úhlopříčka
symmetry-rising = Stoupající úhlopříčka
symmetry-half-turn = Půl otáčky
symmetry-thirds = Třetiny otáčky
symmetry-quarter-turns = Čtvrtiny otáčky
symmetry-sixths = Šestiny otáčky

## Co se dělá

edit-copy = Kopírovat
edit-cut = Vyjmout
edit-paste = Vložit
edit-turn = Otočit
edit-mirror = Zrcadlit
edit-select-all = Vybrat vše
edit-delete = Smazat
edit-remove-part = Odebrat tuto část
edit-leave = Zrušit výběr
edit-try = Vyzkoušet
edit-save = Uložit
edit-new = Nová mapa
edit-close = Zavřít soubor
edit-leave-editor = Zpět na úvodní obrazovku
edit-leave-to-match = Zpět do partie
edit-new-map = Nová mapa
edit-new-scenario = Nový scénář
edit-copy-of = Kopie
edit-new-or-open = Nový nebo otevřít
edit-open = Otevřít mapu nebo scénář
edit-resize = Změnit velikost
edit-recovered = { $count ->
    [one] Byla obnovena 1 neuložená změna souboru { $file }.
    [few] Byly obnoveny { $count } neuložené změny souboru { $file }.
   *[other] Bylo obnoveno { $count } neuložených změn souboru { $file }.
}
conflict-title = { $count ->
    [one] Jiný program změnil totéž co vy. Dokud nevyberete, nic se neuloží.
    [few] Jiný program změnil totéž co vy na { $count } místech. Dokud nevyberete, nic se neuloží.
   *[other] Jiný program změnil totéž co vy na { $count } místech. Dokud nevyberete, nic se neuloží.
}
conflict-mine = Nechat moje
conflict-theirs = Vzít cizí
conflict-all-mine = Nechat všechno moje
conflict-all-theirs = Vzít všechno cizí
conflict-sides = { $what }: moje { $mine }, cizí { $theirs }
conflict-nothing = nic
conflict-id = Id
conflict-of-title = Název
conflict-topology = Velikost a druh desky
conflict-cell = Pole { $name }
conflict-point = Bod { $name }
conflict-line = Čára { $name }
conflict-region = Oblast { $name }
conflict-edge = Hrana { $a } – { $b }
conflict-description = Popis
conflict-ruleset = Pravidla hry
conflict-map = Mapa
conflict-overlay = Skript scénáře
conflict-seats = Strany
conflict-player = Hráč za { $seat }
conflict-option = Volba { $name }
conflict-pieces = Kameny
conflict-property = Vlastnost { $name }
outside-merged = Jiný program změnil { $file }. Převzato: { $what }. { $key } to vrátí zpět.
outside-unreadable = Jiný program změnil { $file } a nelze jej přečíst: { $reason }. Vaše práce zůstává otevřená; uložením ji zapíšete přes to, co tam je.
outside-cells = { $count ->
    [one] 1 pole
    [few] { $count } pole
   *[other] { $count } polí
}
outside-points = { $count ->
    [one] 1 bod nebo oblast
    [few] { $count } body nebo oblasti
   *[other] { $count } bodů nebo oblastí
}
outside-lines = { $count ->
    [one] 1 čára
    [few] { $count } čáry
   *[other] { $count } čar
}
outside-edges = { $count ->
    [one] 1 hrana
    [few] { $count } hrany
   *[other] { $count } hran
}
outside-pieces = { $count ->
    [one] 1 kámen
    [few] { $count } kameny
   *[other] { $count } kamenů
}
outside-players = Hráči
outside-options = Volby
outside-values = Vlastnosti
edit-set-aside = Neuložená práce z minula už k souboru { $file } nepatří nebo ji nelze přečíst. Je v { $aside }.
edit-other-set-aside = Soubor { $file } byl změněn i v jiném okně, které skončilo bez uložení. Jeho práce je v { $aside }.
edit-open-elsewhere = Soubor { $file } je otevřený v jiném okně. Co tu změníte, se neuchová, dokud to neuložíte.
edit-bundled = Soubor { $file } patří programu a nepřepisuje se. Uložte si kopii a pokračujte v ní.
edit-bundled-copy = To, co chcete upravit, patří programu a nepřepisuje se. Vytvořte si kopii.
edit-save-copy = Uložit kopii
edit-save-copy-hint = Zkopíruje mapu s jejími scénáři, nebo scénář s jeho mapou, do vašeho vlastního obsahu. Pokračujete v kopii i s historií kreslení.
edit-copied = Pokračujete v kopii: { $file }.
edit-no-copy = Kopie se neuložila: { $reason }.
edit-no-map = Mapu { $map } nelze přečíst.
edit-without-ruleset = Nakresleno bez pravidel hry
layer-coordinates = Ukázat názvy polí
layer-regions = Ukázat oblasti
layer-heights = Ukázat výšky
layer-problems = Ukázat problémy
tab-of = Soubor { $title }
tab-changed = Soubor { $title }, neuloženo
tab-match = Partie
tab-close = Zavřít { $title }

## Začátek

welcome-title = Mapy a scénáře
welcome-line = Nakreslete desku, rozestavte kameny a hned je vyzkoušejte.
welcome-recent = Naposledy otevřené
welcome-all = Všechny mapy a scénáře
new-ruleset = Hra
new-title = Název
new-id = Jméno souboru
new-template = Začít s
new-empty = prázdnou deskou
new-shape = Tvar polí
new-hex-flat = Šestiúhelníky naležato
new-hex-pointy = Šestiúhelníky nastojato
new-square = Čtverce
new-points = Body
new-areas = Území
new-width = Sloupců
new-height = Řad
new-diagonals = Sousedí i úhlopříčně
new-drawn-remark = Začínají v řadách; pak je můžete posouvat, spojovat a obkreslovat.
new-map = Mapa
new-copy-title = { $title } (kopie)
new-copy-map = Zkopírovat i jeho mapu
new-copy-map-hint = Jinak se kopie hraje na téže mapě a přebírá její změny.
new-make = Vytvořit
new-remark = Soubor vznikne hned; každá změna se uchovává vedle něj, dokud ji neuložíte.
new-no-title = Pojmenujte ji.
new-no-id = Jméno souboru tvoří malá písmena bez háčků a čárek, číslice a jednotlivé spojovníky.
new-no-map = Vyberte mapu.
new-taken = { $file } už existuje.
open-drawing-hint = Hledat, nebo cesta k souboru
open-drawing-path = Otevřít tento soubor
open-drawing-missing = Takový soubor není.
close-drawing-title = Zavřít { $name } bez uložení?
close-drawing-remark = Změny zůstanou vedle souboru a při příštím otevření tu zase budou.
close-drawing-anyway = Zavřít
changed-title = Soubor změnil jiný program
changed-remark = Obě změny lze spojit. Kde se týkají téhož, vyberete vy; spojení můžete vzít zpět.
changed-merge = Spojit a uložit
resize-anchor = Co zůstane na místě
resize-anchor-one = { $across } % nových sloupců vlevo, { $down } % nových řad nahoře
resize-cut-off = { $count ->
    [0] Žádné pole neubude.
    [one] 1 pole ubude.
    [few] { $count } pole ubudou.
   *[other] { $count } polí ubude.
}

## Paleta

palette-brush = Štětec
palette-size = Velikost štětce
palette-size-hint = Menší a větší: { $keys }
palette-symmetry = Souměrnost
palette-symmetry-hint = Co kreslíte, se opakuje, aby mapa byla spravedlivá. { $key } zvolí další.
palette-terrain = Terén
palette-swatch = Terén { $title }
palette-dropper-hint = Alt a kliknutí naberou terén pole.
palette-no-terrain = Tato hra nemá terény.
palette-owner = Vlastník
palette-owner-hint = Kameny: { $title }
palette-nobody = Nikdo
palette-kinds = Kameny
palette-kind = Kámen { $title }
palette-no-kinds = Tato hra nemá kameny.
palette-pose = Poloha
outline-new = Nové
outline-part = Část
outline-hint = Nové území, nebo další část vybraného. Klikejte na rohy jeden po druhém, první z nich znovu nebo Enter obrys uzavře. Hranice, které už jsou, se sledují; Shift kreslí rovně. Roh nebo stranu lze táhnout, Shift a kliknutí roh odebere.
align-column = Do sloupce
align-row = Do řady
align-across = Mezery v řadě
align-down = Mezery ve sloupci
align-grid = Na mřížku
zones-off-board = Mimo desku
zones-hint = Kameny sem a odsud přetahujte.
zone-add = Přidat kámen: { $zone }
zone-pieces = { $count ->
    [one] { $zone }: { $title }
    [few] { $zone }: { $count }× { $title }
   *[other] { $zone }: { $count }× { $title }
}
palette-pieces-hint = Kliknutím na pole tam kámen postavíte, nebo ho tam odtud přetáhněte. Ruka kameny přetahuje, Delete je odebere.
palette-selection = Výběr

## Panel

side-properties = Vlastnosti
side-regions = Oblasti
side-problems = { $count ->
    [0] Problémy: žádné
    [one] 1 problém
    [few] { $count } problémy
   *[other] { $count } problémů
}
side-history = Historie
side-statistics = Čísla
side-map = Mapa
side-scenario = Scénář
map-id = Soubor: { $id }
map-ruleset = Hra: { $title }
properties-none-selected = Klikněte rukou na pole a uvidíte, co o něm mapa říká.
cell-one = Pole { $name }
cell-several = { $count ->
    [one] 1 pole
    [few] { $count } pole
   *[other] { $count } polí
}
cell-name = Název
cell-terrain = Terén
cell-height = Výška
cell-place = Místo
cell-edges = Hrany
cell-edge-to = { $title } k { $name }
scenario-description = Popis
scenario-map = Na mapě { $map } podle pravidel hry { $ruleset }
scenario-seats = Strany
scenario-seat-hint = Zda se účastní
scenario-anybody = kdokoli
scenario-options = Volby
scenario-match = Partie
scenario-seat-values = Co mají strany
scenario-hint = Klikněte rukou na kámen nebo pole a uvidíte jeho vlastnosti.
piece-one = { $title }, { $place }
piece-several = { $count ->
    [one] 1 kámen
    [few] { $count } kameny
   *[other] { $count } kamenů
}
piece-zone = Kde
piece-off = mimo hru
piece-aboard = na palubě: { $carrier }
piece-put-aboard = Naložit vybrané kameny: { $number }. { $title }
piece-ashore = Vyložit: { $title }
piece-side = Strana
piece-no-side = uprostřed
piece-stack = { $count ->
    [one] 1 kámen na poli
    [few] { $count } kameny na poli
   *[other] { $count } kamenů na poli
}
piece-in-stack = { $number }. { $title }
piece-delete = { $count ->
    [one] Smazat kámen
    [few] Smazat { $count } kameny
   *[other] Smazat { $count } kamenů
}
value-reset = { $title }: jako obvykle
value-nothing = nic
region-name = oblast { $number }
area-name = území
region-new = Nová oblast
region-of-selection = Nová oblast z vybraných polí
region-none = Zatím tu nejsou oblasti. Oblast je pojmenovaná množina polí, na kterou se pravidla mohou ptát.
region-cells = { $count ->
    [one] { $name }: 1 pole
    [few] { $name }: { $count } pole
   *[other] { $name }: { $count } polí
}
region-delete = Smazat { $name }
region-paint-hint = Její pole malujte nástrojem Oblast; Shift je odebírá.
problems-drawn-none = Nic není špatně.
history-drawn-beginning = Jak byl otevřen
history-drawn-earlier = Dřívější kroky
history-step = { $number }. { $what }
history-no-log = Poslední změna se vedle souboru neuchovala: { $reason }
step-paint = Štětec
step-fill = Výplň
step-line = Čára
step-rectangle = Obdélník
step-replace = Nahrazení všude
step-holes = Díry
step-elevation = Výška
step-property = Vlastnost
step-name = Název
step-region = Oblast
step-points = Body
step-lines = Spojnice
step-outline = Obrys
step-cut = Smazání
step-paste = Vložení
step-move = Přesun
step-turn = Otočení
step-mirror = Zrcadlení
step-resize = Velikost
step-title = Název
step-seats = Strany
step-players = Hráči
step-options = Volby
step-pieces = Kameny
step-triggers = Spouštěče
step-script = Skript
step-mend = Oprava
step-generate = Vytvoření
step-import = Načtení
step-merge = Změny jiného programu
step-other = Změna
statistics-balance = Co která strana má
statistics-sum = Součet: { $title }
statistics-share = { $count } ({ $percent } %)
shape-hexes = { $width } × { $height } šestiúhelníků
shape-squares = { $width } × { $height } čtverců
shape-graph = body a území
status-board = { $count ->
    [one] { $shape }, 1 pole
    [few] { $shape }, { $count } pole
   *[other] { $shape }, { $count } polí
}
status-selected = { $count ->
    [one] vybráno 1 pole
    [few] vybrána { $count } pole
   *[other] vybráno { $count } polí
}
status-height = výška { $height }
status-not-kept = neuchovává se
status-zoom = { $points } bodů na pole
statistics-starts = Kde strany začínají
statistics-to-next = K sousedovi
statistics-to-next-hint = Kroků k nejbližší jiné straně
statistics-nearest = Polí
statistics-nearest-hint = Polí, která má nejblíž ze všech
edit-wrong-ending = Jména map končí na { $map }, jména scénářů na { $scenario }

## Spouštěče

side-triggers = Spouštěče
triggers-list = Seznam
triggers-script = Skript
triggers-none = V tomto scénáři se zatím nic neděje samo. Spouštěč způsobí, že se něco stane, když nastane něco jiného.
triggers-no-script = Tento scénář zatím skript nemá. Vznikne z toho, co se napíše sem.
triggers-script-file = { $file }, v tomto scénáři položený přes pravidla. Upravit ho lze v každém textovém editoru.
triggers-by-hand = { $count ->
    [one] Ručně psaný skript, 1 řádek
    [few] Ručně psaný skript, { $count } řádky
   *[other] Ručně psaný skript, { $count } řádků
}
trigger-add = Nový spouštěč
trigger-new-name = Spouštěč
trigger-name = Název spouštěče
trigger-comment = Poznámka
trigger-of = Spouštěč { $name }
trigger-on = { $name } je zapnutý
trigger-summary = Když { $when }: { $then }
trigger-when = Když
trigger-if = Pokud
trigger-then = Pak
trigger-once = Jednou za partii
trigger-add-condition = Podmínka
trigger-add-consequence = Následek
trigger-change-when = Nastane něco jiného
trigger-sentence-up = Posunout { $number }. větu nahoru
trigger-sentence-away = Vyřadit { $number }. větu
trigger-does-nothing = Zatím se nic nestane.
trigger-duplicate = Zdvojit spouštěč
trigger-up = Posunout spouštěč nahoru
trigger-down = Posunout spouštěč dolů
trigger-delete = Smazat spouštěč
trigger-script = Jako skript
trigger-open-script = Upravit skript
trigger-happens = Spouštěč: { $name }
trigger-translated = { $language }: { $text }
trigger-not-translated = { $language }: nepřeloženo
trigger-search = Hledat
subject-time = Kola a tahy
subject-action = Akce
subject-piece = Figury
subject-value = Vlastnosti
subject-board = Deska
subject-message = Zprávy
subject-match = Strany a konec
field-region = Oblast
field-cell = Pole
field-seat = Strana
field-kind = Druh
field-terrain = Terén
field-zone = Zóna
field-action = Akce
field-property = Vlastnost
field-number = Číslo
field-dice = Kostky
field-text = Text
field-word = Hodnota
field-comparison = Porovnání
field-seat-on-turn = strana na tahu
field-yes = ano
field-no = ne
field-plain-number = číslo
field-other = Něco jiného místo: { $title }
field-point = Kliknout na desce
field-pointing = Klikněte na pole desky, nebo stiskněte Escape.
field-none-found = Nic se nenašlo.
field-more-found = { $count ->
    [one] A ještě 1
    [few] A ještě { $count }
   *[other] A ještě { $count }
}
compare-equal = přesně
compare-not-equal = jiné než
compare-at-least = aspoň
compare-at-most = nejvýše
compare-more = větší než
compare-less = menší než
fault-missing = { $name } tu není.
fault-empty = Nic tu není vyplněno.
fault-range = Rozsah je od { $least } do { $most }.
fault-value = Vlastnost nemůže být { $value }.
fault-nothing = Nic se nestane.
unread-heading = { $name }, jako skript
unread-why = Řádek { $line }: { $reason }
unread-name = spouštěč má za značkou název, bez neviditelných znaků.
unread-function = nenásleduje žádná funkce spouštěče.
unread-hook = { $name } není posluchač spouštěčů, nebo má jiné parametry.
unread-unknown = je tu něco, co spouštěče neobsahují, třeba poznámka.
unread-condition = tato podmínka není žádná z vět.
unread-consequence = co se tu dělá, není žádná z vět.
unread-once = co se stane jednou, se jmenuje jinak než spouštěč.
unread-misplaced = věta tu stát nemůže: { $sentence }

## The title of the window

edit-title = { $file } - Editor - Boardwright

## Mapy z obrázků a náhodné mapy

new-picture = obrázek
new-random = náhodná mapa
new-mask = Maska
new-drawing = Kresba (nemusí být)
new-picture-hint = cesta, nebo sem přetáhněte PNG či JPEG
new-picture-remark = V masce má každá oblast vlastní barvu. Kresba je to, přes co byla namalovaná; prosvítá oblastmi, dokud je pojmenováváte.
new-no-mask = Udejte obrázek masky.
new-no-picture = Soubor { $file } neexistuje.
edit-random = Náhodná mapa
random-seed = Semínko
random-other-seed = Jiné semínko
random-make = Vytvořit
random-remark = Nahradí zobrazenou mapu. Krok zpět ji vrátí.
picture-importing = Obkreslují se oblasti
picture-failed = Import skončil bez výsledku. Proč, je v záznamu programu.
cell-name-taken = Název { $name } už má jiné pole. Názvy jsou na mapě jedinečné.
picture-stage-colours = Čtou se barvy
picture-stage-parts = Hledají se oblasti
picture-stage-borders = Sledují se hranice
picture-stage-simplifying = Zjednodušují se hranice
picture-stage-pivots = Umísťují se popisky
side-picture = Obrázek
picture-heading = Obkresleno z obrázku
picture-found = { $areas ->
    [one] 1 oblast
    [few] { $areas } oblasti
   *[other] { $areas } oblastí
} v { $parts ->
    [one] 1 části
   *[other] { $parts } částech
}; { $specks ->
    [0] žádné skvrny
    [one] 1 skvrna připojena
    [few] { $specks } skvrny připojeny
   *[other] { $specks } skvrn připojeno
}
picture-show-drawing = Zobrazit kresbu
picture-tolerance = Tolerance hranic
picture-corners = Počet rohů: { $count }. Sousedé sdílejí hranici při každé toleranci.
picture-outlines-edited = Obrysy byly upraveny, hranice se už znovu neobkreslují. Krok zpět posuvník vrátí.
picture-least-border = Sousedé se dotýkají aspoň
picture-neighbours = { $count ->
    [one] 1 dvojice sousedů
    [few] { $count } dvojice sousedů
   *[other] { $count } dvojic sousedů
}. Nástroj pro spoje přidá spoje přes vodu a kterýkoli odebere.
picture-lines-edited = Spoje byly upraveny, sousedé se už znovu nenavrhují.
picture-areas = Názvy oblastí
picture-area-name = Oblast barvy { $colour }
picture-areas-changed = Oblasti byly přidány nebo smazány. Názvy jsou ve vlastnostech.

## Pole s jinými jmény

renamed-cells = { $count ->
    [one] 1 scénář jmenuje pole, která se teď jmenují jinak nebo už nejsou: { $titles }.
    [few] { $count } scénáře jmenují pole, která se teď jmenují jinak nebo už nejsou: { $titles }.
   *[other] { $count } scénářů jmenuje pole, která se teď jmenují jinak nebo už nejsou: { $titles }.
}
renamed-follow = Přejmenovat i tam
renamed-hint = Každý otevře, změněný a neuložený. Co stálo na polích, která už nejsou, se odebere. Dá se to tam vrátit.
renamed-leave = Nechat je
renamed-script = Skript scénáře { $title } má v sobě ještě stará jména. Projděte ho.
renamed-done = { $count ->
    [one] Změněno a zatím neuloženo: { $titles }.
    [few] { $count } scénáře jsou změněné a zatím neuložené: { $titles }.
   *[other] { $count } scénářů je změněných a zatím neuložených: { $titles }.
}
renamed-gone = { $count ->
    [one] 1 položka na poli, které už není, byla odebrána.
    [few] { $count } položky na polích, která už nejsou, byly odebrány.
   *[other] { $count } položek na polích, která už nejsou, bylo odebráno.
}
