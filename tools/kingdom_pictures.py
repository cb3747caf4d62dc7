#!/usr/bin/env python3
"""Draws the pictures of Eight Kingdoms: tiles, what grows over their sides, slopes, weather, towns, buildings and units.

    tools/kingdom_pictures.py rulesets/eight-kingdoms/art rulesets/iron-crowns/art

writes SVG files, the same ones every time, those of the units of the mod Iron Crowns into the second folder. Needs nothing but Python. A tile is a hex with a corner at the top in a square of 100 by 100; what lies
at one of its sides is drawn with that side from (0, 0) to (50, 0) and the tile below it, and then turned. Units are drawn on a disc of radius 50.
"""

import math
import random
import sys
from pathlib import Path

SEATS = {
    "rowan": "#b8402f", "juniper": "#2f5f9e", "gorse": "#c79a1e", "willow": "#4f8a3a",
    "heather": "#8b57a8", "aspen": "#3a9a94", "hazel": "#8a5a2b", "elder": "#3d4250",
}  # fmt: skip
# The sides of a hex, clockwise, and the corners: side N lies between corner N and the next one.
SIDES = ["ne", "e", "se", "sw", "w", "nw"]
CORNERS = [(50 + 50 * math.sin(math.radians(60 * corner)), 50 - 50 * math.cos(math.radians(60 * corner))) for corner in range(6)]
# How much of the light of each side comes from the upper left: 1 all, -1 none.
LIGHT = {"nw": 1.0, "ne": 0.45, "w": 0.55, "e": -0.45, "sw": -0.6, "se": -1.0}
INK = "#2b2119"
TIMBER = "#9a6b3c"

GROUNDS = {
    "meadow": "#9fc069", "field": "#dcc673", "heath": "#b9a98a", "wood": "#84a95c", "deepwood": "#557f4c",
    "marsh": "#93a982", "scree": "#b1aca3", "water": "#4f92c1", "town": "#d2bb94",
}  # fmt: skip


# Colours and shapes


def channels(colour):
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def mix(one, other, share):
    """One colour with a share of another."""
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(channels(one), channels(other)))


def dark(colour, share=0.25):
    return mix(colour, "#1c1a2a", share)


def light(colour, share=0.25):
    return mix(colour, "#fffbe8", share)


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def points(corners):
    return " ".join(f"{number(x)} {number(y)}" for x, y in corners)


def polygon(corners, fill, more=""):
    return f'<path d="M{points(corners)}Z" fill="{fill}"{" " + more if more else ""}/>'


def path(line, fill="none", stroke=None, width=1.0, more=""):
    drawn = f' stroke="{stroke}" stroke-width="{number(width)}"' if stroke else ""
    return f'<path d="{line}" fill="{fill}"{drawn}{" " + more if more else ""}/>'


def circle(x, y, radius, fill, more=""):
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{fill}"{" " + more if more else ""}/>'


def ellipse(x, y, across, down, fill, more=""):
    more = " " + more if more else ""
    return f'<ellipse cx="{number(x)}" cy="{number(y)}" rx="{number(across)}" ry="{number(down)}" fill="{fill}"{more}/>'


def hexagon(scale=1.0):
    return [(50 + (x - 50) * scale, 50 + (y - 50) * scale) for x, y in CORNERS]


def smooth(corners):
    """A closed curve near some corners."""
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(corners, corners[1:] + corners[:1])]
    line = f"M{points([middles[-1]])}"
    for corner, middle in zip(corners, middles):
        line += f"Q{points([corner, middle])}"
    return line + "Z"


def blob(chance, x, y, across, down, corners=9, rough=0.22):
    """A patch without sharp corners."""
    around = []
    for corner in range(corners):
        angle = math.tau * corner / corners
        share = 1 + chance.uniform(-rough, rough)
        around.append((x + across * share * math.cos(angle), y + down * share * math.sin(angle)))
    return smooth(around)


def scattered(chance, count, apart, share=0.84):
    """Places in a hex that keep a distance, from top to bottom."""
    places = []
    for _ in range(4000):
        x, y = chance.uniform(5, 95), chance.uniform(3, 97)
        across, down = abs(x - 50), abs(y - 50)
        is_within = across < 43.3 * share and down < 50 * share - across / math.sqrt(3)
        if is_within and all(math.hypot(x - a, y - b) > apart for a, b in places):
            places.append((x, y))
        if len(places) == count:
            break
    return sorted(places, key=lambda place: place[1])


def svg(inside, clipped="", before=""):
    """A picture; `clipped` is seen only within the hex."""
    within = ""
    if clipped:
        within = f'<clipPath id="hex"><path d="M{points(hexagon(1.008))}Z"/></clipPath><g clip-path="url(#hex)">{clipped}</g>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{before}{within}{inside}</svg>\n'


def at_side(side, inside):
    """What is drawn along (0, 0) to (50, 0), laid along a side of the hex."""
    at = SIDES.index(side)
    x, y = CORNERS[at]
    return f'<g transform="translate({number(x)} {number(y)}) rotate({30 + 60 * at})">{inside}</g>'


# Tiles


def tile(ground, features, patches=True, seed=""):
    chance = random.Random(f"ground {ground} {seed}")
    drawn = ""
    if patches:
        for _ in range(5):
            shade = light(ground, 0.16) if chance.random() < 0.5 else dark(ground, 0.06)
            drawn += path(blob(chance, chance.uniform(15, 85), chance.uniform(10, 90), chance.uniform(10, 24), chance.uniform(5, 12)), shade)
    grid = polygon(hexagon(0.992), "none", f'stroke="{INK}" stroke-opacity="0.2" stroke-width="1"')
    return svg(grid, drawn + features, polygon(hexagon(1.014), ground))


def tuft(x, y, size, colour):
    line = f"M{number(x - size)} {number(y - size * 0.9)}Q{points([(x - size * 0.3, y - size * 0.5), (x - size * 0.2, y)])}"
    line += f"M{number(x)} {number(y - size * 1.4)}L{points([(x, y)])}"
    line += f"M{number(x + size)} {number(y - size * 0.9)}Q{points([(x + size * 0.3, y - size * 0.5), (x + size * 0.2, y)])}"
    return path(line, stroke=colour, width=1, more='stroke-linecap="round"')


def meadow(chance):
    ground, drawn = GROUNDS["meadow"], ""
    for x, y in scattered(chance, 11, 13, 0.82):
        if chance.random() < 0.3:
            colour = chance.choice(["#f7f0d0", "#f2d35e", "#e9a3b4"])
            for shift in ((0, 0), (3.4, 1.6), (-1.4, 3)):
                drawn += circle(x + shift[0], y + shift[1], 1.15, colour)
        else:
            drawn += tuft(x, y, chance.uniform(2.2, 3.2), dark(ground, 0.3))
    return drawn


def field(chance, variant):
    """Strips that are ploughed in two directions, and a hedge between them."""
    ground, drawn = GROUNDS["field"], ""
    angle = 60 * variant + chance.uniform(-6, 6)
    tones = [light(ground, 0.3), ground, dark(ground, 0.1), mix(ground, "#b9c46a", 0.5)]
    rows = ""
    for strip, left in enumerate(range(-24, 124, 18)):
        tone = tones[(strip + chance.randrange(2)) % len(tones)]
        rows += f'<path d="M{left} -30h18v160h-18z" fill="{tone}"/>'
        for furrow in range(3):
            rows += path(f"M{left + 4.5 + furrow * 4.5} -30v160", stroke=dark(tone, 0.16), width=0.9)
    drawn += f'<g transform="rotate({number(angle)} 50 50)">{rows}</g>'
    hedge = ""
    for step in range(-8, 60, 5):
        hedge += circle(50 + step - 25, 50 + chance.uniform(-1, 1), chance.uniform(2.2, 3.2), dark("#6f9450", chance.uniform(0, 0.2)))
    drawn += f'<g transform="rotate({number(angle + 90)} 50 50) translate(0 {chance.choice([-17, 15])})">{hedge}</g>'
    return drawn


def shrub(x, y, size, colour):
    drawn = ellipse(x + 0.8, y + size * 0.5, size * 1.1, size * 0.5, "#000", 'fill-opacity="0.18"')
    for a, b, share in ((-0.55, 0.1, 0.6), (0.55, 0.12, 0.6), (0, -0.2, 0.8)):
        drawn += circle(x + a * size, y + b * size, size * share, colour)
    return drawn + circle(x - size * 0.25, y - size * 0.45, size * 0.32, light(colour, 0.35))


def heath(chance):
    drawn = ""
    for x, y in scattered(chance, 13, 12, 0.84):
        colour = chance.choice(["#9a6796", "#86597f", "#ad7fa4", "#7c8753"])
        drawn += shrub(x, y, chance.uniform(2.6, 4.2), colour)
    return drawn


LEAVES = ["#4d8a41", "#5c9847", "#447c3d", "#6ba350"]
NEEDLES = ["#26553a", "#2f6142", "#1f4932"]


