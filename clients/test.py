#!/usr/bin/env python3
"""Has the clients of this folder play one another on a server: `clients/test.py PROGRAM`, with the path of `boardwright`.

Each reaches the server through a relay that cuts the connection in the middle of a frame, and each has to end with the view that the
host has. Needs Node.js, and the TypeScript client built (`npm ci && npx tsc`).
"""

import json
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request

CLIENTS = pathlib.Path(__file__).resolve().parent
PATIENCE_SECONDS = 120
# A ruleset, and how many actions are played at most; what is left open takes long at random.
MATCHES = [("tic-tac-toe", 10_000), ("sixteen-soldiers", 120), ("river-crossing", 120), ("conquest", 300)]


class Relay(threading.Thread):
    """Passes bytes on to a server. Once, a connection on which so many requests have come is cut in the middle of what is sent back."""

    def __init__(self, server, requests):
        super().__init__(daemon=True)
        self.server, self.requests, self.cuts = server, requests, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"

    def run(self):
        while True:
            client, _ = self.listener.accept()
            server = socket.create_connection(self.server)
            passed = [0]
            threading.Thread(target=self.up, args=(client, server, passed), daemon=True).start()
            threading.Thread(target=self.down, args=(server, client, passed), daemon=True).start()

    def up(self, client, server, passed):
        try:
            while data := client.recv(1 << 16):
                # Each request waits for its answer, so that one comes at a time.
                passed[0] += 1
                server.sendall(data)
            server.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def down(self, server, client, passed):
        try:
            while data := server.recv(1 << 16):
                if self.cuts == 0 and passed[0] >= self.requests:
                    self.cuts += 1
                    client.sendall(data[: len(data) // 2])
                    break
                client.sendall(data)
        except OSError:
            pass
        for end in (client, server):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()


def post(address, path, body):
    data = json.dumps(body).encode()
    request = urllib.request.Request(address + path, data=data, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
        return json.loads(answer.read())


def play(server, ruleset, most_actions):
    """A match between the two, with a seat each; the other seats are played by computers."""
    catalog = json.loads(urllib.request.urlopen(f"{server}/api/rulesets", timeout=PATIENCE_SECONDS).read())
    scenario = next(known for known in catalog if known["id"] == ruleset)["scenarios"][0]
    seats = [seat for seat, _ in scenario["players"]]
    players = {seat: "human" if index < 2 else "random" for index, seat in enumerate(seats)}
    wanted = {"ruleset": ruleset, "scenario": scenario["id"], "players": players}
    match = post(server, "/api/matches", wanted)["match"]["id"]

    address = server.removeprefix("http://").split(":")
    # The greeting and the first look at the match are six requests; each action is two.
    relays = [Relay((address[0], int(address[1])), requests) for requests in (9, 8)]
    python = [sys.executable, CLIENTS / "python" / "random_player.py"]
    node = ["node", "--no-warnings", CLIENTS / "typescript" / "build" / "random-player.js"]
    started = []
    for number, (command, relay) in enumerate(zip((python, node), relays)):
        relay.start()
        arguments = [relay.address, match, "--seed", str(number + 1), "--most-actions", str(most_actions), "--seat", seats[number]]
        started.append(subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
    results = []
    for process in started:
        try:
            said, told = process.communicate(timeout=PATIENCE_SECONDS)
        finally:
            process.kill()
        results.append(said)
        if process.returncode != 0:
            sys.exit(f"{ruleset}: {process.args[1]} failed: {said}{told}")
    for relay, process in zip(relays, started):
        if relay.cuts != 1:
            sys.exit(f"{ruleset}: the connection of {process.args[-1]} was not cut")
    places = [re.search(r"places (.*)", said).group(1).replace(" ", "") for said in results]
    if most_actions > 1_000 and (places[0] == "open" or places[0] != places[1]):
        sys.exit(f"{ruleset}: the clients disagree about the end: {results}")
    print(f"{ruleset}: {', '.join(said.strip() for said in results)}")


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen(
            [program, "serve", "--listen", "127.0.0.1:0", "--log-level", "error", "--data", data], stdout=subprocess.PIPE, text=True, cwd=CLIENTS.parent
        )
        try:
            address = server.stdout.readline().strip().removeprefix("Listening at ")
            for ruleset, most_actions in MATCHES:
                play(address, ruleset, most_actions)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
