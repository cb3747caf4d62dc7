#!/usr/bin/env python3
"""Draws the Amber Isles: a drawing, the mask that goes with it, and the tables of names and links.

    tools/archipelago.py FOLDER

writes drawing.png, mask.png, names.csv and links.csv, of which `boardwright import picture` makes the map. Needs nothing but Python. Coasts are
ellipses with noise; areas are what lies nearest to a point, also with noise.
"""

import math
import random
import struct
import sys
import zlib
from pathlib import Path

WIDTH, HEIGHT = 1200, 760
SEED = 41
# Areas this near across water are neighbours.
SHORT_WAY = 84
SEA = (196, 214, 220)

# Region: tint, areas, and the ellipses its land is made of (middle, radii).
REGIONS = {
    "hearth": ((214, 192, 150), ["Emberhold", "Ashford", "Cinder Vale", "Lampmoor", "Old Kiln", "Brightwater", "Tallow Down", "Coldgate", "Warden Hill"],
               [(560, 330, 150, 120), (480, 390, 100, 85), (650, 285, 95, 80), (745, 455, 34, 24), (345, 300, 22, 30)]),
    "frostmark": ((201, 208, 216), ["Whitehorn", "Rimefall", "Icewick", "Sledge Bay", "Northlight", "Hoarfen", "Stillwater"],
                  [(300, 120, 170, 75), (450, 105, 110, 60), (180, 170, 80, 60), (655, 120, 40, 26), (720, 95, 26, 22), (150, 265, 24, 18)]),
    "saltreach": ((193, 205, 168), ["Gull Rock", "Brinewood", "Anchor Head", "Tidewater", "Long Strand", "Kelp Isle", "Harbourlea"],
                  [(170, 450, 90, 120), (250, 590, 115, 70), (120, 610, 55, 50), (345, 500, 32, 24), (60, 520, 20, 26), (205, 690, 30, 20)]),
    "sunward": ((222, 190, 160), ["Goldenrod", "Sandral", "Port Amber", "Dunmere", "Vinehollow", "Red Cape", "Lizard Keys"],
                [(640, 610, 160, 85), (790, 650, 95, 60), (520, 640, 75, 50), (930, 680, 44, 26), (985, 640, 28, 24), (420, 690, 26, 20)]),
    "thornwood": ((186, 196, 160), ["Briarlow", "Mosshaven", "Deepwood", "Owlcrag", "Fernmark", "Elderholm", "Nettle Point", "Ravenscar"],
                  [(970, 260, 120, 140), (1050, 420, 90, 110), (930, 130, 100, 60), (905, 480, 34, 28), (825, 215, 28, 34), (1130, 480, 24, 34)]),
}  # fmt: skip


def noise(seed):
    """A smooth function of the plane with values around 0, made of four octaves of values at lattice points."""
    generator = random.Random(seed)
    table = [generator.uniform(-1, 1) for _ in range(4096)]

    def value(x, y):
        left, top = math.floor(x), math.floor(y)
        across, down = x - left, y - top
        across, down = across * across * (3 - 2 * across), down * down * (3 - 2 * down)

        def at(column, row):
            return table[(column * 73 + row * 1543 + (row * row) % 97) & 4095]

        upper = at(left, top) + across * (at(left + 1, top) - at(left, top))
        lower = at(left, top + 1) + across * (at(left + 1, top + 1) - at(left, top + 1))
        return upper + down * (lower - upper)

    def octaves(x, y):
        return value(x / 90, y / 90) * 0.5 + value(x / 40, y / 40) * 0.27 + value(x / 18, y / 18) * 0.15 + value(x / 8, y / 8) * 0.08

    return octaves


def region_of_pixels():
    """The region of each pixel, -1 for the sea."""
    coast = noise(SEED)
    ellipses = [(number, ellipse) for number, (_, _, all_of) in enumerate(REGIONS.values()) for ellipse in all_of]
    regions = []
    for y in range(HEIGHT):
        for x in range(WIDTH):
            best, found = 0.0, -1
            for number, (cx, cy, rx, ry) in ellipses:
                dx, dy = (x - cx) / rx, (y - cy) / ry
                inside = 1 - dx * dx - dy * dy
                if inside > best - 0.9:
                    if inside > best or found < 0:
                        best, found = inside, number
            height = best + coast(x, y) * 1.15 if found >= 0 else -1
            is_land = height > 0.16 and 12 < x < WIDTH - 12 and 12 < y < HEIGHT - 12
            regions.append(found if is_land else -1)
    return regions


def parts_of(labels):
    """Lists of the pixels that hang together and have the same label, the sea left out."""
    seen, parts = bytearray(len(labels)), []
    for start, label in enumerate(labels):
        if label < 0 or seen[start]:
            continue
        seen[start], part, place = 1, [start], 0
        while place < len(part):
            here = part[place]
            place += 1
            for other in (here - 1, here + 1, here - WIDTH, here + WIDTH):
                if labels[other] == label and not seen[other]:
                    seen[other] = 1
                    part.append(other)
        parts.append(part)
    return parts


