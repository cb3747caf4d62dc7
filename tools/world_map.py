#!/usr/bin/env python3
"""Draws the map of the ruleset `conquest`: 42 areas of the world with their borders, islands and links.

    tools/world_map.py          writes maps/conquest/world.map.xml, and the pictures in rulesets/conquest/art that show parts of it
    tools/world_map.py --check  says whether these files are what would be written

The coasts and borders below are drawn by hand, a point every few degrees. Each border between two areas is written down once
and used by both, so that no gap opens between them. From there the script goes on by itself:

1. Coasts are roughened and borders rounded, always in the same way: luck comes from the points themselves.
2. Longitudes and latitudes become places on the sheet. The projection is a cylinder whose sides bend inwards towards the poles;
   Europe, where areas are small, is drawn larger than its size, oceans and the far north smaller.
3. The middle of an area, where its armies stand, is the point that is furthest from any shore or border.
"""

import math
import sys
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "maps" / "conquest" / "world.map.xml"

# Coasts and borders ----------------------------------------------------------------------------------------------------------
#
# Longitude and latitude in degrees, east and north positive; east of the date line longitudes go on beyond 180.
# A name that begins with `~` is a coast and is roughened; the others are borders between two areas.

ARCS = {
    # North America
    "~alaska": """-141,69.6 -146,70.2 -152,70.9 -156.5,71.3 -162,70.2 -166.3,68.4 -163.5,67 -161.8,66.3 -164,66.5 -168,65.6
        -166,64.5 -161,64.6 -160.8,63.8 -164.5,63.1 -166,61.6 -165,60.6 -162,59.8 -161.8,58.7 -158.5,58.6 -157.3,57.6 -160.5,55.9
        -164.8,54.6 -161,55.2 -157,56.6 -154.2,58.3 -153.5,59.4 -151.8,60.8 -150.2,61.1 -151.7,59.3 -148.5,60 -145.5,60.6 -142,60
        -139.5,59.6 -136.8,58.3 -134,56.6 -131.5,55.2 -130.2,55.4""",
    "alaska/northwest": "-141,69.6 -141,65 -140,62.5 -138.5,60.6",
    "alaska/alberta": "-138.5,60.6 -135,59.6 -132.5,57.5 -130.2,55.4",
    "northwest/alberta": "-138.5,60.6 -130,60.2 -120,60 -110,60",
    "northwest/ontario": "-110,60 -102,60.1 -94.7,60",
    "alberta/ontario": "-110,60 -110.3,54 -110,49",
    "alberta/western_us": "-110,49 -116,49 -122.8,49",
    "~northwest": """-141,69.6 -136,69 -133.5,69.6 -128,70.4 -124.5,70 -123,69.4 -117,69 -114,68.2 -109,68 -108,67 -104,68 -98.5,67.8
        -97,68.6 -95,69.5 -94.5,71.8 -91.8,70 -91,69.4 -88,68.7 -86.5,67.5 -85.5,69.4 -82,69.4 -81.5,67.6 -84.5,66.4 -86.6,66.2
        -87.5,64.8 -90,63.9 -93,62.8 -94,61.5 -94.7,60""",
    "~alberta": "-122.8,49 -124.5,49.9 -127.3,51 -128,52.4 -130.2,54.3 -130.2,55.4",
    "~ontario": "-94.7,60 -94.6,58.9 -92.8,57 -90,57.1 -87,56 -85,55.4 -82.3,55.2 -82.2,53 -80.8,52.2 -79.6,51.3",
    "ontario/quebec": "-79.6,51.3 -79.5,48.6 -77.8,46.2 -75,45.1",
    "ontario/eastern_us": "-75,45.1 -76.5,44.2 -79,43.1 -82.5,42 -82.7,44.8 -84.6,46.5 -88,48.1 -92,48.3 -97,49",
    "ontario/western_us": "-97,49 -103,49 -110,49",
    "western_us/eastern_us": "-97,49 -98.5,45 -98,42.5 -102,40.5 -102.3,36.5 -103,32.2 -104,29.7",
    "quebec/eastern_us": "-75,45.1 -71.3,45.2 -69.2,47.3 -67.6,46 -67,44.9",
    "western_us/central_america": "-117.1,32.5 -111,31.4 -107,31.6 -104,29.7",
    "eastern_us/central_america": "-104,29.7 -101,28.5 -97.3,26",
    "~quebec": """-79.6,51.3 -79,52.2 -78.8,54.2 -76.8,56.2 -76.6,57.5 -78.4,58.9 -77.6,60.3 -78,62.3 -74.5,62.3 -71.5,61.3 -69.6,60.9
        -69.6,59 -67.8,58.4 -66,58.9 -64.6,60.3 -62.5,58.2 -61.3,56.6 -59.5,55.2 -57.3,54.2 -55.8,52.4 -58.5,51.3 -60.3,50.2
        -64.5,50.3 -67,49.4 -69.8,47.8 -67.3,48.9 -64.6,49 -65.2,47.8 -64.4,46.4 -61.4,46.2 -61,45.3 -63.6,44.6 -65.8,43.6
        -66.2,44.4 -64.6,45.3 -67,44.9""",
    "~eastern_us": """-67,44.9 -68.5,44.3 -70.5,43.3 -70.7,42 -70,41.8 -71.5,41.4 -73.9,40.7 -74.8,39.2 -75.5,38 -76,36.9 -75.7,35.4
        -77.8,34.1 -79.2,33.2 -81.2,31.8 -81.4,30.3 -80.2,27.2 -80.4,25.3 -81.7,26 -82.7,27.8 -83.7,29.8 -85.5,29.9 -88,30.3
        -89.5,29.3 -91.5,29.4 -94.5,29.5 -96.8,28.2 -97.3,26""",
    "~western_us": """-117.1,32.5 -118.4,33.9 -120.6,34.6 -121.9,36.7 -122.6,38 -123.8,39.5 -124.3,40.6 -124.2,43 -124,46.2
        -124.6,48.3 -122.8,49""",
    "~central_pacific": """-117.1,32.5 -116,30.5 -115,29 -114,27.5 -112.3,26.2 -111.8,24.5 -109.6,23 -110.3,24.5 -111.5,26.6 -112.9,28.4
        -114.7,31.3 -113.1,31.2 -112,29 -110.6,27.6 -109.3,26 -107,24.2 -105.6,22.4 -105.5,20.3 -103.5,18.3 -101,17.3 -97.5,15.9
        -94.5,16.2 -92.2,14.5 -89.5,13.4 -87.6,13 -85.8,11.2 -84.8,9.7 -83.6,8.6 -82,8.2 -80.3,7.3 -80,8.5 -78.5,8.6 -77.8,7.3""",
    "~central_caribbean": """-77.3,8.7 -79.5,9.5 -81.7,9 -83.6,10.8 -83.5,13 -83.3,15 -86,15.8 -88.5,15.8 -88.1,18 -87.5,20 -87,21.5
        -90.3,21.1 -90.7,19.4 -92.5,18.6 -95,18.6 -96.5,19.8 -97.7,22 -97.3,26""",
    # South America
    "central_america/venezuela": "-77.8,7.3 -77.3,8.7",
    "~venezuela_caribbean": """-77.3,8.7 -75.6,10.2 -74.8,11.1 -72.2,12 -71.4,10.9 -70,12 -68.2,10.8 -64.8,10.2 -62.5,10.6 -60.8,9
        -58.6,7.4 -57,6 -54,5.9 -52,4.7 -51.2,4""",
    "~venezuela_pacific": "-77.8,7.3 -77.4,5.5 -77.3,3.8 -78.6,2.3 -79,1.2",
    "venezuela/brazil": "-51.2,4 -54.5,2.3 -59.5,1.5 -60.4,4.6 -63.5,3.8 -66.8,1.2 -69.8,-1",
    "venezuela/peru": "-69.8,-1 -73,-2 -75.6,0 -79,1.2",
    "~peru": """-79,1.2 -80.1,0 -80.8,-2.2 -81.2,-4.8 -79.6,-7.2 -78,-10 -76.3,-13.5 -73.5,-16.2 -70.4,-18.4 -70.2,-20.8""",
    "peru/argentina": "-70.2,-20.8 -68,-22.2 -65,-22.2 -62.5,-22 -58.2,-19.9",
    "peru/brazil": """-58.2,-19.9 -57.8,-17.5 -60.2,-15.4 -60.8,-13.5 -65.2,-11.2 -66.5,-10 -70.5,-10.6 -73.3,-8 -72.8,-5 -70.2,-4
        -69.8,-1""",
    "brazil/argentina": "-58.2,-19.9 -57.8,-22.1 -55.4,-22.6 -54.4,-25 -55,-27 -57.4,-29.8 -55.8,-31.2 -53.4,-33.7",
    "~brazil": """-51.2,4 -50,1.2 -48.5,-0.6 -44.5,-2.5 -40.5,-2.9 -37.3,-4.7 -35.2,-6 -35,-8.8 -37,-11.3 -39,-13.5 -39.2,-17.8
        -40.8,-21.5 -42.2,-22.9 -45,-23.7 -48.3,-25.8 -48.7,-28.4 -50.6,-31 -53.4,-33.7""",
    "~argentina": """-53.4,-33.7 -55,-34.9 -57.8,-34.4 -56.8,-36.4 -57.8,-38.2 -62,-38.9 -62.4,-40.8 -65,-41 -64.3,-42.6 -67.3,-45.6
        -65.8,-47.8 -68.4,-50.2 -68.5,-52.4 -65.3,-54.7 -68.5,-55.4 -72,-53.8 -74.8,-51.5 -75.5,-47.5 -74.2,-44 -73.8,-41 -73.4,-37.2
        -71.6,-33.5 -71.5,-30 -70.5,-25.5 -70.2,-20.8""",
    # Europe
    "~western_europe": """2.6,51.1 1.6,50.5 0.2,49.6 -1.2,49.4 -1.8,49.7 -1.6,48.7 -4.6,48.5 -2.8,47.4 -1.2,46 -1.3,44.2 -1.8,43.4
        -4.5,43.4 -8,43.7 -9.2,42.9 -8.8,41 -9.4,38.8 -8.8,37.1 -7,37.1 -5.7,36.1 -3,36.7 -0.8,37.6 0.1,38.7 -0.2,39.9 2.1,41.3 3.2,42.2
        3,43.2 4.8,43.4 6.5,43.2 7.5,43.8""",
    "western_europe/southern_europe": "7.5,43.8 7,45 6.9,46.2",
    "western_europe/northern_europe": "6.9,46.2 7.5,47.6 7.9,49 6.2,49.6 4.2,50 2.6,51.1",
    "~northern_europe": """2.6,51.1 4.2,52 4.8,53.2 7,53.6 8.6,53.9 8.2,55.5 8.3,57 10.5,57.7 10.3,56.4 9.8,55 11,54.1 13.6,54.5 16.5,54.4
        18.6,54.8 19.8,54.4 21,55.3""",
    "northern_europe/ukraine": "21,55.3 22.8,54.3 23.6,52.4 23.9,50.7 22.6,49.1",
    "northern_europe/southern_europe": "22.6,49.1 19.5,49.4 17.2,48 16.2,46.8 13.6,46.5 10.5,46.8 8.6,46.1 6.9,46.2",
    "~southern_europe": """7.5,43.8 8.9,44.4 10.2,43.8 11.2,42.4 12.8,41.2 14.8,40.4 15.8,39.4 15.8,38 17.1,39.1 16.9,40.4 18.4,39.9
        17.9,40.8 15.9,41.8 14,42.8 12.6,44.2 12.4,45.3 13.7,45.6 13.8,44.9 15.2,44.2 17.2,43 19.3,41.9 19.4,40.4 20.9,38.8 21.3,37.5
        22,36.7 23.1,36.6 23.2,37.6 24,38 22.9,39.4 22.9,40.4 24.2,40.4 26,40.8 26.4,40.2 28.9,41.1 28,42.1 28.5,43.6 29.6,45.2""",
    "southern_europe/ukraine": "29.6,45.2 28,46.6 26.4,48.1 22.6,49.1",
    "scandinavia/ukraine": "30.8,69.8 28.8,68.8 29.8,66.8 30.2,64.6 31.3,62.6 27.9,60.6",
    "~scandinavia": """27.9,60.6 25,60.2 22.8,59.9 21.3,61 21.4,62.9 24.5,64.8 25.2,65.6 22.2,65.8 21.3,64.5 17.8,62.6 17.2,60.8 18.8,60
        17,58.7 16.5,56.8 14.3,55.5 12.9,55.6 12,57.6 10.8,59.2 9.8,59 7.2,58 5.6,58.8 5.1,61 6.5,62.7 10,64 12.5,66 14.6,68 18.5,69.6
        23,70.6 26.5,71 30.8,69.8""",
    "~ukraine_baltic": "27.9,60.6 30,59.9 27,59.4 23.6,59.2 24.4,58.3 24,57.1 21.7,57.5 21,56.5 21,55.3",
    "~ukraine_arctic": """30.8,69.8 33,69.4 36.5,69.1 41,67.7 40.5,66.5 38.5,66.2 33.2,66.5 34.8,64.5 38,64 40.5,64.7 40,65.6 43.8,66.2
        44,67.5 43.4,68.5 46,68.2 46.3,66.9 53.5,68.5 60,68.4 60.8,69.6 64.5,69.3 67.2,68.9""",
    "~ukraine_black_sea": """29.6,45.2 30.8,46.4 33.2,46.1 32.6,45.4 34,44.4 36.3,45.2 35,46.3 38.4,47 37.8,46.3 37.3,45.1 39.5,43.8
        41.5,41.9""",
    "ukraine/middle_east": "41.5,41.9 44,42.6 46.4,41.7 48.6,41.7",
    "~ukraine_caspian": "48.6,41.7 47.5,43 47,44.5 47.6,45.6 49.2,46.3 51,46.9",
    "ukraine/afghanistan": "51,46.9 51.5,49 55.5,50.8",
    "ukraine/ural": "55.5,50.8 58.8,52.5 59.5,56 58.8,59 59.5,62 60.5,65 66,67.6 67.2,68.9",
    # Africa
    "~north_africa": """11.5,33.1 10.3,34 10.8,35.5 11,37 9.6,37.3 6,36.9 2.8,36.8 -1,35.7 -2.9,35.2 -5.4,35.8 -6.8,34.1 -9.2,32.5 -9.7,30.2
        -12.8,28 -14.5,26.1 -16,23.8 -17,21 -16.3,19.2 -16.5,16.1 -17.4,14.7 -16.7,12.5 -14.9,10.8 -13.2,8.9 -11.4,6.8 -9,5 -7.5,4.4
        -4,5.2 -2,4.8 1.2,6 4.4,6.3 6,4.4 8.5,4.6 9.6,3.6""",
    "north_africa/egypt": "11.5,33.1 9.9,30.2 9.5,26.4 12,23.5 15.9,23.3 24,19.6",
    "egypt/east_africa": "24,19.6 25.2,21.9 31.5,22 36.9,22",
    "north_africa/east_africa": "24,19.6 22.6,15.5 22.5,12.5 23.5,9",
    "north_africa/congo": "23.5,9 19,9 15.5,7.8 13.4,5.2 9.6,3.6",
    "~egypt_mediterranean": "11.5,33.1 13.2,32.9 15.3,32.3 15.7,31.4 19,30.3 20.1,31.2 20,32.4 22,32.9 25,31.6 29,30.9 31,31.5 32.4,31.2",
    "egypt/middle_east": "32.4,31.2 32.6,29.9",
    "~egypt_red_sea": "32.6,29.9 33.6,27.9 35.2,24.6 35.6,23.5 36.9,22",
    "~east_africa": """36.9,22 37.3,20.8 38.6,18 40.9,14.8 43.2,12.4 44.5,10.5 51,11.8 50.8,9.4 48,4.5 44,1.2 41.5,-1.8 39.5,-4.6 39.3,-7
        40.5,-10.6""",
    "east_africa/south_africa": "40.5,-10.6 37.5,-11.7 34.8,-11.5 32.9,-9.4",
    "east_africa/congo": "32.9,-9.4 30.8,-8.3 29.4,-5.5 29.3,-2 30.2,1.2 30.8,3.6 27.4,5 23.5,9",
    "congo/south_africa": "12.5,-6.2 16.5,-6 17.5,-8 21.8,-7.4 22,-11 24.3,-11 27.5,-12.2 29.5,-12.3 28.8,-9.5 32.9,-9.4",
    "~congo": "9.6,3.6 9.8,1.2 9.4,-0.8 11.2,-3.8 12.5,-6.2",
    "~south_africa": """40.5,-10.6 40.6,-15 37,-17.8 34.8,-19.8 35.4,-22.5 35.4,-24 32.8,-25.8 32.8,-28 30.8,-31 27.8,-33.2 22.5,-34.1
        20,-34.8 18.3,-33.9 17.8,-31.5 16,-28.2 14.5,-23 13.4,-20.5 11.8,-17.8 13.6,-12.6 13.2,-9 12.5,-6.2""",
    # Asia
    "~middle_east_west": """41.5,41.9 38.3,41 36.3,41.4 33.3,42 30,41.3 29.2,40.8 27.3,40.3 26.2,39.4 27,38.2 27.4,36.9 30.4,36.7 32.6,36
        34.8,36.7 36,36.2 35.8,34.8 34.9,32.8 34.2,31.3 32.4,31.2""",
    "~middle_east_south": """32.6,29.9 33.4,28.8 34.3,27.8 34.9,29.5 35.5,28 37.2,25.2 39,22 39.2,21 41,18.5 42.7,16.5 43.3,12.8 45,12.9 49,14.2
        52.2,15.8 55.2,17.4 57.8,19.2 59.8,22.5 58.6,23.7 56.4,24.8 56.2,26.1 54,24.1 51.6,24.2 51.5,25.9 50.7,25.4 50.1,26.7 48.4,28.6
        48.2,30 50,30 51.4,27.9 54,26.7 56.8,27.1 57.5,25.7 61.6,25.2""",
    "middle_east/india": "61.6,25.2 63,27.2 61,29.8",
    "middle_east/afghanistan": "61,29.8 60.8,33.5 61.1,35.3 59,37.3 55.5,37.9 53.9,37.2",
    "~middle_east_caspian": "53.9,37.2 52,36.6 49.5,37.4 48.9,38.5 49.6,40.2 48.6,41.7",
    "~afghanistan": "51,46.9 53,46.8 53,45.3 51.3,45.1 50.4,44.4 51.3,43.2 52.7,42.7 52.8,41.3 53.8,39 53.9,37.2",
    "afghanistan/ural": "55.5,50.8 61,50.9 62,53.6 68,54.6 73.5,53.4 77.5,49",
    "afghanistan/china": "77.5,49 80.5,45.5 80,42.3 74,39.8 74.6,37.2",
    "afghanistan/india": "74.6,37.2 71.2,35.8 69.5,33.8 66.5,31.2 64,29.5 61,29.8",
    "~india": """61.6,25.2 64.5,25.3 66.7,25 67.5,23.9 69,22.2 70.3,20.8 72.6,21.2 72.8,19 73.6,15.8 74.8,12.8 76.4,9.5 77.6,8.1 79,9.3
        79.9,10.4 80.2,13.4 80.2,15.7 82.3,16.7 85.2,19.6 87,21.4 89.5,21.8 91.3,22.6 92.2,20.8""",
    "india/siam": "92.2,20.8 92.9,22.4 94.5,25 96.3,26.9 97.4,28.2",
    "india/china": "74.6,37.2 78,35.5 78.8,32.5 81.5,30.3 86,28 89,27.6 92,27.7 95,29.2 97.4,28.2",
    "siam/china": "97.4,28.2 98.8,25.8 98.8,24 101.2,21.5 104,22.6 106.6,22.6 108,21.5",
    "~siam": """92.2,20.8 94.3,18.6 94.4,16 97,16.8 97.8,14.5 98.6,11.5 98.3,8.2 100.3,5.8 101.3,2.9 103.6,1.4 103.4,4.2 101.6,6.8 100,8.6
        99.3,10.8 100,13.3 101,12.7 102.5,12 104.8,10.4 105,8.7 106.8,10.4 109.2,11.8 109,14.5 107,16.8 105.7,18.8 106.5,20.2
        108,21.5""",
    "~china": """108,21.5 110,21.3 113.5,22.2 116.5,23 119.3,25.6 121.7,28.5 121.9,30.9 120.8,33 119.3,35 122.4,37.2 119,37.4 118,39.1""",
    "~mongolia": "118,39.1 121,40.8 121.4,39 124.3,40 125,38 126.5,37 126.3,34.6 129.2,35.2 129.5,37 127.6,39.7 129.8,41.5 131,42.7",
    "china/mongolia": "118,39.1 116.5,42 111.5,43.5 105,41.7 99.5,42.6 95.5,44.3 90.8,46.8 91,50.4",
    "china/ural": "77.5,49 80.5,49.4 83.5,50.8",
    "china/siberia": "83.5,50.8 87.3,49.6 91,50.4",
    "siberia/mongolia": "91,50.4 94.5,50.2 98.5,52",
    "irkutsk/mongolia": "98.5,52 102.3,50.6 107,49.8 113,49.6 116.7,49.9 120,50.5",
    "kamchatka/mongolia": "120,50.5 122,53.2 126,51.5 127.6,49.8 131,47.8 134.3,48.2 133,45.2 131,44.8 131,42.7",
    "~ural": """67.2,68.9 68.5,68.5 66.8,69.6 68.5,71.5 69.5,73 72.5,72.8 72,71 72.8,69 71.5,66.4 74,68 74,70.8 74.5,72.8 80.5,72.2
        80.6,73.6""",
    "ural/siberia": "80.6,73.6 83,69 85,65 84.5,61 80,59 77,57 80.5,54.5 83.5,50.8",
    "~siberia": "80.6,73.6 87,75 98,76.2 104.2,77.7 113,75.6 106.5,73.2 113.5,73.5",
    "siberia/yakutsk": "113.5,73.5 112,70 107.5,66 109,62.5 108.5,60",
    "siberia/irkutsk": "108.5,60 104.5,60.5 101,58 98.5,55 98.5,52",
    "~yakutsk": "113.5,73.5 119,73 123.5,73.2 127,72 129.5,71 133,71.6 139.8,71.7 140,72.6 148,72.2 152,71 160,69.8",
    "yakutsk/kamchatka": "160,69.8 157,66.5 150,64 143,62.5 137,60.2 132,58 127.5,57",
    "yakutsk/irkutsk": "127.5,57 122,58.8 116,60 108.5,60",
    "irkutsk/kamchatka": "127.5,57 122.5,55.2 120,50.5",
    "~kamchatka": """160,69.8 170,69.9 178,69.4 182,68.6 187,66.6 190,66.1 187.5,64.8 182,65.4 180.5,64.9 179.3,62.6 174,61.7 170.3,60 166,60
        162.2,57.8 162.8,56.2 161.8,54.9 160,53 156.7,51 155.7,54 155.7,56.8 158.5,58.8 162.5,61 164,62.6 160,60.8 156.5,61.4
        154.5,59.6 150,59.6 142.5,59.3 138,56.5 135.3,54.7 139,54 141.3,52.8 140.5,49.5 138,46.5 135,43.5 132.3,43.2 131,42.7""",
    # Australia
    "western_australia/eastern_australia": "138,-16.7 138,-22 138,-26 133.5,-26.2 132.5,-29 131.2,-31.5",
    "~western_australia": """138,-16.7 135.5,-15 136.8,-12.2 135.2,-12.2 132.5,-11.3 130.6,-12.6 129.6,-14.9 128.2,-14.7 126,-14 124.2,-16.2
        122.2,-18.1 119,-20 116.7,-20.7 114.1,-21.9 113.6,-24.5 114.2,-27.5 115.7,-31.8 115.1,-34.2 118,-35 120,-33.9 123.6,-33.9
        126,-32.3 131.2,-31.5""",
    "~eastern_australia": """131.2,-31.5 134.2,-32.7 135.7,-34.9 137.7,-33 137,-35.2 138.4,-34.8 138.4,-35.7 139.8,-37 141.6,-38.4 144.6,-38.2
        146.4,-39 149.9,-37.5 150.9,-34.6 152.6,-32 153.6,-28.4 153,-25.3 150.8,-23.3 148.8,-20.4 146.3,-18.9 145.4,-15.3 143.6,-14.2
        142.5,-10.8 141.7,-13 141.3,-16.6 139.8,-17.6 138,-16.7""",
}

