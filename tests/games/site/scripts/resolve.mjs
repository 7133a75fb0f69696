// What one subject imports from another lies beside it for a browser, and in another folder on disk.

import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const PROJECT = new URL("../../../../", import.meta.url);
const ROOTS = ["games", "leaderboards"]
  .flatMap((app) => readdirSync(new URL(`${app}/`, PROJECT)).map((subject) => new URL(`${app}/${subject}/static/`, PROJECT)))
  .filter((root) => existsSync(root));

const served = (address) => ROOTS.map((root) => new URL(address, root)).find((file) => existsSync(file));

/** The address of a file under /static/, "" for one that is not served. */
function addressOf(url) {
  const root = ROOTS.find((folder) => url?.startsWith(folder.href));
  return root ? fileURLToPath(url).slice(fileURLToPath(root).length) : "";
}

export function resolve(specifier, context, next) {
  const from = addressOf(context.parentURL);
  const isServed = specifier.startsWith("games/") || (from && specifier.startsWith("."));
  const address = isServed && new URL(specifier, `http://static/${specifier.startsWith(".") ? from : ""}`).pathname.slice(1);
  const file = address && served(address);
  return file ? { url: pathToFileURL(fileURLToPath(file)).href, shortCircuit: true } : next(specifier, context);
}