def leafy(x, y, size, colour):
    drawn = ellipse(x + size * 0.3, y + size * 0.75, size * 1.0, size * 0.42, "#10200c", 'fill-opacity="0.3"')
    drawn += f'<path d="M{number(x - size * 0.12)} {number(y)}h{number(size * 0.24)}v{number(size * 0.8)}h-{number(size * 0.24)}z" fill="#5b4026"/>'
    rim = dark(colour, 0.32)
    crown = ((-0.5, 0.08, 0.56), (0.5, 0.1, 0.56), (0, -0.32, 0.68), (0, 0.15, 0.6))
    for a, b, share in crown:
        drawn += circle(x + a * size, y + b * size, size * share + 0.7, rim)
    for a, b, share in crown:
        drawn += circle(x + a * size, y + b * size, size * share, colour)
    drawn += circle(x - size * 0.22, y - size * 0.45, size * 0.36, light(colour, 0.22))
    return drawn + circle(x - size * 0.55, y - size * 0.02, size * 0.24, light(colour, 0.16))


def conifer(x, y, size, colour):
    drawn = ellipse(x + size * 0.3, y + size * 0.9, size * 0.8, size * 0.3, "#08140c", 'fill-opacity="0.35"')
    drawn += f'<path d="M{number(x - size * 0.1)} {number(y + size * 0.5)}h{number(size * 0.2)}v{number(size * 0.45)}h-{number(size * 0.2)}z" fill="#4a3320"/>'
    whole = [(x, y - size * 1.35), (x + size * 0.45, y - size * 0.55), (x + size * 0.25, y - size * 0.55), (x + size * 0.64, y + size * 0.05)]
    whole += [(x + size * 0.35, y + size * 0.05), (x + size * 0.82, y + size * 0.7)]
    mirrored = [(2 * x - a, b) for a, b in reversed(whole[1:])]
    drawn += polygon(whole + mirrored, colour, f'stroke="{dark(colour, 0.45)}" stroke-width="0.7" stroke-linejoin="round"')
    left = [(x, y - size * 1.2)] + [(a + (x - a) * 0.12, b - 0.3) for a, b in mirrored[::-1]] + [(x - size * 0.12, y + size * 0.6)]
    return drawn + polygon(left, light(colour, 0.14))


def wood(chance):
    drawn = ""
    for x, y in scattered(chance, 15, 15.5, 0.86):
        drawn += leafy(x, y - 1, chance.uniform(6.6, 8.2), chance.choice(LEAVES))
    return drawn


def deepwood(chance):
    drawn = ""
    for x, y in scattered(chance, 24, 11.5, 0.88):
        drawn += conifer(x, y, chance.uniform(6.8, 8.6), chance.choice(NEEDLES))
    return drawn


def reeds(x, y, size):
    drawn = ""
    for lean in (-0.5, 0.05, 0.55):
        top = (x + lean * size, y - size * (1.5 - abs(lean) * 0.5))
        drawn += path(f"M{points([(x + lean * 1.6, y), top])}", stroke="#57652f", width=0.9, more='stroke-linecap="round"')
        drawn += path(f"M{points([(top[0], top[1] + size * 0.45), top])}", stroke="#6b4526", width=1.7, more='stroke-linecap="round"')
    return drawn


def marsh(chance):
    drawn = ""
    for x, y in scattered(chance, 4, 24, 0.62):
        across, down = chance.uniform(11, 16), chance.uniform(5, 8)
        shape = blob(random.Random(x), x, y, across, down)
        drawn += path(shape, "#5d93a4", "#6f8a5d", 1.8)
        drawn += path(f"M{number(x - across * 0.5)} {number(y - 0.6)}h{number(across * 0.5)}M{number(x)} {number(y + 2.4)}h{number(across * 0.4)}", stroke="#a9cdd2", width=1)
    for x, y in scattered(chance, 9, 15, 0.86):
        drawn += reeds(x, y, chance.uniform(4.2, 5.6))
    return drawn


def rock(chance, x, y, size, colour="#989288"):
    around = []
    for corner in range(6):
        angle = math.tau * corner / 6 + 0.3
        around.append((x + size * chance.uniform(0.8, 1.15) * math.cos(angle), y + size * 0.78 * chance.uniform(0.8, 1.1) * math.sin(angle)))
    top = [(x + (a - x) * 0.55 - size * 0.14, y + (b - y) * 0.55 - size * 0.22) for a, b in around]
    drawn = ellipse(x + size * 0.35, y + size * 0.55, size * 1.05, size * 0.5, "#000", 'fill-opacity="0.22"')
    drawn += polygon(around, colour, f'stroke="{dark(colour, 0.4)}" stroke-width="0.8" stroke-linejoin="round"')
    return drawn + polygon(top, light(colour, 0.42))


def scree(chance):
    drawn = ""
    for x, y in scattered(chance, 16, 11, 0.86):
        if chance.random() < 0.4:
            for shift in ((0, 0), (3, 1.4), (-1.6, 2.4)):
                drawn += ellipse(x + shift[0], y + shift[1], 1.5, 1.1, "#85807a")
        else:
            drawn += rock(chance, x, y, chance.uniform(3.4, 6.4), chance.choice(["#989288", "#a39c90", "#8c867d"]))
    return drawn


def peak(x, y, across, up, snow):
    """A mountain with its foot at (x, y), lit from the left."""
    top, left, right = (x, y - up), (x - across, y), (x + across, y)
    ridge = [(x + across * 0.1, y - up * 0.62), (x - across * 0.1, y - up * 0.36), (x + across * 0.16, y)]
    drawn = polygon([left, top, right], "#b9b1a4", f'stroke="{INK}" stroke-opacity="0.55" stroke-width="1" stroke-linejoin="round"')
    drawn += polygon([top, right, ridge[2], ridge[1], ridge[0]], "#7f776d")
    drawn += path(f"M{points([(x - across * 0.45, y - up * 0.3), (x - across * 0.3, y)])}M{points([(x + across * 0.5, y - up * 0.3), (x + across * 0.42, y)])}", stroke="#6a635b", width=0.9)
    if snow > 0:
        def edge(side, down):
            return (x + side * across * down, y - up * (1 - down))
        cap = [top, edge(1, snow), edge(0.55, snow * 0.72), edge(0.28, snow * 1.08), (x, y - up * (1 - snow * 0.66)), edge(-0.4, snow * 1.12), edge(-0.62, snow * 0.8), edge(-1, snow)]
        drawn += polygon(cap, "#f6f8fa")
        drawn += polygon([top, edge(1, snow), edge(0.55, snow * 0.72), edge(0.28, snow * 1.08), (x + across * 0.04, y - up * (1 - snow * 0.6))], "#c9d4df")
    return drawn


# Where the foot of each peak is, how wide it is on each side of it, and how high it rises: the ones behind first.
RANGES = [
    [(69, 72, 21, 40), (29, 76, 22, 44), (49, 85, 27, 64)],
    [(50, 66, 20, 40), (70, 78, 20, 40), (35, 84, 26, 60)],
    [(30, 70, 20, 38), (52, 74, 17, 30), (64, 84, 26, 58)],
]


def mountains(variant, snow):
    chance, drawn = random.Random(f"mountains {variant}"), ""
    for x, y in scattered(chance, 6, 15, 0.88):
        drawn += rock(chance, x, y, chance.uniform(2.2, 4.2))
    for x, y, across, up in RANGES[variant - 1]:
        drawn += ellipse(x + 7, y, across * 1.05, 5, "#000", 'fill-opacity="0.14"')
        drawn += peak(x, y, across, up, snow * (0.8 if up < 50 else 1))
    return drawn


def water(chance):
    ground, drawn = GROUNDS["water"], ""
    for x, y in scattered(chance, 8, 19, 0.8):
        size = chance.uniform(5, 8)
        line = f"M{number(x - size)} {number(y)}q{number(size / 2)} -3 {number(size)} 0t{number(size)} 0"
        drawn += path(line, stroke=light(ground, 0.34), width=1.2, more='stroke-linecap="round" stroke-opacity="0.8"')
    return drawn


def tiles():
    drawn = {}
    drawers = {"meadow": meadow, "field": field, "heath": heath, "wood": wood, "deepwood": deepwood, "marsh": marsh, "scree": scree, "water": water}
    for terrain, draw in drawers.items():
        for variant in (1, 2, 3):
            chance = random.Random(f"{terrain} {variant}")
            features = field(chance, variant) if terrain == "field" else draw(chance)
            drawn[f"{terrain}-{variant}"] = tile(GROUNDS[terrain], features, terrain != "field", variant)
    for variant in (1, 2, 3):
        drawn[f"crag-{variant}"] = tile(GROUNDS["scree"], mountains(variant, 0), seed=variant)
        drawn[f"peak-{variant}"] = tile(GROUNDS["scree"], mountains(variant, 0.5), seed=variant)
    return drawn


# What grows over a side


