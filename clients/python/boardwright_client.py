"""A client for matches on a Boardwright server, in plain Python (3.9 or newer): nothing has to be installed.

    lobby = Lobby("http://127.0.0.1:7474")
    seat, token = lobby.join(match_id, "Ada")
    client = Client(lobby, match_id, [token])
    client.connect()

It follows docs/protocol.md: `Lobby` speaks HTTP, `WebSocket` frames, `Client` requests, answers and notices, and `State` keeps the view
of one seat from the effects of events. `random_player.py` beside it is a whole player.
"""

import base64
import hashlib
import json
import os
import socket
import ssl
import struct
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

PROTOCOL = 1
# The server pings a client that is silent for half a minute, so a longer silence means that the connection is lost.
MOST_SILENCE_SECONDS = 90
RECONNECT_ATTEMPTS = 10
# Close codes after which it may be better later; the others say that the client is at fault.
COME_AGAIN = {1005, 1006, 1011, 1012, 1013}


class Refused(Exception):
    """The server says no, for a reason that does not go away by asking again."""


class Lost(Exception):
    """The connection is lost; whoever comes again with the same tokens resumes."""


class Lobby:
    """The lobby of a server, such as `http://127.0.0.1:7474`."""

    def __init__(self, address):
        self.address = address.rstrip("/")

    def request(self, method, path, body=None, token=None):
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data=data, method=method, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            try:
                raise Refused(json.loads(text)["error"]["message"]) from None
            except (ValueError, KeyError, TypeError):
                raise Refused(f"{error.code} {error.reason}") from None
        return json.loads(text) if text else None

    def create(self, ruleset, **wanted):
        """Creates a match. Gives it, and the token of its creator."""
        answer = self.request("POST", "/api/matches", {"ruleset": ruleset, **wanted})
        return answer["match"], answer["token"]

    def join(self, match_id, name, **wanted):
        """Takes a seat. Gives its name and its token."""
        answer = self.request("POST", f"/api/matches/{match_id}/seats", {"name": name, **wanted})
        return answer["seat"], answer["token"]


class WebSocket:
    """A web socket (RFC 6455) for frames of text."""

    def __init__(self, url):
        parts = urlsplit(url)
        is_secure = parts.scheme in ("https", "wss")
        port = parts.port or (443 if is_secure else 80)
        self.socket = socket.create_connection((parts.hostname, port), timeout=MOST_SILENCE_SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if is_secure:
            self.socket = ssl.create_default_context().wrap_socket(self.socket, server_hostname=parts.hostname)
        self.file = self.socket.makefile("rb")
        self._shake_hands(parts)

    def _shake_hands(self, parts):
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            f"GET {parts.path} HTTP/1.1",
            f"Host: {parts.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        status = self.file.readline().decode(errors="replace").split(" ", 2)
        headers = {}
        while (line := self.file.readline().decode(errors="replace").strip()):
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        if len(status) < 2:
            raise Lost("the server has closed the connection")
        if status[1] != "101":
            body = self.file.read(int(headers.get("content-length", 0))).decode(errors="replace")
            reason = f"{' '.join(status[1:]).strip()}: {body}"
            raise Lost(reason) if status[1] == "503" else Refused(reason)
        expected = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        if headers.get("sec-websocket-accept") != base64.b64encode(expected).decode():
            raise Refused("this is no web socket")

    def _send(self, opcode, payload):
        length = len(payload)
        if length < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | length)
        elif length < 1 << 16:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, length)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, length)
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.socket.sendall(head + mask + masked)

    def send(self, text):
        self._send(1, text.encode())

    def _read(self, count):
        read = self.file.read(count)
        if len(read) < count:
            raise Lost("the connection has ended")
        return read

    def receive(self):
        """The next frame of text. Raises `Lost` or `Refused` when there is none any more."""
        text = b""
        while True:
            first, second = self._read(2)
            opcode, length = first & 0x0F, second & 0x7F
            if length == 126:
                (length,) = struct.unpack("!H", self._read(2))
            elif length == 127:
                (length,) = struct.unpack("!Q", self._read(8))
            payload = self._read(length)
            if opcode == 8:
                code = struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1005
                reason = payload[2:].decode(errors="replace") or f"closed with {code}"
                raise Lost(reason) if code in COME_AGAIN or code == 1000 else Refused(reason)
            if opcode == 9:
                self._send(10, payload)
            elif opcode in (0, 1):
                text += payload
                if first & 0x80:
                    return text.decode()

    def close(self):
        """Says goodbye, and waits for nothing."""
        try:
            self._send(8, struct.pack("!H", 1000))
        except OSError:
            pass
        self.file.close()
        self.socket.close()