# Islands, by area. Each closes by itself.
ISLANDS = {
    "Alaska": [
        "-154.6,57.3 -152.4,58.3 -152.2,57.4 -153.8,56.7",
        "-169,52.8 -166.4,53.9 -164.9,54.2 -166.6,53.2",
    ],
    "Northwest Territory": [
        "-89,71 -89.5,73.3 -85,73.8 -80.5,73.7 -76,72.7 -71,71 -68,69.8 -67,68.5 -62,66.8 -64,65 -68,66 -65.5,63 -66.5,62.2 -72,64.3 "
        "-77.5,64.4 -74,65.5 -73,67.5 -78,69.8 -84,70",
        "-117,70 -118.8,71.6 -114,73 -108,73.2 -104.5,71.2 -101.5,69.6 -105.5,69 -113,68.6",
        "-125.5,72 -123.8,74.3 -118,74.2 -116.5,73.2 -119.5,71.6",
        "-89.5,76.4 -88,78 -91,80 -87,81.8 -76,83 -64,82.8 -68,80.8 -75.5,78.9 -77.5,77.2 -80.5,76.2",
        "-116,75 -113,76.5 -106,76.2 -106,75",
        "-87,63.6 -85.5,65.8 -81,64.2 -83,63",
    ],
    "Greenland": [
        "-73,78.2 -66,76.2 -60,76 -56,73.5 -54.5,71 -51,69.7 -53.5,67.5 -52,65 -50,62.5 -45,60 -43,60.2 -41,63 -39.5,65.4 -33,67.7 "
        "-27,68.7 -22.5,70.3 -22,72.3 -19.5,74.5 -18.5,77 -17,79.8 -14,81.3 -24,82.2 -34,83.4 -46,82.5 -58,82 -63,81 -67,80 -66,79.2",
    ],
    "Alberta": ["-123.5,48.4 -125.4,48.9 -128,50.6 -126.3,50.5 -124.2,49.4", "-132,53.2 -133,54.1 -131.7,54 -131.2,52.3"],
    "Quebec": ["-59.3,47.7 -57.5,50.8 -55.6,51.5 -56.2,50 -53.6,49.4 -52.8,47.4 -55.6,46.9"],
    "Central America": [
        "-84.8,21.9 -82.5,23 -80,22.9 -77,21.5 -74.3,20.2 -77.5,19.9 -77.6,20.8 -81.5,22.2",
        "-74.3,18.5 -72.8,19.9 -69.9,19.7 -68.5,18.5 -71.2,17.9",
    ],
    "Argentina": ["-61,-51.8 -59.5,-51.3 -57.9,-51.7 -59.5,-52.4"],
    "Iceland": ["-24,65.6 -22,66.4 -20.3,65.8 -16.2,66.5 -14.6,65.2 -17,63.8 -19.5,63.4 -22.6,63.9 -22,64.6"],
    "Great Britain": [
        "-5.5,50.1 -3.6,50.3 -1.5,50.7 1.3,51.2 1.7,52.7 0.2,53.2 -0.3,54.2 -1.7,55.6 -3.2,56 -2,57.5 -4,57.7 -3.1,58.6 -5,58.6 -5.8,57.4 "
        "-5.5,56.2 -4.8,54.9 -3.2,54.8 -3,53.6 -4.5,53.3 -4.3,52.4 -5.1,51.8 -3.2,51.4 -4.4,51",
        "-10,52 -9.8,53.5 -10,54.2 -8,55.2 -6,55 -5.6,54.4 -6.2,53.2 -6.4,52.2 -8.5,51.6",
    ],
    "Scandinavia": ["11,79.2 14,80 20,80.3 26,79.8 20,78.3 17,76.7 14,77.6", "18.1,57.1 18.6,57.9 19.3,57.9 18.7,57.2"],
    "Northern Europe": ["11.1,55.6 12.4,56.1 12.6,55.3 11.8,54.8"],
    "Western Europe": ["8.6,42.5 9.4,43 9.5,42 9.1,41.4", "2.4,39.6 3.1,40 3.4,39.6 2.9,39.3"],
    "Southern Europe": [
        "12.4,37.9 13.6,38.2 15.4,38.2 15.1,36.8 14,37.1",
        "8.3,40.9 9.5,41.2 9.7,40.2 9.5,39.2 8.5,38.9",
        "23.6,35.5 24.6,35.4 26.3,35.2 24.6,34.9",
    ],
    "Ukraine": ["51.6,71.3 55,73.2 60,75.5 68,76.8 66,75.8 58.5,73.3 55.6,71.2 53,70.7", "45,80.3 52,80.8 60,80.9 57,80.2 50,79.9"],
    "Madagascar": ["44,-25 43.4,-22 44.4,-19.8 44.3,-16.5 46.5,-15.8 49.3,-12.1 50.4,-15.6 49.3,-18 47.5,-24.5 46.5,-25.4"],
    "Middle East": ["32.4,34.9 33,35.3 34.4,35.6 33.6,34.8"],
    "Siberia": ["95,79 98,80.9 105,79.3 100,78.1"],
    "Yakutsk": ["137.5,75.5 143,76 150.5,75.2 144,74.7"],
    "Kamchatka": [
        "142,46 142,49 142.3,53.4 143.2,52 143.3,49.3 144.6,48.9 142.9,47.2 143.5,46.2",
        "178.5,71 180.5,71.5 182,71.2 180,70.8",
    ],
    "India": ["79.8,8.2 80.3,9.7 81.8,7.5 80.6,5.9"],
    "China": ["120.2,23 121.5,25.2 121.9,24.8 120.8,22", "108.7,19.3 110.4,20.1 110.8,19.2 109.4,18.2"],
    "Japan": [
        "140.1,42 140.3,43.3 141.7,45.4 145.3,43.7 143.2,42.1 141.2,42.5",
        "130.9,34 132.6,35.5 136,36 136.9,37.4 139,38.2 140,40.6 141.3,41.4 142,39.6 140.9,37.5 140.6,35.7 138.8,34.7 137,34.6 135.8,33.5 "
        "135,34.7 132.2,34",
        "129.8,33.2 131,33.8 132,32.8 131.2,31.3 130.2,31.3",
        "132.2,33.4 134.3,34.2 134.6,33.6 133,32.8",
    ],
    "Indonesia": [
        "95.4,5.5 97.5,5.2 100.4,2.3 103.4,0 106,-3 105.8,-5.8 104.2,-5.6 101.5,-2.9 98.8,1.6",
        "105.3,-6.7 106.8,-6 110.8,-6.5 114.4,-7.7 114.4,-8.6 109,-7.7",
        "109.2,1.6 111.2,2.5 113.8,4.4 116.8,6.9 119.1,5.2 117.8,3.4 118.8,1 117.4,-0.8 116.3,-3.8 114.2,-3.4 111.6,-3 110,-1.3",
        "119.6,-5.5 119,-3.3 119.8,0.3 121,1.3 125,1.5 123.5,0.4 120.4,0.3 120.4,-0.9 123.3,-0.9 121.7,-2 122.5,-4.6 121.4,-4.4 120.4,-2.8 "
        "120.4,-5.6",
        "120.3,16 120.8,18.5 122.2,18.4 121.6,15.8 123.8,13.2 123.9,12.7 121,13.8",
        "122,7 123.5,8.6 125.4,9.7 126.4,7.3 125.4,5.7 124,7.3",
        "117,-8.9 119.5,-8.4 123.8,-8.4 120,-9.2",
    ],
    "New Guinea": [
        "131,-0.9 134,-0.8 135,-3.3 137.8,-1.6 141,-2.6 144.6,-3.9 147.3,-6.2 146.9,-7 150.8,-10.3 147.3,-9.6 144.5,-7.7 141.3,-9.1 "
        "138.2,-8.3 138.7,-7 135.2,-4.4 132.8,-4 134,-2.6 132,-2.6",
        "148.4,-5.7 150,-5.4 151.7,-4.2 152.3,-4.4 151.6,-5.4 149.8,-6.3",
    ],
    "Eastern Australia": [
        "144.8,-40.8 148.2,-40.9 147.9,-43 146.2,-43.5",
        "172.8,-34.5 174.8,-36.6 178.3,-37.7 177,-39.6 175.2,-41.5 174,-39.5 174.7,-38 173.3,-35.5",
        "172.7,-40.6 174.2,-41.7 171.2,-44.2 170.3,-46 168.3,-46.5 166.6,-45.8 170.2,-43",
    ],
}