def fringe_line(chance, depth, end=7.0, steps=7):
    """Corners from one neighbouring side to the other, in the hex, about as deep as told."""
    left, right = (-end / 2, end * 0.866), (50 + end / 2, end * 0.866)
    line = [left]
    for step in range(1, steps):
        line.append((50 * step / steps + chance.uniform(-1.5, 1.5), depth * chance.uniform(0.55, 1.3)))
    return line + [right]


def fringe_curve(line):
    curve = points([line[0]])
    for one, other in zip(line[1:-1], line[2:]):
        curve += f"Q{points([one, ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)])}"
    return curve + f"L{points([line[-1]])}"


def fringe_shape(line):
    return f"M-0.6 -0.6L{fringe_curve(line)}L50.6 -0.6Z"


def fringe_rim(line):
    return f"M{fringe_curve(line)}"


def border(side):
    return at_side(side, path("M0 0H50", stroke=INK, width=1, more='stroke-opacity="0.2"'))


def upright(side, x, y):
    """Where a point along a side lies in the picture, for what stands upright whatever the side."""
    at = SIDES.index(side)
    angle = math.radians(30 + 60 * at)
    return CORNERS[at][0] + x * math.cos(angle) - y * math.sin(angle), CORNERS[at][1] + x * math.sin(angle) + y * math.cos(angle)


def fringe(terrain, side):
    chance = random.Random(f"fringe {terrain} {side}")
    ground = GROUNDS[terrain]
    line = fringe_line(chance, 7)
    drawn = at_side(side, path(fringe_shape(line), ground) + path(fringe_rim(line), stroke=dark(ground, 0.25), width=0.8, more='stroke-opacity="0.5"'))
    standing = []
    for step in range(5):
        x, y = upright(side, 5 + step * 10 + chance.uniform(-2, 2), chance.uniform(3.5, 7))
        if terrain == "meadow":
            standing.append((y, tuft(x, y + 1.5, 2.4, dark(ground, 0.32))))
        elif terrain == "heath":
            standing.append((y, shrub(x, y, chance.uniform(2.2, 3.4), chance.choice(["#9a6796", "#86597f", "#7c8753"]))))
        elif terrain == "marsh":
            standing.append((y, reeds(x, y + 2, 4.2)))
        elif terrain == "scree":
            standing.append((y, rock(chance, x, y, chance.uniform(2, 3.6))))
        elif terrain == "wood":
            standing.append((y, leafy(x, y - 2, chance.uniform(5.2, 6.6), chance.choice(LEAVES))))
        elif terrain == "deepwood":
            standing.append((y, conifer(x, y - 1, chance.uniform(5.6, 7), chance.choice(NEEDLES))))
    standing = "".join(shape for _, shape in sorted(standing))
    return svg(border(side) + standing, drawn)


def wider(line, by, end):
    return [(-end / 2, end * 0.866)] + [(x, y + by) for x, y in line[1:-1]] + [(50 + end / 2, end * 0.866)]


def shore(side):
    """Along land: shallows with foam, which lie below the sand of all sides, and the sand."""
    chance = random.Random(f"shore {side}")
    line = fringe_line(chance, 5, 5, 6)
    foam = path(fringe_shape(wider(line, 5.2, 10.6)), "#74b2d6") + path(fringe_shape(wider(line, 3.2, 8.6)), "#e9f6f8")
    foam += path(fringe_shape(wider(line, 2, 7.2)), "#8cc3dc") + path(fringe_shape(wider(line, 0.8, 5.8)), "#c4ad77")
    return svg("", at_side(side, foam)), svg(border(side), at_side(side, path(fringe_shape(line), "#e6d3a1")))


def canopy(terrain, side):
    """Trees over the side between two woods, so that they are one."""
    chance = random.Random(f"canopy {terrain} {side}")
    standing = []
    for step in range(3 if terrain == "wood" else 4):
        x, y = upright(side, (10 + step * 15 if terrain == "wood" else 6 + step * 12.6) + chance.uniform(-1.5, 1.5), chance.uniform(-2.5, 2.5))
        if terrain == "wood":
            standing.append((y, leafy(x, y - 1, chance.uniform(6.2, 7.6), chance.choice(LEAVES))))
        else:
            standing.append((y, conifer(x, y, chance.uniform(6.6, 8.2), chance.choice(NEEDLES))))
    return svg("".join(shape for _, shape in sorted(standing)))


STREET = light(GROUNDS["town"], 0.3)


def street(side):
    """A way from the middle of a town to a side."""
    return svg(at_side(side, path("M25 43.3V-0.5", stroke=STREET, width=9)))


def road(side):
    """From the middle of the hex to a side, with a part of the joint in the middle."""
    chance = random.Random(f"road {side}")
    bend = chance.uniform(-2.5, 2.5)
    line = f"M25 43.3C{points([(25 + bend, 30), (25 - bend, 14)])} 25 -0.5"
    drawn = path(line, stroke="#8f7147", width=8.4, more='stroke-linecap="round"')
    return svg(at_side(side, drawn)), svg(at_side(side, path(line, stroke="#dcc294", width=5.8, more='stroke-linecap="round"')))


RIVER = GROUNDS["water"]


def river(side):
    """Along a side: the bank, which lies below the water of all sides, and the water. The hex beyond the side draws the other half."""
    chance = random.Random(f"river {side}")
    waves = ""
    for x in (8, 24, 39):
        x += chance.uniform(-2, 2)
        waves += path(f"M{number(x)} 2.4q2 -1.4 4 0t4 0", stroke=light(RIVER, 0.5), width=1, more='stroke-linecap="round"')
    bank = path("M0 0H50", stroke=dark(RIVER, 0.42), width=15, more='stroke-linecap="round"')
    flow = path("M0 0H50", stroke=RIVER, width=12, more='stroke-linecap="round"') + waves
    return svg("", at_side(side, bank)), svg("", at_side(side, flow))


def bridge(side):
    planks = "".join(path(f"M20 {y}H30", stroke=dark(TIMBER, 0.25), width=0.8) for y in (2, 4.5, 7))
    drawn = f'<path d="M18.500 -0.5H31.500V9.500H18.500z" fill="{light(TIMBER, 0.25)}" stroke="{INK}" stroke-width="1"/>{planks}'
    return svg("", at_side(side, drawn + path("M18.500 -0.5V10.500M31.500 -0.5V10.500", stroke=INK, width=2)))


def slope(side, drop):
    """The edge of high ground: a bank, a steep one, a rock face that nobody looks over."""
    chance = random.Random(f"slope {side} {drop}")
    lit = LIGHT[side]
    depth = {1: 8, 2: 10.5, 3: 14}[drop] * (1 if lit < 0.4 else 0.62)
    end = depth * 0.9
    line = [(-end / 2, end * 0.866)] + [(50 * step / 8 + chance.uniform(-1, 1), depth * chance.uniform(0.85, 1.15)) for step in range(1, 8)] + [(50 + end / 2, end * 0.866)]
    shape = "M-0.4 -0.4L" + points(line) + "L50.4 -0.4Z"
    crest = "M" + points(line)
    tone = mix("#5f5145", "#d9cdb6", (lit + 1) / 2)
    drawn = ""
    if drop == 1:
        strength = 0.34 if lit < 0 else 0.3
        drawn += path(shape, "#3a2f20" if lit < 0 else "#fff6d8", more=f'fill-opacity="{strength}"')
        ink = "#3a2f20" if lit < 0.4 else "#6a5a3c"
        for step in range(9):
            x = 3 + step * 5.5
            drawn += path(f"M{points([(x, depth * 0.9), (x, depth * (0.35 if step % 2 else 0.15))])}", stroke=ink, width=0.9, more='stroke-opacity="0.5" stroke-linecap="round"')
        drawn += path(crest, stroke=ink, width=0.9, more='stroke-opacity="0.45"')
    else:
        drawn += path(shape, tone)
        for step in range(12):
            x = 1 + step * 4.2 + chance.uniform(-0.8, 0.8)
            reach = chance.uniform(0.1, 0.5)
            shade = dark(tone, 0.34) if step % 2 else light(tone, 0.3)
            drawn += path(f"M{points([(x, depth * 0.95), (x + chance.uniform(-1, 1), depth * reach)])}", stroke=shade, width=1.3, more='stroke-linecap="round"')
        if drop == 3 and lit < 0.4:
            drawn += path(f"M0 {number(depth * 0.5)}l9 -1.5 10 2 12 -2 9 1.6 10 -1", stroke=dark(tone, 0.3), width=1)
        drawn += path(crest, stroke=light(tone, 0.6), width=1.4, more='stroke-linejoin="round"')
        drawn += path("M0 0H50", stroke=INK, width=2, more='stroke-opacity="0.6"')
    return svg("", at_side(side, drawn))


