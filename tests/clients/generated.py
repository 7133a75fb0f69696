"""Programs for clients that generators make from the OpenAPI document; each plays a game over REST and lists it."""

PYTHON = """
import sys

from generated import AuthenticatedClient, Client
from generated.api.games import list_games, read_state, resign, start_game, take_action
from generated.api.start import create_guest
from generated.models import ActionInput, NewGameInput, NewGameInputKind, NewGuestInput, VersionInput

server = sys.argv[1]
guest = create_guest.sync(client=Client(server), body=NewGuestInput(display_name="Generated", is_bot=True))
client = AuthenticatedClient(server, guest.token)
terms = NewGameInput(kind=NewGameInputKind.PRACTICE, rules="relaxed")
game = start_game.sync(client=client, body=terms)
state = read_state.sync(game.id, client=client)
version, legal = state.version, state.legal
for _ in range(6):
    taken = take_action.sync(game.id, client=client, body=ActionInput(version=version, action=max(legal, key=len)))
    version, legal = taken.version, taken.legal
resign.sync(game.id, client=client, body=VersionInput(version=version))
for each in list_games.sync(client=client).games:
    print(each.id == game.id, each.kind, each.status, each.moves, each.day)
"""

TYPESCRIPT = """
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

declare const process: { argv: string[] };
const baseUrl = process.argv[2] ?? "";

async function granted<T>(answer: Promise<{ data?: T; error?: components["schemas"]["Refusal"] }>): Promise<T> {
  const { data, error } = await answer;
  if (!data) throw new Error(error?.code);
  return data;
}

const anyone = createClient<paths>({ baseUrl });
const guest = await granted(anyone.POST("/api/guests/", { body: { display_name: "Generated", is_bot: true } }));
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${guest.token}` } });
const game = await granted(client.POST("/api/games/", { body: { kind: "practice", rules: "relaxed" } }));
const params = { path: { game_id: game.id } };
let { version, legal } = await granted(client.GET("/api/games/{game_id}/state/", { params }));
for (let turn = 0; turn < 6; turn += 1) {
  const action = legal.reduce((one, other) => (other.length > one.length ? other : one));
  const body = { version, action };
  ({ version, legal } = await granted(client.POST("/api/games/{game_id}/actions/", { params, body })));
}
await granted(client.POST("/api/games/{game_id}/resign/", { params, body: { version } }));
const { games } = await granted(client.GET("/api/games/"));
for (const { id, kind, status, moves, day } of games) {
  const isRace: boolean = kind === "race"; // does not compile where a kind is missing
  console.log(id === game.id, kind, status, moves, day, isRace);
}
"""
