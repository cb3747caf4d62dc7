#!/usr/bin/env python3
"""Kills a server again and again while matches are played on it, and looks whether anything that it has answered is lost.

    python3 benches/kill_cycles.py target/release/boardwright --cycles 1000

Each cycle plays matches with a client for each seat, kills the server with SIGKILL at a moment that nobody can foresee, often between an action and
its answer, starts it again and lets every client come back. Then every action that was answered has to be in the history, and what a client has
made of the events that it has seen has to be the view that the server sends. Ends with 1 at the first difference.
"""

import argparse
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "clients" / "python"))

from boardwright_client import Client, Lobby, Lost, Refused  # noqa: E402

RULESETS = ["sixteen-soldiers", "conquest", "cornered"]


class Server:
    """A server that listens at the same address whenever it is started."""

    def __init__(self, program, data):
        self.program, self.data, self.listen = program, data, "127.0.0.1:0"
        self.start()

    def start(self):
        arguments = [self.program, "serve", "--listen", self.listen, "--data", self.data, "--log-level", "error"]
        begun = time.monotonic()
        self.child = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
        line = self.child.stdout.readline()
        if not line.startswith("Listening at "):
            sys.exit(f"the server does not start: {line}")
        self.address = line.removeprefix("Listening at ").strip()
        self.listen = self.address.removeprefix("http://")
        return time.monotonic() - begun

    def kill(self):
        self.child.send_signal(signal.SIGKILL)
        self.child.wait()


class Player(threading.Thread):
    """A client of one seat, which plays until its server is gone."""

    def __init__(self, client, seed):
        super().__init__(daemon=True)
        self.client, self.random = client, random.Random(seed)
        self.answered = 0
        # The number of the newest event that it was told of by an answer.
        self.newest = 0
        self.has_ended = False
        self.problem = None

    def run(self):
        try:
            while True:
                answer = self.client.ask("legal")
                if answer.get("outcome"):
                    self.has_ended = True
                    return
                if not answer["actions"]:
                    self.client.read()
                    continue
                action = self.random.choice(answer["actions"])
                submit = {"seat": action["seat"], "action": action["action"], "picks": action.get("picks", []), "at": answer["at"]}
                reply = self.client.ask("submit", **submit)
                if reply["reply"] == "done":
                    self.answered += 1
                    self.newest = reply["at"]
        except Lost:
            pass
        except (Refused, KeyError, ValueError) as problem:
            self.problem = f"{type(problem).__name__}: {problem}"


def plain(state):
    """A state in a form that does not depend on the order in which pieces became known."""
    state = dict(state)
    state["pieces"] = sorted(state["pieces"], key=lambda piece: piece["id"])
    for values in ("values", "terrains"):
        state[values] = sorted(state.get(values) or [], key=str)
    state["decisions"] = state.get("decisions") or []
    return state


def fail(cycle, client, what):
    sys.exit(f"cycle {cycle}, match {client.match_id}, seat {client.viewer}: {what}")


def check(cycle, player):
    """Compares what a client has seen with what the server says after it was started again."""
    client = player.client
    seen, at = client.view.whole() if client.view else None, client.at
    history = [(entry["event"], entry.get("text")) for entry in client.history]
    try:
        client.reconnect()
    except Refused as refused:
        fail(cycle, client, f"cannot come back: {refused}")
    if client.at < max(at, player.newest):
        fail(cycle, client, f"{max(at, player.newest) - client.at} events that it was told of are lost")
    now = [(entry["event"], entry.get("text")) for entry in client.history]
    if now[: len(history)] != history:
        fail(cycle, client, "the history is another one")
    # The view at the event that was seen last can be compared if nothing came behind it.
    if seen is None or client.at != at:
        return False
    if plain(seen) != plain(client.view.whole()):
        fail(cycle, client, f"the view at {at} differs")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cycles", type=int, default=100)
    parser.add_argument("--matches", type=int, default=4, help="how many are played at a time")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    luck = random.Random(given.seed)
    answered = back = compared = ended = 0
    starts, backs = [], []
    with tempfile.TemporaryDirectory() as data:
        server = Server(given.program, data)
        lobby = Lobby(server.address)
        clients = []
        for cycle in range(1, given.cycles + 1):
            while len(clients) < 2 * given.matches:
                ruleset = luck.choice(RULESETS)
                wanted = {"conquest": {"scenario": "two", "players": {"blue": "human"}}, "cornered": {"scenario": "duo"}}.get(ruleset, {})
                try:
                    match, _ = lobby.create(ruleset, private=True, **wanted)
                except Refused as refused:
                    sys.exit(f"no match of {ruleset}: {refused}")
                free = [seat for seat in match["seats"] if seat["player"] == "free"]
                tokens = [lobby.join(match["id"], f"Player {number}")[1] for number in range(len(free))]
                new = [Client(lobby, match["id"], [token]) for token in tokens]
                for client in new:
                    client.connect()
                clients += new
            players = [Player(client, luck.random()) for client in clients]
            for player in players:
                player.start()
            time.sleep(luck.uniform(0.02, 0.4))
            server.kill()
            for player in players:
                player.join(60)
                if player.is_alive():
                    fail(cycle, player.client, "does not notice that the server is gone")
                if player.problem:
                    fail(cycle, player.client, player.problem)
                answered += player.answered
            starts.append(server.start())
            begun = time.monotonic()
            for player in players:
                compared += check(cycle, player)
                back += 1
            backs.append((time.monotonic() - begun) / len(players))
            over = {player.client.match_id for player in players if player.has_ended}
            ended += len(over)
            for client in [client for client in clients if client.match_id in over]:
                client.close()
                clients.remove(client)
            if cycle % 100 == 0:
                print(f"{cycle} cycles, {answered} answered actions", flush=True)
        server.kill()
    print(
        f"{given.cycles} kills: {answered} answered actions, none lost; {back} times a client came back, {compared} times at the event that it had seen "
        f"last, with the same view each time; {ended} matches ended; started again in {1000 * max(starts):.0f} ms at most, back in {1000 * max(backs):.0f} ms a client at most"
    )


if __name__ == "__main__":
    main()