def shadow(side, rise):
    """What high ground throws on the hex below it."""
    depth = {1: 9, 2: 14, 3: 20}[rise] * {"nw": 1.0, "w": 0.85, "ne": 0.5}[side]
    fade = '<linearGradient id="fade" gradientUnits="userSpaceOnUse" x1="0" y1="0" x2="0" y2="{0}"><stop offset="0" stop-color="#1b1630" stop-opacity="0.42"/><stop offset="1" stop-color="#1b1630" stop-opacity="0"/></linearGradient>'
    end = depth
    shape = f"M-0.5 -0.5L{points([(-end / 2, end * 0.866), (50 + end / 2, end * 0.866)])}L50.5 -0.5Z"
    return svg("", at_side(side, path(shape, "url(#fade)")), f"<defs>{fade.format(number(depth * 0.866))}</defs>")


def sides():
    drawn = {}
    for side in SIDES:
        for terrain in ("meadow", "heath", "marsh", "scree", "wood", "deepwood"):
            drawn[f"{terrain}-{side}"] = fringe(terrain, side)
        drawn[f"foam-{side}"], drawn[f"shore-{side}"] = shore(side)
        drawn[f"street-{side}"] = street(side)
        drawn[f"verge-{side}"], drawn[f"road-{side}"] = road(side)
        drawn[f"bank-{side}"], drawn[f"river-{side}"] = river(side)
        drawn[f"bridge-{side}"] = bridge(side)
        for drop in (1, 2, 3):
            drawn[f"slope-{side}-{drop}"] = slope(side, drop)
    for side in ("e", "se", "sw"):
        drawn[f"canopy-wood-{side}"] = canopy("wood", side)
        drawn[f"canopy-deepwood-{side}"] = canopy("deepwood", side)
    for side in ("nw", "w", "ne"):
        for rise in (1, 2, 3):
            drawn[f"shadow-{side}-{rise}"] = shadow(side, rise)
    return drawn


# Height and weather


def height(level):
    """The higher, the paler."""
    return svg("", polygon(hexagon(1.01), "#fff4dc", f'fill-opacity="{number(0.075 * level)}"' if level < 5 else 'fill-opacity="0.36"'))


def rain(variant):
    chance = random.Random(f"rain {variant}")
    drawn = polygon(hexagon(1.01), "#27405c", 'fill-opacity="0.2"')
    for _ in range(22):
        x, y, length = chance.uniform(0, 100), chance.uniform(0, 95), chance.uniform(6, 11)
        drawn += path(f"M{points([(x, y), (x - length * 0.42, y + length)])}", stroke="#e3eef8", width=0.9, more='stroke-opacity="0.6" stroke-linecap="round"')
    return svg("", drawn)


def snow(variant):
    chance = random.Random(f"snow {variant}")
    drawn = polygon(hexagon(1.01), "#f2f6fa", 'fill-opacity="0.45"')
    for x, y in scattered(chance, 4, 30, 0.9):
        around = blob(chance, x, y, chance.uniform(20, 28), chance.uniform(11, 16), 8, 0.3)
        drawn += path(around, "#ffffff", more='fill-opacity="0.4"')
    for _ in range(18):
        drawn += circle(chance.uniform(8, 92), chance.uniform(4, 96), chance.uniform(0.7, 1.3), "#ffffff")
    return svg("", drawn)


def skies():
    drawn = {f"high-{level}": height(level) for level in (1, 2, 3, 4, 5)}
    for variant in (1, 2):
        drawn[f"rain-{variant}"] = rain(variant)
        drawn[f"snow-{variant}"] = snow(variant)
    return drawn


# Towns


def house(x, y, size, roof, wall="#f1e4c6"):
    """A house with its foot at (x, y), seen from the front and a little from the right."""
    half, tall, deep = size * 0.5, size * 0.55, size * 0.7
    ridge = (x - half * 0.15, y - tall - size * 0.52)
    rim = f'stroke="{INK}" stroke-width="0.8" stroke-linejoin="round"'
    drawn = ellipse(x + size * 0.35, y + 0.6, size * 1.0, size * 0.24, "#000", 'fill-opacity="0.2"')
    front = [(x - half - half * 0.15, y), (x - half - half * 0.15, y - tall), ridge, (x + half * 0.7, y - tall), (x + half * 0.7, y)]
    side = [(x + half * 0.7, y), (x + half * 0.7, y - tall), (x + half * 0.7 + deep * 0.8, y - tall - size * 0.1), (x + half * 0.7 + deep * 0.8, y - size * 0.12)]
    drawn += polygon(side, dark(wall, 0.22), rim) + polygon(front, wall, rim)
    over = [(ridge[0], ridge[1] - 0.6), (x + half * 0.95, y - tall + 1.2), (x + half * 0.95 + deep * 0.8, y - tall - size * 0.06), (ridge[0] + deep * 0.85, ridge[1] - size * 0.08)]
    drawn += polygon(over, roof, rim)
    drawn += polygon([(ridge[0], ridge[1] - 0.6), (x - half * 1.4, y - tall + 1.2), (x - half * 1.0, y - tall + 1.6), (ridge[0] + 0.3, ridge[1] + 1.6)], dark(roof, 0.25), rim)
    drawn += f'<path d="M{number(x - half * 0.4)} {number(y)}v-{number(tall * 0.6)}h{number(half * 0.5)}v{number(tall * 0.6)}z" fill="#6b4a2f"/>'
    return drawn


def church(x, y, size, roof):
    rim = f'stroke="{INK}" stroke-width="0.8" stroke-linejoin="round"'
    drawn = house(x + size * 0.5, y, size, roof, "#e9e2d4")
    drawn += polygon([(x - size * 0.35, y), (x - size * 0.35, y - size * 1.15), (x + size * 0.2, y - size * 1.15), (x + size * 0.2, y)], "#e9e2d4", rim)
    drawn += polygon([(x - size * 0.45, y - size * 1.12), (x - size * 0.075, y - size * 2.0), (x + size * 0.3, y - size * 1.12)], roof, rim)
    return drawn + f'<path d="M{number(x - size * 0.15)} {number(y - size * 0.6)}v-{number(size * 0.3)}h{number(size * 0.16)}v{number(size * 0.3)}z" fill="{INK}"/>'


def banner(x, y, tall, colour):
    drawn = path(f"M{number(x)} {number(y)}v-{number(tall)}", stroke=INK, width=1.4, more='stroke-linecap="round"')
    top = y - tall
    flag = f"M{number(x + 0.6)} {number(top)}q{number(tall * 0.3)} {number(-tall * 0.12)} {number(tall * 0.75)} {number(tall * 0.1)}l{number(-tall * 0.16)} {number(tall * 0.2)} {number(tall * 0.14)} {number(tall * 0.22)}q{number(-tall * 0.4)} {number(-tall * 0.14)} {number(-tall * 0.73)} 0z"
    return drawn + path(flag, colour, INK, 0.9, 'stroke-linejoin="round"')


STONE = "#cfc8bb"


def tower(x, y, wide, tall, stone=STONE, roof=None):
    """A round tower with battlements, or with a pointed roof."""
    rim = f'stroke="{INK}" stroke-width="0.9" stroke-linejoin="round"'
    half = wide / 2
    drawn = polygon([(x - half, y), (x - half, y - tall), (x + half, y - tall), (x + half, y)], stone, rim)
    drawn += polygon([(x + half * 0.25, y - 0.5), (x + half * 0.25, y - tall), (x + half - 0.4, y - tall), (x + half - 0.4, y - 0.5)], dark(stone, 0.2))
    drawn += f'<path d="M{number(x - 0.8)} {number(y - tall * 0.45)}v-{number(min(5, tall * 0.25))}h1.6v{number(min(5, tall * 0.25))}z" fill="{INK}"/>'
    head, up = half * 1.28, wide * 0.34
    top = y - tall
    if roof:
        drawn += polygon([(x - head, top + 0.5), (x, top - wide * 1.25), (x + head, top + 0.5)], roof, rim)
        return drawn + polygon([(x, top - wide * 1.15), (x + head - 0.6, top), (x + head * 0.3, top)], dark(roof, 0.22))
    merlon = 2 * head / 5
    crown = [(x - head, top + up * 0.6), (x - head, top - up)]
    for step in range(5):
        left = x - head + step * merlon
        crown += [(left, top - up), (left + merlon, top - up)] if step % 2 == 0 else [(left, top - up * 0.35), (left + merlon, top - up * 0.35)]
    return drawn + polygon(crown + [(x + head, top + up * 0.6)], light(stone, 0.25), rim)


def wall(x, y, wide, tall, stone=STONE):
    rim = f'stroke="{INK}" stroke-width="0.9" stroke-linejoin="round"'
    corners, count = [(x, y)], max(3, int(wide / 5) | 1)
    for step in range(count):
        left, top = x + wide * step / count, y - tall - (2.4 if step % 2 == 0 else 0)
        corners += [(left, top), (left + wide / count, top)]
    return polygon(corners + [(x + wide, y)], stone, rim)


