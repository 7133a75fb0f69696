// node --import roots.mjs: find the scripts of all subjects under the addresses that browsers see, /static/games/...

import { register } from "node:module";

register(new URL("resolve.mjs", import.meta.url));
