### Co okno říká česky.
###
### Slova: ruleset = hra nebo pravidla hry, match = partie, seat = strana, player = hráč, piece = kámen, cell = pole, round = kolo,
### action = tah, history = historie tahů, hint = napovědět, level = obtížnost, scenario = scénář, mod = úprava pravidel.

## Program

app-name = Boardwright
app-line = Deskové a strategické hry, jejichž pravidla jsou skripty

## Úvodní obrazovka

launcher-question = Co si zahrajeme?
launcher-look-again = Vyhledat hry znovu
launcher-looking = Prohledávám složky s hrami
launcher-nothing = Žádné hry se nenašly. Jsou to složky v rulesets/, v každé je soubor ruleset.xml.
launcher-elsewhere = Jinde v souborech her
launcher-start = Začít partii
launcher-worth-a-look = Stojí za pozornost
launcher-unplayable = Podle těchto pravidel nelze hrát
launcher-continue = Pokračovat
launcher-open = Otevřít
launcher-open-one = Otevřít { $title }, { $line }
launcher-open-saved = Otevřít uloženou partii
launcher-close-list = Zavřít seznam
launcher-all-ended = Všechny uložené partie už skončily.

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
form-options = Možnosti
option-range = Od { $least } do { $most }.
option-at-least = Nejméně { $least }.
option-at-most = Nejvýše { $most }.
option-usually = Obvykle { $value }.
option-yes = ano
option-no = ne

## Hráči

player-human = Člověk
player-human-line = Někdo u této obrazovky.
player-search = Počítač
player-search-line = Promýšlí tahy dopředu; obtížnost říká, jak daleko.
player-mcts = Zkoušející počítač
player-mcts-line = Dohrává partie, aby viděl, jak skončí; obtížnost říká, kolik jich dohraje.
player-greedy = Hladový počítač
player-greedy-line = Vezme, co hned vypadá nejlépe.
player-random = Náhodný počítač
player-random-line = Udělá cokoli, co pravidla dovolí.
player-strategy = Strategie { $name }
player-with-level = { $player }, obtížnost { $level }

## Nastavení

settings = Nastavení
settings-moves = Kameny putují po své cestě
settings-plays-at-once = Zahrát, jakmile už není co volit
settings-shows-names = Jména polí na desce
settings-colours = Barvy
settings-colours-system = Podle systému
settings-colours-light = Světlé
settings-colours-dark = Tmavé
settings-to-light = Světlé barvy
settings-to-dark = Tmavé barvy
settings-language = Jazyk
settings-language-system = Podle systému

## Zprávy

toast-dismiss = Zavřít zprávu
toast-refused = { $reason } Pravidlo { $rule }.
