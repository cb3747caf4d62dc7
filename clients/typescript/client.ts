/**
 * A client for matches on a Boardwright server, with what browsers have, `fetch` and `WebSocket`; for Node.js before 22, which has no `WebSocket`,
 * with the package `ws`.
 *
 *     const lobby = new Lobby("http://127.0.0.1:7474");
 *     const { seat, token } = await lobby.join(id, "Ada");
 *     const client = new Client(lobby, id, [token]);
 *     await client.connect();
 *
 * It follows docs/protocol.md: `Lobby` speaks HTTP, `Client` requests, answers and notices, and `View` keeps what one seat sees from the
 * effects of events. `random-player.ts` beside it is a whole player.
 */

const Socket: typeof WebSocket = globalThis.WebSocket ?? ((await import("ws")).default as unknown as typeof WebSocket);

const PROTOCOL = 1;
const RECONNECT_ATTEMPTS = 10;
/** Close codes after which coming again helps; the others say that the client is at fault. */
const COME_AGAIN = new Set([1000, 1001, 1005, 1006, 1011, 1012, 1013]);

/** The server says no, for a reason that does not go away by asking again. */
export class Refused extends Error {}

/** The connection is lost; whoever comes again with the same tokens resumes. */
export class Lost extends Error {}

export type Value =
  | "nothing"
  | { integer: number }
  | { flag: boolean }
  | { text: string }
  | { cell: number }
  | { piece: number }
  | { seat: number }
  | { kind: number }
  | { list: Value[] };

export type Place = "off" | { cell: number } | { side: [number, number] } | { posed: [number, string] } | { zone: number } | { aboard: number };

export type Target = "match" | { seat: number } | { cell: number } | { edge: number };

export interface Piece {
  id: number;
  kind: number;
  owner?: number | null;
  place: Place;
  revealed?: number[];
  values?: Value[];
}

export interface Mark {
  round: number;
  turn: number;
  seat?: number | null;
}

export interface Decision {
  id: number;
  action: number;
  asked: number[];
  waiting: number[];
  data: unknown;
}

export interface Outcome {
  places: number[];
  scores?: number[];
  rule?: string;
  reason?: string;
}

export interface Sight {
  visible: number[];
  explored?: unknown[];
}

export interface State {
  options: Value[];
  pieces: Piece[];
  zones: [number[], number][];
  terrains?: [number, number][];
  values?: [Target, number, Value][];
  sight?: Sight;
  eliminated: number[];
  mark: Mark;
  phase: number;
  decisions?: Decision[];
  next_decision?: number;
  outcome?: Outcome;
}

/** An effect: an object with one key. */
export type Effect =
  | { move: { piece: number; from: Place; from_index?: number; to: Place; to_index?: number } }
  | { spawn: Piece }
  | { unspawn: { piece: Piece; index?: number } }
  | { set: { target: Target | { piece: number }; property: number; old: Value; new: Value } }
  | { owner: { piece: number; old?: number | null; new?: number | null } }
  | { terrain: { cell: number; old: number; new: number } }
  | { reorder: { zone: number; old: number[]; new: number[] } }
  | { unseen: { zone: number; old: number; new: number } }
  | { sight: { gained: number[]; lost: number[]; explored?: unknown[] } }
  | { reveal: { piece: number; old: number[]; new: number[] } }
  | { open_decision: Decision }
  | { close_decision: Decision }
  | { answer_decision: { decision: number; seat: number } }
  | { phase: { old: number; new: number } }
  | { turn: { old: Mark; new: Mark } }
  | { eliminate: number }
  | { end: Outcome }
  | { resume: Outcome }
  | { note: { to: number[]; text: string } }
  | { rules: { old: string; new: string } };

export interface Declarations {
  has_fog?: boolean;
  zones: { name: string; visibility: unknown }[];
  properties: { name: string; scope: string; slot: number; default: Value; is_secret: boolean }[];
}

export interface LegalAction {
  seat: number;
  action: number;
  picks?: unknown[];
  text: string;
  notation: string;
}

interface HistoryEntry {
  event: number;
}

/** What a host sends: an answer has `id` and `reply`, a notice has `notice`. */
export type Message = { id?: number; reply?: string; notice?: string } & Record<string, unknown>;

/** The lobby of a server, such as `http://127.0.0.1:7474`. */
export class Lobby {
  readonly address: string;

  constructor(address: string) {
    this.address = address.replace(/\/+$/, "");
  }

  async request(method: string, path: string, body?: unknown, token?: string): Promise<unknown> {
    const headers: Record<string, string> = { "Content-Type": "application/json" };
    if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
    const answer = await fetch(this.address + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Refused(messageOf(text) ?? `${answer.status} ${answer.statusText}`);
    return text === "" ? null : JSON.parse(text);
  }

  /** Creates a match. Gives it, and the token of its creator. */
  async create(ruleset: string, wanted: object = {}): Promise<{ match: { id: string }; token: string }> {
    return (await this.request("POST", "/api/matches", { ruleset, ...wanted })) as { match: { id: string }; token: string };
  }

  /** Takes a seat. Gives its name and its token. */
  async join(id: string, name: string, wanted: object = {}): Promise<{ seat: string; token: string }> {
    return (await this.request("POST", `/api/matches/${id}/seats`, { name, ...wanted })) as { seat: string; token: string };
  }
}

/** What an answer of the lobby that says no says to people. */
function messageOf(text: string): string | undefined {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return undefined;
  }
}