# Areas -----------------------------------------------------------------------------------------------------------------------
#
# In the order of their numbers. The main land of each is its arcs one after the other, `-` in front of one that is walked backwards.

AREAS = {
    "Alaska": "~alaska -alaska/alberta -alaska/northwest",
    "Northwest Territory": "~northwest -northwest/ontario -northwest/alberta -alaska/northwest",
    "Greenland": "",
    "Alberta": "alaska/alberta -~alberta -alberta/western_us -alberta/ontario -northwest/alberta",
    "Ontario": "~ontario ontario/quebec ontario/eastern_us ontario/western_us -alberta/ontario northwest/ontario",
    "Quebec": "~quebec -quebec/eastern_us -ontario/quebec",
    "Western United States": "~western_us -alberta/western_us -ontario/western_us western_us/eastern_us -western_us/central_america",
    "Eastern United States": "~eastern_us -eastern_us/central_america -western_us/eastern_us -ontario/eastern_us quebec/eastern_us",
    "Central America": "~central_pacific central_america/venezuela ~central_caribbean -eastern_us/central_america -western_us/central_america",
    "Venezuela": "~venezuela_caribbean venezuela/brazil venezuela/peru -~venezuela_pacific central_america/venezuela",
    "Peru": "~peru peru/argentina peru/brazil venezuela/peru",
    "Brazil": "~brazil -brazil/argentina peru/brazil -venezuela/brazil",
    "Argentina": "~argentina peru/argentina brazil/argentina",
    "Iceland": "",
    "Scandinavia": "~scandinavia scandinavia/ukraine",
    "Great Britain": "",
    "Western Europe": "~western_europe western_europe/southern_europe western_europe/northern_europe",
    "Northern Europe": "~northern_europe northern_europe/ukraine northern_europe/southern_europe western_europe/northern_europe",
    "Southern Europe": "~southern_europe southern_europe/ukraine northern_europe/southern_europe -western_europe/southern_europe",
    "Ukraine": "~ukraine_baltic northern_europe/ukraine -southern_europe/ukraine ~ukraine_black_sea ukraine/middle_east ~ukraine_caspian "
    "ukraine/afghanistan ukraine/ural -~ukraine_arctic scandinavia/ukraine",
    "North Africa": "~north_africa -north_africa/congo -north_africa/east_africa -north_africa/egypt",
    "Egypt": "~egypt_mediterranean egypt/middle_east ~egypt_red_sea -egypt/east_africa -north_africa/egypt",
    "Congo": "~congo congo/south_africa east_africa/congo north_africa/congo",
    "East Africa": "~east_africa east_africa/south_africa east_africa/congo -north_africa/east_africa egypt/east_africa",
    "South Africa": "~south_africa congo/south_africa -east_africa/south_africa",
    "Madagascar": "",
    "Ural": "~ural ural/siberia -china/ural -afghanistan/ural ukraine/ural",
    "Siberia": "~siberia siberia/yakutsk siberia/irkutsk -siberia/mongolia -china/siberia -ural/siberia",
    "Yakutsk": "~yakutsk yakutsk/kamchatka yakutsk/irkutsk -siberia/yakutsk",
    "Kamchatka": "~kamchatka -kamchatka/mongolia -irkutsk/kamchatka -yakutsk/kamchatka",
    "Irkutsk": "yakutsk/irkutsk siberia/irkutsk irkutsk/mongolia -irkutsk/kamchatka",
    "Afghanistan": "~afghanistan -middle_east/afghanistan -afghanistan/india -afghanistan/china -afghanistan/ural -ukraine/afghanistan",
    "China": "~china china/mongolia -china/siberia -china/ural afghanistan/china india/china siam/china",
    "Mongolia": "~mongolia -kamchatka/mongolia -irkutsk/mongolia -siberia/mongolia -china/mongolia",
    "Japan": "",
    "Middle East": "~middle_east_west egypt/middle_east ~middle_east_south middle_east/india middle_east/afghanistan "
    "~middle_east_caspian -ukraine/middle_east",
    "India": "~india india/siam -india/china -afghanistan/india -middle_east/india",
    "Siam": "~siam -siam/china -india/siam",
    "Indonesia": "",
    "New Guinea": "",
    "Western Australia": "~western_australia -western_australia/eastern_australia",
    "Eastern Australia": "~eastern_australia western_australia/eastern_australia",
}