class State:
    """The view of a seat: `state` of the messages, and the effects of events applied to it."""

    def __init__(self, state, declarations):
        self.state = state
        self.declarations = declarations
        self.pieces = {piece["id"]: piece for piece in state["pieces"]}

    def zone(self, place):
        """The pieces of a zone, in order, if a place is one."""
        if isinstance(place, dict) and "zone" in place:
            return self.state["zones"][place["zone"]][0]
        return None

    def apply(self, effect):
        ((kind, it),) = effect.items()
        getattr(self, "_" + kind)(it)

    def _move(self, it):
        source, target = self.zone(it["from"]), self.zone(it["to"])
        if source is not None:
            source.remove(it["piece"])
        if target is not None:
            target.insert(it.get("to_index", 0), it["piece"])
        self.pieces[it["piece"]]["place"] = it["to"]

    def _spawn(self, piece):
        self.pieces[piece["id"]] = piece
        zone = self.zone(piece["place"])
        if zone is not None:
            zone.append(piece["id"])

    def _unspawn(self, it):
        piece = self.pieces.pop(it["piece"]["id"])
        zone = self.zone(piece["place"])
        if zone is not None:
            zone.remove(piece["id"])

    def _set(self, it):
        target, new = it["target"], it["new"]
        if isinstance(target, dict) and "piece" in target:
            slot = self.declarations["properties"][it["property"]]["slot"]
            self.pieces[target["piece"]]["values"][slot] = new
            return
        values = self.state.setdefault("values", [])
        values[:] = [entry for entry in values if entry[:2] != [target, it["property"]]]
        if new != self.declarations["properties"][it["property"]]["default"]:
            values.append([target, it["property"], new])

    def _owner(self, it):
        self.pieces[it["piece"]]["owner"] = it["new"]

    def _terrain(self, it):
        terrains = self.state.setdefault("terrains", [])
        terrains[:] = [entry for entry in terrains if entry[0] != it["cell"]] + [[it["cell"], it["new"]]]

    def _reorder(self, it):
        self.state["zones"][it["zone"]][0] = list(it["new"])

    def _unseen(self, it):
        self.state["zones"][it["zone"]][1] = it["new"]

    def _sight(self, it):
        sight = self.state["sight"]
        sight["visible"] = sorted((set(sight["visible"]) | set(it["gained"])) - set(it["lost"]))
        sight.setdefault("explored", []).extend(it.get("explored", []))

    def _reveal(self, it):
        self.pieces[it["piece"]]["revealed"] = it["new"]

    def _open_decision(self, it):
        self.state.setdefault("decisions", []).append(it)
        self.state["next_decision"] = it["id"] + 1

    def _close_decision(self, it):
        self.state["decisions"] = [asked for asked in self.state["decisions"] if asked["id"] != it["id"]]

    def _answer_decision(self, it):
        # Not always the last one: what an answer leads to may ask something before that answer is noted.
        for asked in self.state["decisions"]:
            if asked["id"] == it["decision"]:
                asked["waiting"].remove(it["seat"])

    def _phase(self, it):
        self.state["phase"] = it["new"]

    def _turn(self, it):
        self.state["mark"] = it["new"]

    def _eliminate(self, seat):
        self.state["eliminated"] = sorted([*self.state["eliminated"], seat])

    def _end(self, it):
        self.state["outcome"] = it

    def _resume(self, it):
        self.state.pop("outcome", None)

    def _note(self, it):
        pass

    def _rules(self, it):
        pass

    def whole(self):
        """The state as messages have it."""
        return {**self.state, "pieces": list(self.pieces.values())}