/** The match as one seat sees it: `state` of the messages, and the effects of events applied to it. */
export class View {
  readonly state: State;
  readonly declarations: Declarations;
  readonly pieces: Map<number, Piece>;

  constructor(state: State, declarations: Declarations) {
    this.state = state;
    this.declarations = declarations;
    this.pieces = new Map(state.pieces.map((piece) => [piece.id, piece]));
  }

  /** The pieces of a zone, in order, if the place is one. */
  private zone(place: Place): number[] | undefined {
    return typeof place === "object" && "zone" in place ? this.state.zones[place.zone]?.[0] : undefined;
  }

  private piece(id: number): Piece {
    const piece = this.pieces.get(id);
    if (piece === undefined) throw new Error(`there is no piece ${id}`);
    return piece;
  }

  apply(effect: Effect): void {
    const state = this.state;
    if ("move" in effect) {
      const { piece, from, to, to_index } = effect.move;
      remove(this.zone(from), piece);
      this.zone(to)?.splice(to_index ?? 0, 0, piece);
      this.piece(piece).place = to;
    } else if ("spawn" in effect) {
      this.pieces.set(effect.spawn.id, effect.spawn);
      this.zone(effect.spawn.place)?.push(effect.spawn.id);
    } else if ("unspawn" in effect) {
      const { id, place } = effect.unspawn.piece;
      remove(this.zone(place), id);
      this.pieces.delete(id);
    } else if ("set" in effect) {
      this.set(effect.set.target, effect.set.property, effect.set.new);
    } else if ("owner" in effect) {
      this.piece(effect.owner.piece).owner = effect.owner.new ?? null;
    } else if ("terrain" in effect) {
      const { cell } = effect.terrain;
      state.terrains = [...(state.terrains ?? []).filter((entry) => entry[0] !== cell), [cell, effect.terrain.new]];
    } else if ("reorder" in effect) {
      const zone = state.zones[effect.reorder.zone];
      if (zone !== undefined) zone[0] = effect.reorder.new;
    } else if ("unseen" in effect) {
      const zone = state.zones[effect.unseen.zone];
      if (zone !== undefined) zone[1] = effect.unseen.new;
    } else if ("sight" in effect) {
      const { gained, lost, explored } = effect.sight;
      const before = state.sight ?? { visible: [] };
      const visible = [...before.visible, ...gained].filter((cell) => !lost.includes(cell)).sort((a, b) => a - b);
      state.sight = { ...before, visible, explored: [...(before.explored ?? []), ...(explored ?? [])] };
    } else if ("reveal" in effect) {
      this.piece(effect.reveal.piece).revealed = effect.reveal.new;
    } else if ("open_decision" in effect) {
      state.decisions = [...(state.decisions ?? []), effect.open_decision];
      state.next_decision = effect.open_decision.id + 1;
    } else if ("close_decision" in effect) {
      const { id } = effect.close_decision;
      state.decisions = state.decisions?.filter((asked) => asked.id !== id) ?? [];
    } else if ("answer_decision" in effect) {
      // Not always the last one: what an answer leads to may ask something before that answer is noted.
      const { decision, seat } = effect.answer_decision;
      remove(state.decisions?.find((asked) => asked.id === decision)?.waiting, seat);
    } else if ("phase" in effect) {
      state.phase = effect.phase.new;
    } else if ("turn" in effect) {
      state.mark = effect.turn.new;
    } else if ("eliminate" in effect) {
      state.eliminated = [...state.eliminated, effect.eliminate].sort((a, b) => a - b);
    } else if ("end" in effect) {
      state.outcome = effect.end;
    } else if ("resume" in effect) {
      delete state.outcome;
    }
  }

  private set(target: Target | { piece: number }, property: number, value: Value): void {
    if (typeof target === "object" && "piece" in target) {
      const piece = this.piece(target.piece);
      piece.values ??= [];
      piece.values[this.declarations.properties[property]?.slot ?? 0] = value;
      return;
    }
    const values = (this.state.values ?? []).filter(([of, number]) => number !== property || !isSame(of, target));
    const isDefault = isSame(this.declarations.properties[property]?.default, value);
    this.state.values = isDefault ? values : [...values, [target, property, value]];
  }

  /** The state as messages have it. */
  whole(): State {
    return { ...this.state, pieces: [...this.pieces.values()] };
  }
}

function remove(list: number[] | undefined, item: number): void {
  const index = list?.indexOf(item) ?? -1;
  if (index >= 0) list?.splice(index, 1);
}

