### Co okno říká česky v zásuvce: kniha pravidel a platná pravidla s jejich soubory.

## Zásuvka

tools-book = Kniha pravidel
tools-scripts = Platná pravidla
tools-close = Zavřít zásuvku
launcher-rule-book = Přečíst pravidla

## Kniha pravidel

book-search = Hledat v pravidlech
book-empty = Tato hra nemá knihu pravidel a její skripty žádná pravidla necitují.
book-page = Strana knihy pravidel
book-previous = Předchozí strana
book-next = Další strana
book-scripts = Pravidla, jak je říkají skripty
book-scripts-line = To jsou komentáře platných funkcí. Kde se liší od stran knihy, hraje se podle skriptů.
book-script-place = { $file }, řádek { $line }
book-to-script = Ukázat ve skriptu
book-no-hits = Nic se nenašlo.
book-hits = { $count ->
    [one] 1 místo
    [few] { $count } místa
   *[other] { $count } míst
}

## Platná pravidla

scripts-none = Soubory těchto pravidel nejsou po ruce.
scripts-fingerprint = Otisk pravidel: stejné soubory mají stejný
scripts-as-begun = Od začátku hraní se nezměnila.
scripts-reloads = { $count ->
    [one] Během partie se změnila jednou
   *[other] Během partie se změnila { $count }krát
}
scripts-reload = { $what }; platí po { $milliseconds } ms
scripts-errors = { $count ->
    [one] 1 chyba
    [few] { $count } chyby
   *[other] { $count } chyb
}
scripts-file = Soubor
scripts-wrap = Zalamovat dlouhé řádky
scripts-elsewhere = Otevřít v editoru systému
scripts-save = Uložit soubor
scripts-discard = Zahodit změny
scripts-discard-yes = Ano, zahodit
scripts-write-over = Přepsat ho mým
scripts-overtaken = Jiný program mezitím tento soubor změnil. Jeho text zůstává, dokud ho nepřepíšete svým; zahodíte-li své změny, uvidíte ho.
scripts-changed = ještě neuloženo
scripts-bundled = Tento soubor patří k programu a lze ho jen číst. Měnit můžete kopii hry.
scripts-bundled-goes-on = Tento soubor patří k programu a lze ho jen číst. Měnit můžete kopii hry; tato partie bude pokračovat s ní.
scripts-bundled-match = Tento soubor patří k programu a lze ho jen číst. Měnit můžete kopii hry; tato partie se opustí a lze v ní pokračovat z úvodní obrazovky.
scripts-copy = Měnit kopii
scripts-in-file = jako v souboru
editor-of = Text souboru { $name }
editor-problem = Řádek { $line }: { $message }
unsaved-title = Některé soubory nejsou uložené
unsaved-question = Uložit změny, než se okno zavře?
unsaved-save = Uložit a zavřít
unsaved-discard = Zavřít bez uložení

## Sledování strategií

debug-title = Strategie řádek po řádku
debug-line = Sledujte některou a uvidíte, jak se rozhoduje, nebo klikněte na číslo řádku jejího skriptu a zastaví se tam.
debug-seat = { $seat }: { $player }
debug-before = zastavit před
debug-before-of = Zastavit { $seat } před rozhodnutím
debug-after = zastavit po
debug-after-of = Zastavit { $seat } po rozhodnutí
debug-paused = { $seat }: zastaveno na řádku { $line }.
debug-paused-before = { $seat }: rozhodování začíná.
debug-paused-after = { $seat }: je rozhodnuto.
debug-paused-break-point = { $seat }: bod přerušení na řádku { $line }.
debug-deciding = { $seat }: právě se rozhoduje.
debug-waiting = Nikdo ze sledovaných se teď nerozhoduje.
debug-go-on = Pokračovat
debug-over = Další řádek
debug-into = Dovnitř
debug-out = Ven
debug-pause = Zastavit na dalším řádku
debug-chosen = Zvoleno: { $action }
debug-evaluated = Zvažuje se: { $action }
debug-variables = Proměnné
debug-watches = Sledované výrazy
debug-watch = Sledovat výraz
debug-watch-hint = výraz, třeba view.seat
debug-unwatch = Přestat sledovat { $expression }
debug-points = Body přerušení
debug-condition = Podmínka bodu přerušení na řádku { $line }
debug-condition-hint = vždy, nebo když, třeba value > 100
debug-no-point = Nezastavovat na řádku { $line }
debug-hits = { $count ->
    [one] Zatím jednou.
   *[other] Zatím { $count }×.
}
debug-condition-fails = Podmínku nelze vyhodnotit: { $problem }
debug-calls = Volání
debug-call = { $function }, řádek { $line }
debug-thoughts = Co už bylo řečeno a zváženo
editor-break-point = Bod přerušení na řádku { $line }
editor-paused = Zastaveno na řádku { $line }

## Problémy a změny

problems-errors = { $count ->
    [one] 1 chyba
    [few] { $count } chyby
   *[other] { $count } chyb
}
problems-warnings = { $count ->
    [one] 1 varování
   *[other] { $count } varování
}
problems-notes = { $count ->
    [one] 1 poznámka
    [few] { $count } poznámky
   *[other] { $count } poznámek
}
problems-none = Žádné problémy
problems-close = Zavřít problémy
problems-edit = Upravit { $place }
problem-help = Rada: { $help }
reload-in-force = Změněná pravidla platí
reload-after = po { $milliseconds } ms
reload-close = Zavřít oznámení
reload-open-rule = Otevřít pravidlo
reload-show = Ukázat
reload-more = { $count ->
    [one] a { $count } další
    [few] a { $count } další
   *[other] a { $count } dalších
}

## Výuka

lesson-step = Výuka, krok { $number } z { $count }
lesson-next = Dál
lesson-leave = Ukončit výuku
lesson-leave-line = Partie pokračuje proti počítači
lesson-play-on = Hrát dál proti počítači
lesson-missed = Tenhle tah teď nemáme na mysli. Ukazuje ho šipka, zkuste to znovu.
lesson-done = To je konec výuky. Partie může pokračovat proti počítači.