class Client:
    """A client of a match. `view` is the match as its first seat sees it, `at` the number of events that led there."""

    def __init__(self, lobby, match_id, tokens=(), on_notice=None):
        self.lobby, self.match_id, self.tokens = lobby, match_id, list(tokens)
        self.on_notice = on_notice or (lambda notice: None)
        self.socket = None
        self.number = 0
        self.declarations = None
        self.viewer = None
        self.view, self.at = None, 0
        self.history, self.revision = [], None

    def connect(self):
        """Connects, or connects again; then the view and the history are those of now."""
        self.close()
        self.socket = WebSocket(f"{self.lobby.address}/api/matches/{self.match_id}/socket")
        self.socket.send(json.dumps({"protocol": PROTOCOL, "tokens": self.tokens}))
        held = self.ask("hello", protocol=PROTOCOL)["seats"]
        if self.declarations is None:
            self.declarations = self.ask("describe")["declarations"]
        hides = self.declarations["has_fog"] or any(zone["visibility"] != "everyone" for zone in self.declarations["zones"])
        hides = hides or any(declared.get("is_secret") for declared in self.declarations["properties"])
        self.viewer = held[0] if hides and held else None
        # What happened meanwhile: the entries behind the last one held, and the view that they lead to.
        known = self.revision
        self._take_history(self.ask("history", seat=self.viewer, **{"from": len(self.history)}))
        self._take_view(self.ask("view", seat=self.viewer))
        if known not in (None, self.revision):
            self._take_history(self.ask("history", seat=self.viewer, **{"from": 0}))

    def reconnect(self):
        """Connects again, more and more patiently."""
        for attempt in range(RECONNECT_ATTEMPTS):
            try:
                return self.connect()
            except (Lost, OSError) as error:
                reason = error
            time.sleep(min(0.1 * 2**attempt, 10))
        raise Refused(f"the server cannot be reached any more: {reason}")

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None

    def ask(self, command, **fields):
        """Sends a request and gives its answer, which may be a refusal. Notices that come before it are handled."""
        self.number += 1
        try:
            self.socket.send(json.dumps({"id": self.number, "do": command, **fields}))
        except OSError as error:
            raise Lost(str(error)) from None
        while True:
            message = self.read()
            if "reply" in message and message["id"] == self.number:
                return message

    def read(self):
        """Reads a message; a notice is handled. Raises `Lost`."""
        try:
            message = json.loads(self.socket.receive())
        except OSError as error:
            raise Lost(str(error)) from None
        if "notice" in message:
            self._handle(message)
        return message

    def _handle(self, notice):
        kind = notice["notice"]
        if kind == "event" and notice["viewer"] == self.viewer and self.view and notice["at"] == self.at + 1:
            for effect in notice["effects"]:
                self.view.apply(effect)
            self.at = notice["at"]
            self.history[notice["event"]:] = [notice]
        elif kind == "view" and notice["seat"] == self.viewer and self.declarations:
            self._take_view(notice)
        elif kind == "reloaded" and "declarations" in notice:
            self.declarations = notice["declarations"]
        self.on_notice(notice)

    def _take_view(self, view):
        self.view, self.at = State(view["state"], self.declarations), view["at"]
        self.revision = view["revision"]

    def _take_history(self, answer):
        if answer["entries"]:
            self.history[answer["entries"][0]["event"]:] = answer["entries"]