# Ways across the sea. Those over land follow from the borders.
SEA_LINKS = [
    ("Alaska", "Kamchatka"),
    ("Northwest Territory", "Greenland"),
    ("Greenland", "Ontario"),
    ("Greenland", "Quebec"),
    ("Greenland", "Iceland"),
    ("Brazil", "North Africa"),
    ("Iceland", "Scandinavia"),
    ("Iceland", "Great Britain"),
    ("Scandinavia", "Great Britain"),
    ("Scandinavia", "Northern Europe"),
    ("Great Britain", "Western Europe"),
    ("Great Britain", "Northern Europe"),
    ("Western Europe", "North Africa"),
    ("Southern Europe", "North Africa"),
    ("Southern Europe", "Egypt"),
    ("Southern Europe", "Middle East"),
    ("East Africa", "Middle East"),
    ("East Africa", "Madagascar"),
    ("South Africa", "Madagascar"),
    ("Kamchatka", "Japan"),
    ("Mongolia", "Japan"),
    ("Siam", "Indonesia"),
    ("Indonesia", "New Guinea"),
    ("Indonesia", "Western Australia"),
    ("New Guinea", "Western Australia"),
    ("New Guinea", "Eastern Australia"),
]
LINKS = 83

# The six regions, with the numbers of their first and last area.
REGIONS = {
    "north_america": (0, 8),
    "south_america": (9, 12),
    "europe": (13, 19),
    "africa": (20, 25),
    "asia": (26, 37),
    "australia": (38, 41),
}