def hamlet(roof, variant):
    chance = random.Random(f"hamlet {variant}")
    places = [(26, 36), (66, 32), (20, 66), (72, 66), (46, 84)] if variant == 1 else [(34, 28), (72, 44), (22, 54), (38, 82), (70, 76)]
    drawn = ""
    for index, (x, y) in enumerate(places):
        drawn += house(x, y, chance.uniform(10.5, 12.5), roof if index % 5 != 4 else "#b9a070")
    return drawn + leafy(84 if variant == 1 else 56, 48 if variant == 1 else 56, 5, LEAVES[0]) + leafy(50, 20 if variant == 1 else 90, 4.6, LEAVES[1])


def city(roof, variant):
    chance = random.Random(f"city {variant}")
    places = [(48, 22), (25, 33), (68, 36), (14, 50), (80, 56), (27, 64), (66, 70), (46, 88)]
    drawn = ""
    for index, (x, y) in enumerate(places):
        x += chance.uniform(-2, 2)
        if index == (2 if variant == 1 else 1):
            drawn += church(x, y, 12.5, roof)
        else:
            drawn += house(x, y, chance.uniform(10.5, 13), roof if (index + variant) % 4 else "#a9805a")
    return drawn


def castle(roof, colour):
    """The centre of a kingdom."""
    drawn = ellipse(52, 80, 40, 9, "#000", 'fill-opacity="0.2"')
    drawn += tower(25, 50, 12, 24, roof=roof) + tower(75, 50, 12, 24, roof=roof)
    drawn += wall(24, 54, 52, 14, dark(STONE, 0.12))
    drawn += tower(50, 60, 24, 34) + banner(50, 18, 17, colour)
    drawn += tower(17, 80, 13, 28, roof=roof) + tower(83, 80, 13, 28, roof=roof)
    drawn += wall(22, 82, 56, 17)
    drawn += path("M43 82v-9a7 7 0 0 1 14 0v9z", "#4a3320", INK, 1) + path("M46.500 82v-13M50 82v-15M53.500 82v-13", stroke="#8b6b47", width=0.8)
    return drawn


def towns():
    drawn = {}
    for variant in (1, 2):
        chance = random.Random(f"town {variant}")
        specks = "".join(ellipse(x, y, 1.6, 1.1, dark(GROUNDS["town"], 0.16)) for x, y in scattered(chance, 14, 11, 0.9))
        specks += path(blob(chance, 50, 50, 15, 11), STREET)
        drawn[f"town-{variant}"] = tile(GROUNDS["town"], specks, seed=variant)
    for seat, colour in [*SEATS.items(), ("free", "#9b958b")]:
        roof = light(colour, 0.12) if seat != "elder" else "#565d70"
        for variant in (1, 2):
            drawn[f"hamlet-{variant}-{seat}"] = svg(hamlet(roof, variant))
            drawn[f"city-{variant}-{seat}"] = svg(city(roof, variant))
        drawn[f"castle-{seat}"] = svg(castle(roof, colour))
    drawn["plaque"] = svg(path("M9 69.5H91L86 77.5 91 85.5H9L14 77.5z", "#f8efd6", INK, 1, 'stroke-linejoin="round" fill-opacity="0.92"'))
    return drawn


# Buildings


# In how many steps lives and movement points are shown.
GAUGE = 8


def gauge_colour(share):
    return "#63c04d" if share > 0.66 else "#f0b429" if share > 0.33 else "#e0493a"




def stakes(side):
    """Pointed stakes along a side, upright."""
    drawn = ""
    ends = [upright(side, x, 9) for x in (-2, 52)]
    places = [(ends[0][0] + (ends[1][0] - ends[0][0]) * step / 9, ends[0][1] + (ends[1][1] - ends[0][1]) * step / 9) for step in range(10)]
    for x, y in sorted(places, key=lambda place: place[1]):
        shape = [(x - 2.3, y + 4), (x - 2.3, y - 7), (x, y - 10.5), (x + 2.3, y - 7), (x + 2.3, y + 4)]
        drawn += polygon(shape, TIMBER, f'stroke="{INK}" stroke-width="0.8" stroke-linejoin="round"')
        drawn += path(f"M{number(x - 0.9)} {number(y + 3)}v-10", stroke=light(TIMBER, 0.4), width=0.9)
    return drawn


def palisade(side):
    """The three sides that it faces."""
    at = SIDES.index(side)
    faced = [SIDES[(at + turn) % 6] for turn in (-1, 0, 1)]
    return "".join(stakes(one) for one in sorted(faced, key=lambda one: upright(one, 25, 9)[1]))


def watchtower():
    rim = f'stroke="{INK}" stroke-width="1" stroke-linejoin="round"'
    drawn = ellipse(56, 84, 24, 6, "#000", 'fill-opacity="0.22"')
    drawn += path("M36 84L42 40M64 84L58 40M38.500 66L60 54M61.500 66L40 54M37 78L62 66M63 78L38 66", stroke=INK, width=4.6, more='stroke-linecap="round"')
    drawn += path("M36 84L42 40M64 84L58 40M38.500 66L60 54M61.500 66L40 54M37 78L62 66M63 78L38 66", stroke=TIMBER, width=2.8, more='stroke-linecap="round"')
    drawn += polygon([(33, 42), (35, 28), (65, 28), (67, 42)], light(TIMBER, 0.22), rim)
    drawn += path("M42 30v11M50 30v11M58 30v11", stroke=dark(TIMBER, 0.3), width=1)
    drawn += path("M38 28V20M62 28V20", stroke=INK, width=2)
    return drawn + polygon([(30, 21), (50, 5), (70, 21)], "#8d7650", rim) + polygon([(50, 6), (69, 20.500), (55, 20.500)], "#6e5b3c")


def fort():
    """Walls around the hex, so that whoever stands in it stands between them."""
    drawn = ellipse(50, 84, 44, 10, "#000", 'fill-opacity="0.16"')
    drawn += wall(16, 32, 68, 11, dark(STONE, 0.16))
    drawn += tower(50, 26, 15, 13) + tower(16, 40, 14, 20) + tower(84, 40, 14, 20)
    drawn += polygon([(13, 74), (13, 44), (19, 40), (19, 76)], dark(STONE, 0.1), f'stroke="{INK}" stroke-width="0.9"')
    drawn += polygon([(87, 74), (87, 44), (81, 40), (81, 76)], dark(STONE, 0.26), f'stroke="{INK}" stroke-width="0.9"')
    drawn += wall(16, 86, 68, 13)
    drawn += path("M43 86v-7a7 7 0 0 1 14 0v7z", "#4a3320", INK, 1)
    return drawn + tower(16, 84, 15, 24) + tower(84, 84, 15, 24)


def hall(roof, walls="#e6d6b4"):
    """A large house, whose trade is told by what hangs on it."""
    rim = f'stroke="{INK}" stroke-width="1" stroke-linejoin="round"'
    drawn = ellipse(54, 80, 36, 8, "#000", 'fill-opacity="0.2"')
    drawn += polygon([(22, 80), (22, 48), (78, 48), (78, 80)], walls, rim)
    drawn += path("M22 64H78M36 48V80M64 48V80", stroke=dark(TIMBER, 0.2), width=2)
    drawn += polygon([(15, 50), (27, 22), (73, 22), (85, 50)], roof, rim)
    drawn += path("M22 41H81M25 33H77.500", stroke=dark(roof, 0.22), width=1)
    return drawn + path("M43 80V66a7 7 0 0 1 14 0V80z", "#4a3320", INK, 1)


SIGNS = {
    "ruin": "M-7 6V-4L-4 -6 -3 -1 0 1V6zM2 6V2L5 -2 7 0V6z",
    "palisade": "M-5 6V-3L-3 -6 -1 -3V6zM1 6V-3L3 -6 5 -3V6z",
    "watchtower": "M-7 0Q0 -8 7 0Q0 8 -7 0zM0 -2.600a2.600 2.600 0 1 0 0.010 0z",
    "fort": "M-6 6V-6h3v3h2v-3h2v3h2v-3h3V6z",
    "smithy": "M-7 -4H7V-1H3Q2 2 4 5H-4Q-2 2 -3 -1Q-6 -1 -7 -4z",
    "stable": "M-5 -5V1a5 5 0 0 0 10 0V-5H2V1a2 2 0 0 1 -4 0V-5z",
    "bowyer": "M-3 -7Q7 0 -3 7L-1.500 7.500Q10 0 -1.500 -7.500zM-7 -0.800H6V0.800H-7z",
    "infirmary": "M-2 -6H2V-2H6V2H2V6H-2V2H-6V-2H-2z",
}


def sign(kind, x, y, size):
    """What is told of a building where there is little room."""
    drawn = circle(x, y, size * 10, "#fbf3df", f'stroke="{INK}" stroke-width="{number(size * 1.6)}"')
    return drawn + f'<path transform="translate({number(x)} {number(y)}) scale({number(size)})" d="{SIGNS[kind]}" fill="{"#3a8a6a" if kind == "infirmary" else INK}" fill-rule="evenodd"/>'


