// What Python wrote for these tests: rule sets, games played by the server's rules, perft positions, claims.
import { readFileSync } from "node:fs";

export const { rules, games, perft, limits, wins, decided, dailies, suits } = JSON.parse(readFileSync(process.env.SCRIPT_TEST_DATA, "utf8"));
