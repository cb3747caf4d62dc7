#!/usr/bin/env python3
"""Takes a seat in a match on a Boardwright server and plays at random to its end.

    python3 random_player.py http://127.0.0.1:7474 MATCH --name Ada
"""

import argparse
import random
import sys

from boardwright_client import Client, Lobby, Lost, Refused


def play(client, choose, most_actions):
    """Plays to the end of the match, or as many actions; gives the outcome, if there is one."""
    while True:
        try:
            answer = client.ask("legal")
            if answer["reply"] != "legal":
                raise Refused(f"no legal actions: {answer}")
            if answer.get("outcome"):
                return answer["outcome"]
            if most_actions is not None and client.at > most_actions:
                return None
            if not answer["actions"]:
                # Somebody else is to act.
                client.read()
                continue
            action = choose(answer["actions"])
            picks = action.get("picks", [])
            client.ask("submit", seat=action["seat"], action=action["action"], picks=picks, at=answer["at"])
        except Lost as lost:
            # Whether the last action came there is seen in what is legal now.
            print(f"lost the connection after {client.at} events: {lost}", file=sys.stderr)
            client.reconnect()


def differences(client):
    """Where the view that was kept from events differs from the host's own."""
    answer = client.ask("view", seat=client.viewer)
    kept, asked = client.view.whole(), answer["state"]

    def plain(state, key):
        value = state.get(key) or []
        if key in ("pieces", "values", "terrains"):
            return sorted(value, key=repr)
        return value

    return [
        f"{key}: kept {plain(kept, key)}, the host has {plain(asked, key)}"
        for key in sorted({*kept, *asked})
        if plain(kept, key) != plain(asked, key)
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("server", help="such as http://127.0.0.1:7474")
    parser.add_argument("match", help="the id of the match")
    parser.add_argument("--name", default="Python", help="the name that others see")
    parser.add_argument("--seat", help="the seat; without it the first that is free")
    parser.add_argument("--seed", type=int, help="plays the same way each time")
    parser.add_argument("--most-actions", type=int, help="leave when the match has so many events")
    arguments = parser.parse_args()

    lobby = Lobby(arguments.server)
    try:
        wanted = {"seat": arguments.seat} if arguments.seat else {}
        seat, token = lobby.join(arguments.match, arguments.name, **wanted)
        client = Client(lobby, arguments.match, [token])
        client.connect()
        outcome = play(client, random.Random(arguments.seed).choice, arguments.most_actions)
        found = differences(client)
        client.close()
    except Refused as refused:
        sys.exit(f"refused: {refused}")
    except OSError as error:
        sys.exit(f"{arguments.server} cannot be reached: {error}")
    for difference in found:
        print(difference, file=sys.stderr)
    print(f"{seat}: {client.at} events, places {outcome['places'] if outcome else 'open'}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