def smithy():
    drawn = tower(70, 40, 10, 26, "#a58f80") + circle(72, 8, 3.6, "#ddd8d0") + circle(77, 3.5, 2.6, "#e9e5df")
    drawn += hall("#6b7078", "#cbb9a0") + path("M43.600 79V66a6.400 6.400 0 0 1 12.800 0V79z", "#f08a2c") + circle(50, 74, 4, "#ffd35c")
    return drawn


def stable():
    drawn = hall("#a4703f", "#c99a63") + path("M30 80V64h14v16zM56 80V64h14v16z", "#4a3320", INK, 1)
    drawn += path("M43 80V66a7 7 0 0 1 14 0V80z", "#c99a63") + path("M30 72h14M56 72h14", stroke="#e6d6b4", width=1.6)
    return drawn + ellipse(20, 80, 6, 3.4, "#d9b64a", f'stroke="{INK}" stroke-width="0.7"')


def bowyer():
    drawn = hall("#5f7f4a")
    drawn += path("M80 84L86 66M90 84L84 66", stroke=INK, width=2) + circle(85, 68, 8.5, "#fbf3df", f'stroke="{INK}" stroke-width="1"')
    drawn += circle(85, 68, 5.6, "#c0473a") + circle(85, 68, 2.6, "#fbf3df")
    return drawn


def infirmary():
    return hall("#7fa8a0", "#f4efe2") + path("M47 29H53V34H58V40H53V45H47V40H42V34H47z", "#fbf3df", INK, 1.2)


def site():
    """Beams and scaffolds."""
    drawn = ellipse(54, 80, 36, 8, "#000", 'fill-opacity="0.16"')
    drawn += polygon([(20, 82), (26, 68), (80, 68), (84, 82)], "#b99c70", f'stroke="{INK}" stroke-width="0.8"')
    for stroke, width in ((INK, 4.2), (light(TIMBER, 0.2), 2.4)):
        drawn += path("M28 80V34M50 80V28M72 80V34M24 64H76M24 46H76M28 64L50 46M72 64L50 46", stroke=stroke, width=width, more='stroke-linecap="round"')
    for index, x in enumerate((34, 42, 58, 66)):
        drawn += f'<path d="M{x - 4} 80v-6h8v6z" fill="{STONE if index % 2 else "#b8ada0"}" stroke="{INK}" stroke-width="0.7"/>'
    return drawn


def ruin():
    chance = random.Random("ruin")
    drawn = ellipse(52, 80, 36, 8, "#000", 'fill-opacity="0.18"')
    stone = "#a8a197"
    rim = f'stroke="{INK}" stroke-width="1" stroke-linejoin="round"'
    drawn += polygon([(22, 78), (22, 46), (27, 40), (31, 50), (36, 48), (40, 62), (46, 66), (46, 78)], stone, rim)
    drawn += polygon([(60, 78), (60, 60), (66, 52), (70, 56), (74, 34), (80, 42), (80, 78)], dark(stone, 0.12), rim)
    drawn += path("M28 66v-8h5v8z", INK) + path("M70 70v-9h5v9z", INK)
    drawn += path("M40 80L62 60M48 82L70 72", stroke="#3a2b20", width=3, more='stroke-linecap="round"')
    for x, y, size in ((36, 84, 5), (52, 80, 6), (66, 84, 4.4), (50, 88, 3.6)):
        drawn += rock(chance, x, y, size, "#9c958a")
    return drawn + path("M54 58q-6 -8 1 -15t-2 -16", stroke="#6d675f", width=3, more='stroke-opacity="0.45" stroke-linecap="round"')


def cracks(much):
    line = "M30 60l6 5 -3 6 7 7M68 52l-5 6 4 5 -6 8"
    drawn = path(line, stroke=INK, width=1.8, more='stroke-linejoin="round" stroke-linecap="round"')
    if much:
        drawn += path("M62 34q-7 -8 0 -15t-1 -14", stroke="#4d4741", width=4, more='stroke-opacity="0.5" stroke-linecap="round"')
        drawn += path("M56 40q-5 -7 1 -13q1 5 5 6q3 4 0 8z", "#f08a2c", "#b8402f", 1)
    return drawn


def buildings():
    drawn = {f"palisade-{side}": svg(palisade(side)) for side in SIDES}
    for kind, draw in {"watchtower": watchtower, "fort": fort, "smithy": smithy, "stable": stable, "bowyer": bowyer, "infirmary": infirmary}.items():
        drawn[kind] = svg(draw())
    drawn["site"], drawn["ruin"] = svg(site()), svg(ruin())
    drawn["damaged"], drawn["burning"] = svg(cracks(False)), svg(cracks(True))
    for kind in SIGNS:
        drawn[f"sign-{kind}"] = svg(sign(kind, 20, 20, 1.75))
    for seat, colour in SEATS.items():
        drawn[f"flag-{seat}"] = svg(banner(80, 30, 20, colour))
    for step in range(GAUGE + 1):
        bar = f'<rect x="28" y="88.500" width="44" height="8" rx="4" fill="#17130f"/>'
        if step:
            bar += f'<rect x="30" y="90.500" width="{number(40 * step / GAUGE)}" height="4" rx="2" fill="{gauge_colour(step / GAUGE)}"/>'
        drawn[f"stands-{step}"] = svg(bar)
    return drawn


# Units


STEEL, LEATHER, SKIN, CLOTH, HAIR = "#dfe6ec", "#a5713f", "#f1cba3", "#f7eed8", "#6b4526"
RIM = f'stroke="{INK}" stroke-width="2.6" stroke-linejoin="round" stroke-linecap="round"'


def shape(line, fill, more=RIM):
    return f'<path d="{line}" fill="{fill}" {more}/>'


def stick(line, colour, width):
    """A shaft with a dark rim."""
    both = 'stroke-linecap="round" stroke-linejoin="round" fill="none"'
    return f'<path d="{line}" stroke="{INK}" stroke-width="{number(width + 4)}" {both}/><path d="{line}" stroke="{colour}" stroke-width="{number(width)}" {both}/>'


def bust(coat, x=50):
    return shape(f"M{x - 29} 92C{x - 29} 68 {x - 17} 60 {x} 60S{x + 29} 68 {x + 29} 92Q{x} 104 {x - 29} 92Z", coat)


def face(x=50, y=43, radius=14):
    return circle(x, y, radius, SKIN, RIM)


def militia():
    fork = stick("M79 88V30M70 14v10q0 6 9 6t9 -6v-10M79 14v16", "#b88a54", 3.4)
    drawn = fork + bust(CLOTH, 44) + face(44)
    drawn += shape("M28 41Q28 24 45 24T61 41Q44 33 28 41Z", LEATHER)
    return drawn + path("M36 62L44 74 52 62", stroke=INK, width=2.4)


def spearmen():
    drawn = stick("M80 92V22", "#b88a54", 3.6) + shape("M80 4l7 12 -7 12 -7 -12z", STEEL)
    drawn += bust(LEATHER, 46) + face(46)
    drawn += shape("M30 43Q29 22 46 22T62 43L58 44Q46 37 34 44Z", STEEL) + shape("M43.500 34h5v16h-5z", STEEL)
    drawn += shape("M22 60Q44 68 66 60Q68 86 44 97Q20 86 22 60Z", CLOTH)
    return drawn + path("M44 66V94M25 76H64", stroke=INK, width=3)


def axemen():
    drawn = bust("#8d7650", 50) + face(50)
    drawn += shape("M36 46Q36 68 50 70Q64 68 64 46Q58 54 50 53Q42 54 36 46Z", HAIR)
    drawn += shape("M34 40Q33 22 50 22T66 40Q50 34 34 40Z", STEEL)
    drawn += shape("M35 33Q24 30 22 16Q33 18 40 25ZM65 33Q76 30 78 16Q67 18 60 25Z", CLOTH)
    drawn += stick("M20 94L76 54", "#b88a54", 3.6)
    return drawn + shape("M66 50Q62 38 72 32L90 58Q80 64 71 58Z", STEEL)


def archers():
    drawn = stick("M66 10Q104 50 66 90", LEATHER, 4) + path("M67 10V90", stroke=CLOTH, width=1.6)
    drawn += bust("#6f8a4a", 40) + face(42)
    drawn += shape("M24 58Q20 22 42 20Q60 22 60 40Q52 34 44 35Q34 38 36 58Q30 62 24 58Z", "#6f8a4a")
    drawn += stick("M34 62H88", "#b88a54", 2.4)
    return drawn + shape("M86 56l11 6 -11 6z", STEEL)


def horse_head(coat, mane):
    """Looks to the left."""
    drawn = shape("M34 96Q42 76 40 62L24 68Q15 68 14 59Q20 46 34 34Q38 22 50 16L49 25Q78 32 80 96Q58 104 34 96Z", coat)
    drawn += shape("M49 25Q66 26 76 46Q84 66 80 92Q74 64 60 44Q54 34 44 30Z", mane)
    return drawn + circle(41, 42, 2.8, INK) + circle(20, 60, 1.6, INK)