/** Whether two values are written the same way. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A client of a match: `view` is the match as its first seat sees it, `at` the number of events that led there. */
export class Client {
  readonly lobby: Lobby;
  readonly id: string;
  readonly tokens: string[];
  declarations: Declarations | undefined;
  viewer: number | null = null;
  view: View | undefined;
  at = 0;
  history: HistoryEntry[] = [];
  onNotice: (notice: Message) => void = () => {};
  private revision = 0;
  private socket: WebSocket | undefined;
  private number = 0;
  private asked = new Map<number, { resolve: (answer: Message) => void; reject: (why: Error) => void }>();
  private waiting: { resolve: () => void; reject: (why: Error) => void } | undefined;
  private end: Error | undefined;
  /** Messages are handled one after another, each when whoever waited for the one before has gone on: several come at once. */
  private handled: Promise<void> = Promise.resolve();

  constructor(lobby: Lobby, id: string, tokens: string[] = []) {
    this.lobby = lobby;
    this.id = id;
    this.tokens = tokens;
  }

  /** Connects, or connects again; then the view and the history are those of now. */
  async connect(): Promise<void> {
    this.close();
    this.end = undefined;
    await this.open();
    const held = (await this.ask("hello", { protocol: PROTOCOL }))["seats"] as number[];
    this.declarations ??= (await this.ask("describe"))["declarations"] as Declarations;
    const { has_fog, zones, properties } = this.declarations;
    const hides = has_fog || zones.some((zone) => zone.visibility !== "everyone") || properties.some((declared) => declared.is_secret);
    this.viewer = hides ? (held[0] ?? null) : null;
    // What happened meanwhile: the entries behind the last one held, and the view that they lead to.
    const revision = this.revision;
    this.takeHistory(await this.ask("history", { seat: this.viewer, from: this.history.length }));
    this.takeView(await this.ask("view", { seat: this.viewer }));
    if (revision !== this.revision) this.takeHistory(await this.ask("history", { seat: this.viewer, from: 0 }));
  }

  private open(): Promise<void> {
    const address = this.lobby.address.replace(/^http/, "ws");
    const socket = new Socket(`${address}/api/matches/${this.id}/socket`);
    this.socket = socket;
    return new Promise((resolve, reject) => {
      socket.onopen = () => {
        socket.send(JSON.stringify({ protocol: PROTOCOL, tokens: this.tokens }));
        resolve();
      };
      socket.onmessage = (event) => {
        this.handled = this.handled.then(() => {
          if (socket === this.socket) this.handle(JSON.parse(event.data as string) as Message);
        });
      };
      socket.onclose = ({ code, reason }) => {
        const text = reason || `closed with ${code}`;
        const why = COME_AGAIN.has(code) ? new Lost(text) : new Refused(text);
        reject(why);
        this.handled = this.handled.then(() => {
          if (socket === this.socket) this.fail(why);
        });
      };
    });
  }

  /** Connects again, more and more patiently. */
  async reconnect(): Promise<void> {
    let why: unknown;
    for (let attempt = 0; attempt < RECONNECT_ATTEMPTS; attempt += 1) {
      try {
        return await this.connect();
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        why = error;
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(100 * 2 ** attempt, 10_000)));
    }
    throw new Refused(`the server cannot be reached any more: ${why}`);
  }

  close(): void {
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
    this.fail(new Lost("the client has closed the connection"));
  }

  private fail(why: Error): void {
    this.end ??= why;
    for (const { reject } of this.asked.values()) reject(why);
    this.asked.clear();
    this.waiting?.reject(why);
    this.waiting = undefined;
  }

  /** Sends a request and gives its answer, which may be a refusal. Rejected with `Lost` if the connection ends before it. */
  ask(command: string, fields: object = {}): Promise<Message> {
    if (this.end !== undefined) return Promise.reject(this.end);
    this.number += 1;
    const id = this.number;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.socket?.send(JSON.stringify({ id, do: command, ...fields }));
    });
  }

  /** Waits until the match has gone on from a position. */
  next(at: number): Promise<void> {
    if (this.end !== undefined) return Promise.reject(this.end);
    if (this.at !== at) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
  }

  private handle(message: Message): void {
    if (message.notice === undefined) {
      const asked = this.asked.get(message.id ?? 0);
      this.asked.delete(message.id ?? 0);
      asked?.resolve(message);
      return;
    }
    const at = message["at"] as number;
    if (message.notice === "event" && message["viewer"] === this.viewer && this.view !== undefined && at === this.at + 1) {
      for (const effect of message["effects"] as Effect[]) this.view.apply(effect);
      this.at = at;
      const event = message["event"] as number;
      this.history.splice(event, this.history.length, { event });
    } else if (message.notice === "view" && message["seat"] === this.viewer) {
      this.takeView(message);
    } else if (message.notice === "reloaded" && message["declarations"] !== undefined) {
      this.declarations = message["declarations"] as Declarations;
    }
    this.onNotice(message);
    this.waiting?.resolve();
    this.waiting = undefined;
  }

  private takeView(view: Message): void {
    if (this.declarations === undefined) return;
    this.view = new View(view["state"] as State, this.declarations);
    this.at = view["at"] as number;
    this.revision = view["revision"] as number;
  }

  private takeHistory(answer: Message): void {
    const entries = answer["entries"] as HistoryEntry[];
    const first = entries[0];
    if (first !== undefined) this.history.splice(first.event, this.history.length, ...entries);
  }
}
