// Packs what a release publishes, into dist/release: `npm run pack`.
import { statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/root.ts";
import { packAll } from "./release/pack.ts";

const { server, tracker, client } = await packAll(root, join(root, "dist/release"));
for (const { path: file } of [server, tracker, client])
	console.log(`${file} (${(statSync(file).size / 1e6).toFixed(1)} MB)`);