# Islands that would be too small to stand on are drawn larger: how many times, and how far they are pushed aside, in units.
LARGER = {
    "Iceland": (1.75, 0.0, 0.1),
    "Great Britain": (1.22, -0.22, 0.0),
    "Japan": (1.6, 0.45, 0.1),
    "Madagascar": (1.25, 0.15, 0.1),
    "Indonesia": (1.2, 0.05, 0.0),
    "New Guinea": (1.3, 0.25, 0.0),
}

# Projection ------------------------------------------------------------------------------------------------------------------
#
# Places on the sheet in units at certain longitudes and latitudes; between them a smooth curve.

ACROSS = [(-175, 0.0), (-130, 3.3), (-95, 6.5), (-62, 9.6), (-35, 11.5), (-12, 12.9), (20, 16.9), (48, 20.1), (75, 22.7), (105, 25.5), (140, 28.4), (192, 31.6)]
DOWN = [(85, 0.0), (72, 1.15), (62, 2.75), (50, 4.85), (36, 7.25), (20, 9.3), (0, 11.7), (-20, 13.95), (-36, 15.7), (-58, 17.6)]
# How far the sides bend inwards at the top and at the bottom, as a part of the distance from the middle meridian.
BEND_NORTH, BEND_SOUTH = 0.14, 0.05
MIDDLE_MERIDIAN = 15
# Thousandths of a unit.
UNIT = 1000