def divide(regions):
    """The area of each pixel, -1 for the sea: seeds as far from one another as possible, then what is nearest."""
    warp, slant = noise(SEED + 1), noise(SEED + 2)
    areas, first = [-1] * len(regions), 0
    for number, (_, names, _) in enumerate(REGIONS.values()):
        pixels = [place for place, region in enumerate(regions) if region == number]
        sample = pixels[::37]
        seeds = [min(sample, key=lambda place: place % WIDTH + place // WIDTH)]
        while len(seeds) < len(names):
            seeds.append(max(sample, key=lambda place: min(distance(place, seed) for seed in seeds)))
        for _ in range(12):
            # Each seed moves to the middle of what is nearest to it.
            nearest = [[] for _ in seeds]
            for place in sample:
                nearest[min(range(len(seeds)), key=lambda seed: distance(place, seeds[seed]))].append(place)
            middles = [(sum(p % WIDTH for p in near) // len(near), sum(p // WIDTH for p in near) // len(near)) for near in nearest]
            seeds = [x + y * WIDTH for x, y in middles]
        points = [(seed % WIDTH, seed // WIDTH) for seed in seeds]
        for place in pixels:
            x, y = place % WIDTH, place // WIDTH
            x, y = x + warp(x, y) * 55, y + slant(x, y) * 55
            areas[place] = first + min(range(len(points)), key=lambda point: (points[point][0] - x) ** 2 + (points[point][1] - y) ** 2)
        first += len(names)
    # An area is its largest part on each island; crumbs belong to what they touch.
    for _ in range(3):
        for part in parts_of(areas):
            if len(part) < 260:
                around = [areas[p + step] for p in part for step in (-1, 1, -WIDTH, WIDTH) if areas[p + step] not in (-1, areas[part[0]])]
                for place in part:
                    if around:
                        areas[place] = max(set(around), key=around.count)
    return areas


def distance(one, other):
    return (one % WIDTH - other % WIDTH) ** 2 + (one // WIDTH - other // WIDTH) ** 2


def links_of(areas):
    """Pairs of areas across water: what joins all islands with as little sailing as possible, and short ways beside it."""
    islands = sorted(parts_of([0 if area >= 0 else -1 for area in areas]), key=len, reverse=True)
    coasts = [[p for p in island if any(areas[p + step] < 0 for step in (-1, 1, -WIDTH, WIDTH))][::5] for island in islands]
    ways = []
    for one in range(len(coasts)):
        for other in range(one):
            best = min(((distance(a, b), a, b) for a in coasts[one] for b in coasts[other]), default=None)
            ways.append((best[0], one, other, areas[best[1]], areas[best[2]]))
    ways.sort()
    joined, links = list(range(len(islands))), set()

    def join(one, other):
        old, new = joined[one], joined[other]
        joined[:] = [new if group == old else group for group in joined]

    # Islands of the same area need no way.
    homes = [{areas[place] for place in island} for island in islands]
    for one in range(len(islands)):
        for other in range(one):
            if homes[one] & homes[other]:
                join(one, other)
    for length, one, other, a, b in ways:
        if joined[one] != joined[other] or (a != b and length < SHORT_WAY**2):
            links.add((min(a, b), max(a, b)))
            join(one, other)
    return sorted(links)


def write_png(path, palette, pixels):
    """A picture of at most 256 colours."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = b"".join(b"\0" + bytes(pixels[y * WIDTH : (y + 1) * WIDTH]) for y in range(HEIGHT))
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 3, 0, 0, 0)
    colours = b"".join(bytes(colour) for colour in palette)
    data = chunk(b"IHDR", header) + chunk(b"PLTE", colours) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + data)


def draw(areas, regions):
    """The drawing: tinted land with hills, dark coasts, dotted borders, ripples around the coasts."""
    hills = noise(SEED + 3)
    palette, known = [], {}

    def ink(colour):
        colour = tuple(max(0, min(255, round(part))) for part in colour)
        if colour not in known:
            known[colour] = len(palette)
            palette.append(colour)
        return known[colour]

    # How far each pixel of the sea is from land, in steps to a side.
    away, front = [0 if area >= 0 else 99 for area in areas], [p for p, area in enumerate(areas) if area >= 0]
    for step in range(1, 26):
        front = [o for p in front for o in (p - 1, p + 1, p - WIDTH, p + WIDTH) if 0 <= o < len(away) and away[o] == 99 and not away.__setitem__(o, step)]
    tints = [tint for tint, _, _ in REGIONS.values()]
    pixels = []
    for place, area in enumerate(areas):
        x, y = place % WIDTH, place // WIDTH
        if area < 0:
            ripple = away[place] in (7, 8, 15, 23)
            pixels.append(ink([part - (14 if ripple else 0) + (8 if away[place] < 7 else 0) for part in SEA]))
            continue
        beside = [areas[place + step] for step in (-1, 1, -WIDTH, WIDTH)]
        if min(beside) < 0:
            pixels.append(ink((66, 54, 44)))
        elif any(other != area for other in beside):
            pixels.append(ink((96, 78, 62)))
        else:
            slope = hills(x, y) - hills(x + 3, y + 3)
            shade = round(max(-2, min(2, slope * 22))) * 7
            pixels.append(ink([part + shade for part in tints[regions[place]]]))
    return palette, pixels


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    regions = region_of_pixels()
    for part in parts_of([0 if region >= 0 else -1 for region in regions]):
        # What is too small to be an island.
        if len(part) < 150:
            for place in part:
                regions[place] = -1
    areas = divide(regions)
    names = [(name, region) for region, (_, all_of, _) in REGIONS.items() for name in all_of]
    colours = [(40 + number * 37 % 200, 30 + number * 83 % 220, 20 + number * 149 % 230) for number in range(len(names))]
    palette, pixels = draw(areas, regions)
    write_png(folder / "drawing.png", palette, pixels)
    write_png(folder / "mask.png", [(20, 40, 80), *colours], [area + 1 for area in areas])
    table = ["colour,name,terrain,region", "#142850,-,,"]
    table += ["#%02x%02x%02x,%s,%s,%s" % (*colour, name, region, region) for colour, (name, region) in zip(colours, names)]
    (folder / "names.csv").write_text("\n".join(table) + "\n", encoding="utf-8")
    links = ["from,to"] + [f"{names[a][0]},{names[b][0]}" for a, b in links_of(areas)]
    (folder / "links.csv").write_text("\n".join(links) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