def outriders():
    drawn = horse_head("#c48d58", "#5f3d22")
    drawn += path("M25 64Q36 60 38 48Q40 40 47 36", stroke=INK, width=2.4)
    return drawn + shape("M62 8Q86 22 88 56Q84 58 82 54Q78 28 60 13Z", STEEL) + stick("M80 58L91 55", "#b88a54", 3)


def lancers():
    drawn = stick("M94 92L14 8", "#c9a56b", 3.6) + shape("M10 4l14 6 -7 7z", STEEL)
    drawn += horse_head("#efe9dd", "#b9b1a4")
    drawn += shape("M14 59Q20 46 34 34Q38 24 48 18L47 30Q42 46 34 62L24 68Q15 68 14 59Z", STEEL) + circle(39, 42, 3, INK)
    drawn += path("M24 48L36 58M29 40L41 50", stroke="#8795a3", width=2)
    return drawn + shape("M52 34L60 30 66 38Q80 58 78 92L66 96Q66 60 52 34Z", "#d9b64a")


def horse_archers():
    drawn = horse_head("#a9a7a2", "#3a3633")
    drawn += path("M25 64Q36 60 38 48Q40 40 47 36", stroke="#b8402f", width=2.4)
    return drawn + stick("M58 10Q100 22 90 72", "#d2a569", 3.6) + path("M58 10L90 72", stroke=CLOTH, width=1.8) + stick("M60 54L88 28", "#b88a54", 2.2) + shape("M84 24l10 -4 -3 11z", STEEL)


def wheel(x, y, radius):
    drawn = circle(x, y, radius, LEATHER, RIM) + circle(x, y, radius * 0.55, dark(LEATHER, 0.25))
    return drawn + circle(x, y, radius * 0.22, "#d9b64a")


def ram():
    drawn = stick("M10 58H80", "#8a5a2b", 8) + shape("M6 50h13v17h-13q-5 -8 0 -17z", STEEL)
    drawn += shape("M24 46L34 22H70L84 46Z", "#b98a54") + path("M32 26L26 45M44 23L42 45M57 23L60 45M69 24L78 45", stroke=dark(LEATHER, 0.3), width=2)
    drawn += stick("M32 48V72M76 48V72", "#b88a54", 4) + stick("M24 72H84", "#b88a54", 4)
    return drawn + wheel(35, 80, 10.5) + wheel(73, 80, 10.5)


def mangonel():
    drawn = stick("M46 66L60 30M74 66L60 30", "#b88a54", 4)
    drawn += stick("M78 62L24 24", "#c9a56b", 4.6) + shape("M12 12Q26 10 32 24Q22 34 13 28Q8 20 12 12Z", LEATHER) + circle(20, 17, 7.5, "#a8a197", RIM)
    drawn += stick("M18 68H86", "#b88a54", 5)
    return drawn + wheel(32, 78, 11) + wheel(72, 78, 11)


def scout():
    drawn = bust("#5f7f6a", 50) + face(50, 45)
    drawn += shape("M24 42Q50 18 78 38Q50 36 24 42Z", "#5f7f4a") + shape("M36 34Q42 16 58 20Q66 24 66 33Q50 30 36 34Z", "#5f7f4a")
    drawn += shape("M62 30Q70 10 90 8Q86 24 66 34Z", "#f7eed8")
    drawn += stick("M24 92V60", "#b88a54", 3.4)
    return drawn + shape("M17 46h14v16h-14z", "#ffd35c") + path("M17 46h14M24 46v-5", stroke=INK, width=2.6)


def mason():
    drawn = bust(CLOTH, 44) + face(44) + shape("M27 40Q27 24 44 24T61 40Q44 36 27 40Z", "#8d7650") + shape("M24 42h40v-4h-40z", "#8d7650")
    drawn += shape("M32 64h24v30h-24z", LEATHER)
    drawn += stick("M82 92L72 44", "#b88a54", 4) + shape("M58 36L84 29 88 44 62 51Z", "#a8a197")
    return drawn


def champion():
    drawn = stick("M82 66V14", STEEL, 5) + stick("M72 66H92", "#d9b64a", 3.4) + stick("M82 68V78", "#8a5a2b", 3.6)
    drawn += bust(STEEL, 46)
    drawn += shape("M38 18Q20 14 16 40Q26 34 40 28Z", "#c0473a")
    drawn += shape("M30 58V38Q30 20 46 20T62 38V58Q46 68 30 58Z", STEEL)
    drawn += path("M34 42H58M46 42V60M39 52V58M53 52V58", stroke=INK, width=3.2)
    return drawn + shape("M29 30L33 18 39 25 46 14 53 25 59 18 63 30Q46 24 29 30Z", "#f2c53d")


def halberdiers():
    drawn = stick("M78 94V14", "#b88a54", 3.6) + shape("M78 20Q96 22 96 40Q86 42 78 36ZM78 24L64 29 78 34ZM78 2l5 14h-10z", STEEL)
    drawn += bust(STEEL, 44) + face(44)
    drawn += shape("M24 42Q30 20 44 20T64 42Q44 34 24 42Z", STEEL) + shape("M41 21Q44 12 47 21V34H41Z", STEEL)
    return drawn + path("M30 72Q44 80 58 72M28 84Q44 92 60 84", stroke=INK, width=2.6)


def arbalesters():
    drawn = bust("#8d7650", 46) + face(46)
    drawn += shape("M30 43Q29 22 46 22T62 43L58 45Q46 38 34 45Z", STEEL) + path("M46 23V37", stroke=INK, width=2.4)
    drawn += stick("M38 92L73 47", "#8a5a2b", 5) + stick("M49 38Q82 35 87 68", STEEL, 4.4)
    return drawn + path("M49 38L62 61 87 68", stroke=CLOTH, width=2) + stick("M62 61L80 38", "#d9b64a", 2) + shape("M77 36l8 -6 -1 10z", STEEL)


def war_wagon():
    drawn = shape("M14 42H86L82 72H18Z", "#b98a54") + path("M17 52H84M18 62H83M30 43V71M44 43V71M58 43V71M72 43V71", stroke=dark(LEATHER, 0.3), width=2)
    drawn += shape("M14 42V32h10v6h8v-6h10v6h8v-6h10v6h8v-6h10v10z", "#9a6b3c")
    drawn += shape("M34 54h8v8h-8zM58 54h8v8h-8z", INK) + stick("M36 24L54 12", "#b88a54", 2.2) + shape("M52 9l9 -1 -4 8z", STEEL)
    drawn += circle(35, 23, 7, SKIN, RIM) + shape("M27 23Q27 14 35 14T43 23Z", STEEL)
    return drawn + wheel(30, 80, 11) + wheel(70, 80, 11)


def arc(start, end, radius=45.5):
    """A part of the rim of the disc, in degrees clockwise from up."""
    def place(degrees):
        return 50 + radius * math.sin(math.radians(degrees)), 50 - radius * math.cos(math.radians(degrees))
    is_long = 1 if abs(end - start) > 180 else 0
    return f"M{points([place(start)])}A{radius} {radius} 0 {is_long} {1 if end > start else 0} {points([place(end)])}"


# Lives stand on the left rim from below upwards, movement points on the right one from above downwards.
LIVES, PACES = (216, 336), (24, 104)


def gauge(span, filled, colour, backed=False):
    start, end = span
    drawn = ""
    if backed:
        drawn += path(arc(start, end), stroke="#17130f", width=9.5, more='stroke-linecap="round"')
    if filled > 0:
        drawn += path(arc(start, start + (end - start) * filled), stroke=colour, width=6, more='stroke-linecap="round"')
    return drawn


def lit(colour):
    """A disc of a colour, lit from the upper left."""
    stops = ((0, light(colour, 0.38)), (0.55, colour), (1, dark(colour, 0.22)))
    stops = "".join(f'<stop offset="{offset}" stop-color="{shade}"/>' for offset, shade in stops)
    return f'<radialGradient id="lit" cx="0.36" cy="0.3" r="0.8">{stops}</radialGradient>'


def counter(colour):
    return circle(50, 50, 49, dark(colour, 0.62)) + circle(50, 50, 46, "url(#lit)") + circle(50, 50, 39, "none", f'stroke="{light(colour, 0.5)}" stroke-width="1.2" stroke-opacity="0.5"')


def figures(draw_by_kind):
    """Each kind on a disc in the colour of each seat."""
    drawn, disc = {}, '<clipPath id="disc"><circle cx="50" cy="50" r="47"/></clipPath>'
    for kind, draw in draw_by_kind.items():
        figure = f'<g clip-path="url(#disc)"><g transform="translate(50 50) scale(0.95) translate(-50 -52)">{draw()}</g></g>'
        for seat, colour in SEATS.items():
            drawn[f"{kind}-{seat}"] = svg(counter(colour) + figure, before=f"<defs>{disc}{lit(colour)}</defs>")
    return drawn