def smooth(knots, at):
    """A monotone cubic through the knots (Fritsch and Carlson), in the order in which they stand."""
    knots = sorted(knots)
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in zip(knots, knots[1:])]
    tangents = [slopes[0], *((a + b) / 2 for a, b in zip(slopes, slopes[1:])), slopes[-1]]
    for index, slope in enumerate(slopes):
        a, b = tangents[index] / slope, tangents[index + 1] / slope
        if a * a + b * b > 9:
            scale = 3 / math.sqrt(a * a + b * b)
            tangents[index], tangents[index + 1] = scale * a * slope, scale * b * slope
    index = max(0, min(len(slopes) - 1, sum(1 for knot in knots if knot[0] <= at) - 1))
    (x0, y0), (x1, y1) = knots[index], knots[index + 1]
    width = x1 - x0
    t = (at - x0) / width
    return (
        y0 * (2 * t**3 - 3 * t**2 + 1)
        + tangents[index] * width * (t**3 - 2 * t**2 + t)
        + y1 * (3 * t**2 - 2 * t**3)
        + tangents[index + 1] * width * (t**3 - t**2)
    )


def place(point):
    """Longitude and latitude as a place on the sheet."""
    longitude, latitude = point
    middle = smooth(ACROSS, MIDDLE_MERIDIAN)
    bend = BEND_NORTH * (max(latitude, 0) / 85) ** 2 + BEND_SOUTH * (max(-latitude, 0) / 58) ** 2
    return middle + (smooth(ACROSS, longitude) - middle) * (1 - bend), smooth(DOWN, latitude)


# Drawing ---------------------------------------------------------------------------------------------------------------------


def read(text):
    return [tuple(float(number) for number in word.split(",")) for word in text.split()]


def wobble(a, b, salt):
    """A number from -1 to 1 that depends on two places, whichever comes first."""
    (ax, ay), (bx, by) = sorted((a, b))
    seed = math.sin(ax * 12.9898 + ay * 78.233 + bx * 37.719 + by * 4.581 + salt) * 43758.5453
    return 2 * (seed - math.floor(seed)) - 1


def roughen(points, times, share=0.13):
    """Puts a point between each two, a little to the side."""
    for round_ in range(times):
        finer = []
        for a, b in zip(points, points[1:]):
            aside = wobble(a, b, round_) * share
            dx, dy = b[0] - a[0], b[1] - a[1]
            # The side is the same in whichever direction the line is walked.
            sign = 1 if a < b else -1
            finer += [a, ((a[0] + b[0]) / 2 - sign * dy * aside, (a[1] + b[1]) / 2 + sign * dx * aside)]
        points = [*finer, points[-1]]
    return points


def cut_corners(points):
    """Chaikin's rounding of an open line: its ends stay."""
    rounded = [points[0]]
    for a, b in zip(points, points[1:]):
        rounded += [(a[0] * 0.75 + b[0] * 0.25, a[1] * 0.75 + b[1] * 0.25), (a[0] * 0.25 + b[0] * 0.75, a[1] * 0.25 + b[1] * 0.75)]
    return [*rounded, points[-1]]


def thin(points, least=0.055):
    """Leaves out points that are nearer to the one before than can be seen. The ends stay."""
    kept = [points[0]]
    for point in points[1:-1]:
        if math.dist(kept[-1], point) >= least:
            kept.append(point)
    return [*kept, points[-1]]


def draw_arc(name):
    points = [place(point) for point in read(ARCS[name])]
    if name.startswith("~"):
        points = roughen(points, 1)
    return thin(cut_corners(cut_corners(points) if not name.startswith("~") else points))


def draw_island(text):
    points = [place(point) for point in read(text)]
    closed = roughen([*points, points[0]], 1, share=0.1)
    # Round the seam as well: begin in the middle of a side.
    half = len(closed) // 2
    turned = closed[half:-1] + closed[: half + 1]
    middle = ((turned[0][0] + turned[1][0]) / 2, (turned[0][1] + turned[1][1]) / 2)
    return thin(cut_corners([middle, *turned[1:], middle]))[:-1]


