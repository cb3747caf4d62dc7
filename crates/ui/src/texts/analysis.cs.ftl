### Co okno říká česky těm, kdo si v partii něco zkoušejí.

## Zásahy do partie

keys-console = Při zásahu do partie
console-title = Upravit pozici
console-line = Napište změnu
console-recorded = Každý zásah se zaznamená a označí a lze ho vzít zpět.
console-say = Provést
console-complete = Doplnit slovo
console-earlier = Předchozí zásah
console-later = Následující zásah
console-close = Zavřít
console-more = { $count ->
    [one] a { $count } další
    [few] a { $count } další
   *[other] a { $count } dalších
}
console-set = nastaví vlastnost partie (match), strany, pole nebo toho, co na něm je
console-owner = dá, co je na polích, straně, nebo nikomu (nobody)
console-exchange = vymění majitele toho, co je na dvou polích
console-strip = dá vše, co má první strana na desce, druhé straně, až na to, co je na jednom poli
console-add = přidá na pole nebo do zóny, co je uvedeno; „of SEAT“ lze vynechat
console-move = přesune, co je na poli, nebo poslední v zóně
console-remove = odebere z partie, co je na polích
console-dice = určí, jak padnou příští kostky, jedna po druhé
console-phase = přejde do fáze současného tahu
console-turn = začne tah strany
console-run = spustí řádek skriptu, který smí vše, co tah (turn)
history-edit = Zásah: { $command }
history-edited = Zásah do partie

## Šance toho, co je zvoleno

odds-title = Šance
odds-of = Šance: { $contest }
percent = { $value } %
percent-less = < { $value } %
percent-more = > { $value } %
odds-close = Zavřít šance
odds-none = Zvolte tah, o kterém rozhodne náhoda, třeba útok, a uvidíte jeho šance.
odds-awaited = Šance se počítají.
odds-never = V těchto pravidlech není nic, o čem by rozhodovala náhoda se šancemi.
odds-left = zbude { $left }
odds-lost = ztráta { $lost }
odds-exact = Přesné šance
odds-sampled = Sehráno { $count }krát; v 95 případech ze 100 není skutečnost dál, než je uvedeno.
odds-chart = Možných konců: { $count }, nejpravděpodobnější { $likely }

## Co si myslí strategie

insight-title = Co si myslí strategie
insight-close = Zavřít
insight-none = Tato pravidla nemají žádné strategie.
insight-strategy = Tázaná strategie
insight-silent = –
insight-value = { $seat } má hodnotu { $value }
insight-no-value = { $seat }: bez hodnocení
insight-cells = Cena polí na desce
insight-cells-of = Ukázat, jakou cenu mají pole pro stranu { $seat }
insight-values-for = Cena polí pro stranu { $seat }
insight-no-cells = O jednotlivých polích tu strategie nic neříká.
insight-watch = Sledovat rozhodování strategií
insight-wait = Co strategie zvažuje, se tu ukáže s jejím příštím rozhodnutím.
insight-decision = { $seat }: { $chosen }
board-value = cena { $value }

heat-map-next = Další teplotní mapa
heat-map-close = Skrýt teplotní mapu
heat-map-empty = Teď tu není co ukázat.
heat-map-none = Tato pravidla nemají žádné teplotní mapy.
