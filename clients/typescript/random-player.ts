/**
 * Takes a seat in a match on a Boardwright server and plays at random to its end.
 *
 *     npm install && npx tsc
 *     node build/random-player.js http://127.0.0.1:7474 MATCH --name Ada
 */

import { parseArgs } from "node:util";

import { Client, isSame, type LegalAction, Lobby, Lost, type Outcome, Refused, type State } from "./client.ts";

/** Plays to the end of the match, or as many actions; gives the outcome, if there is one. */
async function play(client: Client, choose: (actions: LegalAction[]) => LegalAction, mostActions: number): Promise<Outcome | undefined> {
  for (;;) {
    try {
      const at = client.at;
      const answer = await client.ask("legal");
      if (answer.reply !== "legal") throw new Refused(`no legal actions: ${JSON.stringify(answer)}`);
      if (answer["outcome"]) return answer["outcome"] as Outcome;
      if (client.at > mostActions) return undefined;
      const actions = answer["actions"] as LegalAction[];
      if (actions.length === 0) {
        // Somebody else is to act.
        await client.next(at);
        continue;
      }
      const { seat, action, picks } = choose(actions);
      await client.ask("submit", { seat, action, picks: picks ?? [], at: answer["at"] });
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      // Whether the last action came there is seen in what is legal now.
      console.error(`lost the connection after ${client.at} events: ${error.message}`);
      await client.reconnect();
    }
  }
}

/** Where the view that was kept from events differs from the host's own. */
async function differences(client: Client): Promise<string[]> {
  const asked = (await client.ask("view", { seat: client.viewer }))["state"] as State;
  const kept = client.view?.whole() ?? asked;
  // What is empty may be left out, and some lists have no order.
  const plain = (value: unknown, key: string): string => {
    const list = value ?? [];
    return sorted(["pieces", "values", "terrains"].includes(key) ? (list as object[]).map((item) => sorted(item)).sort() : list);
  };
  const keys = new Set([...Object.keys(kept), ...Object.keys(asked)]) as Set<keyof State>;
  const differs = [...keys].filter((key) => !isSame(plain(kept[key], key), plain(asked[key], key)));
  return differs.map((key) => `${key}: kept ${plain(kept[key], key)}, the host has ${plain(asked[key], key)}`);
}

/** JSON with the keys of objects in order. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** Numbers from 0 to below 1 that are the same for a seed: a linear congruential generator, which is luck enough here. */
function generator(seed: number): () => number {
  let state = BigInt(seed);
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 11n) / 2 ** 53;
  };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: "string", default: "TypeScript" },
      seat: { type: "string" },
      seed: { type: "string" },
      "most-actions": { type: "string", default: "Infinity" },
    },
  });
  const [server, match] = positionals;
  if (server === undefined || match === undefined) {
    throw new Refused("usage: random-player.js SERVER MATCH [--name NAME] [--seat SEAT] [--seed NUMBER] [--most-actions COUNT]");
  }
  const lobby = new Lobby(server);
  const { seat, token } = await lobby.join(match, values.name, values.seat === undefined ? {} : { seat: values.seat });
  const client = new Client(lobby, match, [token]);
  await client.connect();
  const random = values.seed === undefined ? Math.random : generator(Number(values.seed));
  const choose = (actions: LegalAction[]): LegalAction => actions[Math.floor(random() * actions.length)] as LegalAction;
  const outcome = await play(client, choose, Number(values["most-actions"]));
  const found = await differences(client);
  client.close();
  for (const difference of found) console.error(difference);
  console.log(`${seat}: ${client.at} events, places ${outcome ? JSON.stringify(outcome.places) : "open"}`);
  process.exitCode = found.length > 0 ? 1 : 0;
}

main().catch((error: unknown) => {
  console.error(error instanceof Refused ? `refused: ${error.message}` : error);
  process.exitCode = 1;
});