def draw_area(name, arcs):
    """The parts of an area: its main land first, then its islands."""
    parts = []
    if AREAS[name]:
        outline = []
        for word in AREAS[name].split():
            line = arcs[word.removeprefix("-")]
            line = line[::-1] if word.startswith("-") else line
            # Arcs may be written down in either direction; they have to meet end to end.
            if outline and math.dist(outline[-1], line[0]) > 1e-9:
                line = line[::-1]
            if outline and math.dist(outline[-1], line[0]) > 1e-9:
                sys.exit(f"{name}: {word} does not begin where the arc before it ends")
            outline += line if not outline else line[1:]
        if math.dist(outline[0], outline[-1]) > 1e-9:
            sys.exit(f"{name}: the outline does not close")
        parts.append(outline[:-1])
    parts += [draw_island(text) for text in ISLANDS.get(name, [])]
    return parts


def enlarged(name, parts):
    """The islands of an area at the size at which they are drawn. Those that belong to a main land stay as they are."""
    factor, right, down = LARGER.get(name, (1, 0, 0))
    xs, ys = ([point[axis] for part in parts for point in part] for axis in (0, 1))
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return [[(x + (px - x) * factor + right, y + (py - y) * factor + down) for px, py in part] for part in parts]


def is_inside(part, point):
    x, y = point
    inside = False
    for (ax, ay), (bx, by) in zip(part, part[1:] + part[:1]):
        if (ay <= y) != (by <= y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def to_side(part, point):
    """How far a point is from the sides of a part."""
    x, y = point
    least = math.inf
    for (ax, ay), (bx, by) in zip(part, part[1:] + part[:1]):
        dx, dy = bx - ax, by - ay
        length = dx * dx + dy * dy
        t = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / length)) if length else 0.0
        least = min(least, math.hypot(ax + t * dx - x, ay + t * dy - y))
    return least


def middle_of(parts):
    """The point that is furthest from the sides of the largest part."""
    part = max(parts, key=lambda part: abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(part, part[1:] + part[:1]))))
    xs, ys = [x for x, _ in part], [y for _, y in part]
    best, room = None, -1.0
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    for _ in range(4):
        steps = 24
        for column in range(steps + 1):
            for row in range(steps + 1):
                point = (left + (right - left) * column / steps, top + (bottom - top) * row / steps)
                if is_inside(part, point):
                    distance = to_side(part, point)
                    if distance > room:
                        best, room = point, distance
        # Look more closely around the best one.
        width, height = (right - left) / 6, (bottom - top) / 6
        left, right, top, bottom = best[0] - width, best[0] + width, best[1] - height, best[1] + height
    return best


def owners_of_arcs():
    """The areas on both sides of each border."""
    owners = {name: [] for name in ARCS}
    for area, words in AREAS.items():
        for word in words.split():
            owners[word.removeprefix("-")].append(area)
    for name, areas in owners.items():
        wanted = 1 if name.startswith("~") else 2
        if len(areas) != wanted:
            sys.exit(f"{name} is used by {areas}, {wanted} expected")
    return owners


def links():
    """Every two areas that are joined, in the order of the areas."""
    numbers = {name: number for number, name in enumerate(AREAS)}
    pairs = {tuple(sorted(pair, key=numbers.get)) for pair in SEA_LINKS}
    for name, areas in owners_of_arcs().items():
        if not name.startswith("~"):
            pairs.add(tuple(sorted(areas, key=numbers.get)))
    pairs = sorted(pairs, key=lambda pair: (numbers[pair[0]], numbers[pair[1]]))
    if len(pairs) != LINKS:
        sys.exit(f"{len(pairs)} links, {LINKS} expected")
    return pairs


def world():
    """Every area with its middle and its parts."""
    arcs = {name: draw_arc(name) for name in ARCS}
    drawn = {}
    for name in AREAS:
        parts = enlarged(name, draw_area(name, arcs))
        drawn[name] = (middle_of(parts), parts)
    return drawn


# Files -----------------------------------------------------------------------------------------------------------------------


def point_text(point):
    return f"{round(point[0] * UNIT)},{round(point[1] * UNIT)}"


def side(a, b, c):
    """On which side of the line from a to b the point c lies: 1, 0 or -1."""
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (turn > 0) - (turn < 0)


def crossing(points):
    """The positions of two sides of an outline that cross within both, or nothing."""
    sides = list(zip(points, points[1:] + points[:1]))
    order = sorted(range(len(sides)), key=lambda index: min(sides[index][0][0], sides[index][1][0]))
    for place, first in enumerate(order):
        a, b = sides[first]
        for second in order[place + 1 :]:
            c, d = sides[second]
            if min(c[0], d[0]) > max(a[0], b[0]):
                break
            if side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0:
                return first, second
    return None


def uncrossed(points):
    """An outline in whole units without the few points, where it is very thin, that make its sides cross."""
    while found := crossing(points):
        ends = sorted({(index + step) % len(points) for index in found for step in (0, 1)})
        for count in (1, 2):
            choices = [set(gone) for gone in combinations(ends, count)]
            without = [[point for index, point in enumerate(points) if index not in gone] for gone in choices]
            better = next((rest for rest in without if not crossing(rest)), None)
            if better:
                break
        points = better or without[0]
    return points


def wrapped(points, width=150):
    lines, line = [], ""
    whole = [(round(x * UNIT), round(y * UNIT)) for x, y in points]
    for word in (f"{x},{y}" for x, y in uncrossed(whole)):
        if line and len(line) + len(word) + 1 > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n             ".join([*lines, line])


def map_text():
    out = ['<?xml version="1.0" encoding="UTF-8"?>', "<!-- Drawn by tools/world_map.py. -->", '<map format="1" id="world" title="The world">', "  <graph/>"]
    names = list(AREAS)
    for number, (name, (middle, parts)) in enumerate(world().items()):
        x, y = point_text(middle).split(",")
        out.append(f'  <cell name="{name}" x="{x}" y="{y}" terrain="{region_of(number)}">')
        out += [f"    <outline>{wrapped(part)}</outline>" for part in parts]
        out.append("  </cell>")
    out += [f'  <line cells="{a}, {b}"/>' for a, b in links()]
    for region, (first, last) in REGIONS.items():
        out.append(f'  <region name="{region}" cells="{", ".join(names[first : last + 1])}"/>')
    return "\n".join([*out, "</map>"]) + "\n"


COLOURS = {
    "north_america": "#dcc48c",
    "south_america": "#d4a98c",
    "europe": "#a9b9d2",
    "africa": "#cdb08a",
    "asia": "#b3c7a0",
    "australia": "#c3adcb",
}
TINTS = ["#e2a296", "#9db8da", "#a9c99b", "#ead393", "#c6a9d4", "#98cbc9"]
SEATS = ["#b8402f", "#2f5f9e", "#4a7d3a", "#c79a1e", "#7a4a92", "#2b8585"]


