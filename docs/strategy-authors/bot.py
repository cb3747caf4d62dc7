#!/usr/bin/env python3
"""A player for any ruleset, to begin from. Boardwright starts it:

    boardwright arena sixteen-soldiers --players 'exec:python3 docs/strategy-authors/bot.py',random --matches 20
    boardwright play tic-tac-toe --seat noughts='exec:python3 docs/strategy-authors/bot.py'

It speaks the protocol of docs/protocol.md on its standard input and output, and needs nothing but Python 3.8.
"""

import json
import random
import sys


class Match:
    """The connection to the host: asks, and waits for the answer."""

    def __init__(self):
        self.next_id = 0

    def ask(self, what, **fields):
        """Sends a request and gives back the answer. What the host tells meanwhile is left out."""
        self.next_id += 1
        print(json.dumps({"id": self.next_id, "do": what, **fields}), flush=True)
        for message in self.messages():
            if message.get("id") == self.next_id:
                return message
        sys.exit()

    def messages(self):
        """What the host sends, until it needs us no more."""
        for line in sys.stdin:
            yield json.loads(line)

    def turns(self):
        """The turns of our seat."""
        for message in self.messages():
            if message.get("notice") == "turn":
                yield message


def distance(action):
    """How many cells a path of the action visits: on many boards long paths are captures."""
    return max((len(pick["path"]) for pick in action.get("picks", []) if "path" in pick), default=0)


def choose(actions, luck):
    """Put your own strategy here. This one takes one of the actions with the longest path, or any if none has one."""
    longest = max(map(distance, actions))
    return luck.choice([action for action in actions if distance(action) == longest])


def main():
    match = Match()
    # With a seed the same matches can be played again.
    luck = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else None)
    for turn in match.turns():
        legal = match.ask("legal", seat=turn["seat"])
        if not legal["actions"]:
            continue
        action = choose(legal["actions"], luck)
        match.ask(
            "submit",
            at=legal["at"],
            seat=action["seat"],
            action=action["action"],
            picks=action.get("picks", []),
        )


if __name__ == "__main__":
    main()