def units():
    drawn = figures({
        "militia": militia, "spearmen": spearmen, "axemen": axemen, "archers": archers, "outriders": outriders, "lancers": lancers,
        "horse_archers": horse_archers, "ram": ram, "mangonel": mangonel, "scout": scout, "mason": mason, "champion": champion,
    })  # fmt: skip
    for step in range(1, GAUGE + 1):
        share = step / GAUGE
        drawn[f"lives-{step}"] = svg(gauge(LIVES, share, gauge_colour(share)))
        drawn[f"moves-{step}"] = svg(gauge(PACES, share, "#6db8f2", True))
    for step in range(GAUGE + 1):
        # The wounded lie above those who are fit.
        drawn[f"wounded-{step}"] = svg(gauge(LIVES, step / GAUGE, "#c58ad0", True))
    drawn["moves-0"] = svg(gauge(PACES, 0, "", True))
    for level in (1, 2, 3, 4):
        stars = ""
        for star in range(level):
            x = 50 + (star - (level - 1) / 2) * 12
            corners = []
            for corner in range(10):
                radius = 6.6 if corner % 2 == 0 else 2.9
                corners.append((x + radius * math.sin(math.pi * corner / 5), 8.5 - radius * math.cos(math.pi * corner / 5)))
            stars += polygon(corners, "#ffd84a", f'stroke="{INK}" stroke-width="1.6" stroke-linejoin="round"')
        drawn[f"level-{level}"] = svg(stars)
    for count in (1, 2, 3):
        gems = ""
        for gem in range(count):
            x = 22 + gem * 12
            gems += polygon([(x, 84), (x + 5.4, 90), (x, 97), (x - 5.4, 90)], "#7ee0d0", f'stroke="{INK}" stroke-width="1.8" stroke-linejoin="round"')
        drawn[f"bonuses-{count}"] = svg(gems)
    # The sign of a standing order: two arrowheads, a shield, a cross.
    edge = f'stroke="{INK}" stroke-width="1.8" stroke-linejoin="round"'
    signs = {
        "go": [[(16, 84), (23, 90.5), (16, 97)], [(23, 84), (30, 90.5), (23, 97)]],
        "hold": [[(16, 84), (30, 84), (30, 91), (23, 98), (16, 91)]],
        "heal": [[(20.5, 84), (25.5, 84), (25.5, 88.5), (30, 88.5), (30, 93.5), (25.5, 93.5), (25.5, 98), (20.5, 98), (20.5, 93.5), (16, 93.5), (16, 88.5), (20.5, 88.5)]],
    }
    for name, shapes in signs.items():
        drawn[f"order-{name}"] = svg("".join(polygon(points, "#f4efe2", edge) for points in shapes))
    drawn["spent"] = svg(circle(50, 50, 46, "#14110e", 'fill-opacity="0.42"'))
    return drawn


# The card in the launcher, and the pictures of the rule book


def put(picture, x, y, size, name):
    """A picture at a place, as wide as told. What it defines is told from that of others by a name."""
    inside = picture[picture.index(">") + 1 : picture.rindex("</svg>")]
    for word in ("hex", "disc", "lit", "fade"):
        inside = inside.replace(f'id="{word}"', f'id="{word}-{name}"').replace(f"url(#{word})", f"url(#{word}-{name})")
    return f'<g transform="translate({number(x)} {number(y)}) scale({number(size / 100 * 1000)}e-3)">{inside}</g>'


def board(drawn, rows, size, left, top):
    """A part of a board: a list of pictures for each hex."""
    across, down, inside = size * 0.866, size * 0.75, ""
    for level in range(max(len(hexes) for row in rows for hexes in row)):
        for y, row in enumerate(rows):
            for x, hexes in enumerate(row):
                if level < len(hexes):
                    at = left + x * across + (y % 2) * across / 2
                    inside += put(drawn[hexes[level]], at, top + y * down, size, f"{level}-{x}-{y}")
    return inside


def framed(wide, high, inside):
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"><clipPath id="frame"><rect width="{wide}" height="{high}"/></clipPath><g clip-path="url(#frame)"><rect width="{wide}" height="{high}" fill="#4f92c1"/>{inside}</g></svg>\n'


def card(drawn):
    rows = [
        [["water-1", "foam-e", "foam-se", "shore-e", "shore-se"], ["wood-1", "canopy-wood-e", "canopy-wood-se"], ["wood-2", "canopy-wood-sw"], ["peak-1"], ["peak-2"], ["scree-1"]],
        [["meadow-1", "wood-ne"], ["meadow-2", "wood-ne", "wood-nw"], ["wood-3"], ["crag-2"], ["heath-1", "scree-nw", "scree-ne"], ["deepwood-1"]],
        [["field-1"], ["town-1", "meadow-ne", "meadow-nw", "meadow-e", "meadow-se", "castle-rowan"], ["meadow-3", "wood-ne", "wood-nw"], ["meadow-1", "heath-e", "bank-e", "river-e"], ["heath-2", "bank-w", "river-w", "deepwood-e"], ["deepwood-2"]],
        [["field-2"], ["meadow-1"], ["meadow-2", "bank-e", "river-e"], ["meadow-3", "heath-ne", "bank-w", "bank-nw", "river-w", "river-nw"], ["heath-3"], ["marsh-1"]],
        [["meadow-3"], ["field-3"], ["meadow-2"], ["meadow-1", "bank-ne", "river-ne"], ["wood-1"], ["marsh-2"]],
    ]
    inside = board(drawn, rows, 78, -34, -30)
    for name, x, y, size in (("lancers-rowan", 104, 56, 56), ("archers-rowan", 118, 124, 54), ("champion-juniper", 196, 104, 62), ("spearmen-juniper", 236, 48, 52)):
        inside += ellipse(x + size / 2, y + size * 0.56, size * 0.52, size * 0.5, "#000", 'fill-opacity="0.35"') + put(drawn[name], x, y, size, name)
    return framed(320, 200, inside)


def plate(wide, high, inside):
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}">{inside}</svg>\n'


def help_pictures(drawn):
    """What there is of each sort, a unit with all its signs, and the three slopes."""
    around = ("w", "e", "ne", "se", "nw", "sw")

    def high(tile, drop, level):
        return [tile] + [f"slope-{side}-{drop}" for side in around] + [f"high-{level}"]

    slopes = [[
        ["meadow-1"], high("heath-1", 1, 1), ["meadow-2", "shadow-w-1"], high("scree-1", 2, 2), ["meadow-3", "shadow-w-2"], high("peak-1", 3, 4),
        ["meadow-1", "shadow-w-3"],
    ]]  # fmt: skip
    kinds = ["palisade-se", "watchtower", "fort", "smithy", "stable", "bowyer", "infirmary", "site", "ruin"]
    built = [[f"meadow-{index % 3 + 1}", kind] + ([] if kind == "ruin" else ["flag-rowan"]) for index, kind in enumerate(kinds)]
    lands = [[f"{land}-1"] for land in GROUNDS if land != "town"] + [["town-1", "city-1-rowan"]]
    examples = [["wounded-8", "lives-8", "moves-8"], ["wounded-7", "lives-5", "level-2", "bonuses-2", "moves-4"], ["wounded-4", "lives-2", "spent", "moves-0"]]
    signs = ""
    for index, overlays in enumerate(examples):
        for name in [f"spearmen-{list(SEATS)[index]}", *overlays]:
            signs += put(drawn[name], 22 + index * 100, 6, 88, f"{index}-{name}")
    figures_shown = ""
    for index, name in enumerate(["militia", "spearmen", "axemen", "archers", "outriders", "lancers", "horse_archers", "ram", "mangonel", "scout", "mason", "champion"]):
        seat = list(SEATS)[index % len(SEATS)]
        figures_shown += put(drawn[f"{name}-{seat}"], 4 + index % 6 * 54, 4 + index // 6 * 54, 48, name)
    return {
        "help-unit": plate(332, 100, signs),
        "help-units": plate(326, 110, figures_shown),
        "help-slopes": plate(500, 84, board(drawn, slopes, 80, 6, 2)),
        "help-buildings": plate(390, 146, board(drawn, [built[:5], built[5:]], 80, 6, 2)),
        "help-lands": plate(390, 146, board(drawn, [lands[:5], lands[5:]], 80, 6, 2)),
    }


def write(folder, pictures):
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pictures.items():
        (folder / f"{name}.svg").write_text(text)


def main():
    folder, folder_of_mod = map(Path, sys.argv[1:])
    drawn = {**tiles(), **sides(), **skies(), **towns(), **buildings(), **units()}
    write(folder, {**drawn, "card": card(drawn), **help_pictures(drawn)})
    write(folder_of_mod, figures({"halberdiers": halberdiers, "arbalesters": arbalesters, "war_wagon": war_wagon}))


if __name__ == "__main__":
    main()