class Picture:
    """A part of the world as SVG: left, top, width and height in units, and how many pixels a unit has."""

    def __init__(self, part, scale):
        self.left, self.top, self.width, self.height = part
        self.scale = scale
        width, height = self.width * scale, self.height * scale
        self.lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}">']
        self.lines.append(f'  <rect width="{width:.0f}" height="{height:.0f}" fill="#cfdfe8"/>')

    def at(self, point):
        return f"{(point[0] - self.left) * self.scale:.1f},{(point[1] - self.top) * self.scale:.1f}"

    def links(self, drawn, colour="#8fa6b4"):
        """The ways across the sea, broken where they would run over the whole sheet."""
        in_sight = [(a, b) for a, b in SEA_LINKS if self.is_in_sight(drawn[a][0]) or self.is_in_sight(drawn[b][0])]
        for a, b in in_sight:
            (ax, ay), (bx, by) = drawn[a][0], drawn[b][0]
            ways = [((ax, ay), (bx, by))]
            if abs(ax - bx) > 15:
                ways = [((ax, ay), (ax - 2.2, ay)), ((bx, by), (bx + 1.6, by))] if ax < bx else []
            for start, end in ways:
                self.lines.append(
                    f'  <path d="M{self.at(start)} L{self.at(end)}" stroke="{colour}" stroke-width="{0.07 * self.scale:.1f}" '
                    f'stroke-dasharray="{0.2 * self.scale:.1f} {0.16 * self.scale:.1f}" fill="none"/>'
                )

    def is_in_sight(self, point):
        x, y = point
        return self.left - 0.2 <= x <= self.left + self.width + 0.2 and self.top - 0.2 <= y <= self.top + self.height + 0.2

    def area(self, parts, fill):
        parts = [part for part in parts if any(map(self.is_in_sight, part))]
        if not parts:
            return
        path = " ".join("M" + " L".join(map(self.at, part)) + "Z" for part in parts)
        self.lines.append(f'  <path d="{path}" fill="{fill}" stroke="#4a4030" stroke-width="{0.03 * self.scale:.2f}" stroke-linejoin="round"/>')

    def disc(self, point, colour, size=0.36):
        if not self.is_in_sight(point):
            return
        x, y = self.at(point).split(",")
        radius = size * self.scale
        self.lines.append(f'  <circle cx="{x}" cy="{y}" r="{radius:.1f}" fill="{colour}" stroke="#2a2018" stroke-width="{radius * 0.12:.1f}"/>')
        self.lines.append(f'  <circle cx="{x}" cy="{y}" r="{radius * 0.72:.1f}" fill="none" stroke="#ffffff" stroke-opacity="0.45" stroke-width="{radius * 0.1:.1f}"/>')

    def arrow(self, start, end, colour="#fff7e6"):
        (ax, ay), (bx, by) = start, end
        length = math.hypot(bx - ax, by - ay)
        dx, dy = (bx - ax) / length, (by - ay) / length
        tip = (bx - dx * 0.45, by - dy * 0.45)
        back = (tip[0] - dx * 0.42, tip[1] - dy * 0.42)
        head = [tip, (back[0] - dy * 0.2, back[1] + dx * 0.2), (back[0] + dy * 0.2, back[1] - dx * 0.2)]
        self.lines.append(f'  <path d="M{self.at(start)} L{self.at(back)}" stroke="{colour}" stroke-width="{0.11 * self.scale:.1f}" fill="none"/>')
        self.lines.append(f'  <path d="M{" L".join(map(self.at, head))}Z" fill="{colour}"/>')

    def die(self, x, y, face, colour, side=0.78):
        """A die with its middle at a place."""
        left, top = (x - side / 2 - self.left) * self.scale, (y - side / 2 - self.top) * self.scale
        size = side * self.scale
        self.lines.append(f'  <rect x="{left:.1f}" y="{top:.1f}" width="{size:.1f}" height="{size:.1f}" rx="{size * 0.2:.1f}" fill="{colour}" stroke="#2a2018" stroke-width="{size * 0.04:.1f}"/>')
        spots = {1: "c", 2: "ai", 3: "aci", 4: "agmi", 5: "agcmi", 6: "agmibh"}
        where = {"a": (-1, -1), "b": (-1, 0), "g": (1, -1), "c": (0, 0), "m": (-1, 1), "h": (1, 0), "i": (1, 1)}
        for spot in spots[face]:
            dx, dy = where[spot]
            self.lines.append(f'  <circle cx="{left + size * (0.5 + dx * 0.26):.1f}" cy="{top + size * (0.5 + dy * 0.26):.1f}" r="{size * 0.09:.1f}" fill="#fffaf0"/>')

    def text(self):
        return "\n".join([*self.lines, "</svg>"]) + "\n"


def region_of(number):
    return next(region for region, (first, last) in REGIONS.items() if first <= number <= last)


def extent(drawn):
    every = [point for _, parts in drawn.values() for part in parts for point in part]
    left, top = min(x for x, _ in every) - 0.5, min(y for _, y in every) - 0.5
    return left, top, max(x for x, _ in every) + 0.5 - left, max(y for _, y in every) + 0.5 - top


def pictures():
    """The pictures of the help pages and the launcher that show parts of the map, by file name."""
    drawn = world()
    numbers = {name: number for number, name in enumerate(AREAS)}

    whole = Picture(extent(drawn), 26)
    whole.links(drawn)
    for name, (_, parts) in drawn.items():
        whole.area(parts, COLOURS[region_of(numbers[name])])

    held = {name: numbers[name] * 7 % 3 for name in AREAS}
    held.update({"Western Europe": 0, "Northern Europe": 0, "Southern Europe": 1, "Ukraine": 1, "Scandinavia": 0, "North Africa": 2, "Egypt": 1})

    def war(part, scale):
        picture = Picture(part, scale)
        picture.links(drawn)
        for name, (_, parts) in drawn.items():
            picture.area(parts, TINTS[held[name]])
        return picture

    card = war((12.6, 3.0, 9.6, 6.0), 33.4)
    for name, (middle, _) in drawn.items():
        card.disc(middle, SEATS[held[name]])
    card.arrow(drawn["Northern Europe"][0], drawn["Ukraine"][0])
    for x, face in [(19.6, 6), (20.5, 5), (21.4, 3)]:
        card.die(x, 7.5, face, SEATS[0])
    for x, face in [(20.5, 5), (21.4, 2)]:
        card.die(x, 8.4, face, SEATS[1])

    dice = Picture((0, 0, 5.4, 2.6), 44)
    for x, own, other in [(0.9, 6, 5), (2.2, 4, 5)]:
        dice.lines.append(
            f'  <path d="M{dice.at((x, 0.9))} L{dice.at((x, 1.8))}" stroke="#4a4030" stroke-width="4"/>'
        )
        dice.die(x, 0.7, own, SEATS[0])
        dice.die(x, 1.9, other, SEATS[1])
    dice.die(3.5, 0.7, 2, SEATS[0])
    dice.disc((4.6, 0.7), SEATS[1], 0.3)
    dice.disc((4.6, 1.9), SEATS[0], 0.3)
    for y in (0.7, 1.9):
        dice.lines.append(f'  <path d="M{dice.at((4.25, y + 0.35))} L{dice.at((4.95, y - 0.35))}" stroke="#2a2018" stroke-width="4"/>')

    path = war((8.0, 8.6, 7.4, 8.8), 30)
    for name in ["Venezuela", "Peru", "Argentina"]:
        path.area(drawn[name][1], TINTS[0])
    path.area(drawn["Brazil"][1], TINTS[1])
    for start, end in [("Venezuela", "Peru"), ("Peru", "Argentina")]:
        path.arrow(drawn[start][0], drawn[end][0])
    for name, seat in [("Venezuela", 0), ("Peru", 0), ("Argentina", 0), ("Brazil", 1)]:
        path.disc(drawn[name][0], SEATS[seat])

    return {"world.svg": whole.text(), "card.svg": card.text(), "help-dice.svg": dice.text(), "help-path.svg": path.text()}


ART = ROOT / "rulesets" / "conquest" / "art"


def main():
    arguments = sys.argv[1:]
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    files = {FILE: map_text()} | {ART / name: text for name, text in pictures().items()}
    for file, text in files.items():
        if not arguments:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            sys.exit(f"{file.relative_to(ROOT)} is not what tools/world_map.py draws")


if __name__ == "__main__":
    main()
