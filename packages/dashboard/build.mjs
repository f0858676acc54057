// Builds the dashboard into `dist`: Vite's files, each beside its compressed forms, and the paths that answer the page.
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

process.chdir(at("."));
await build({ configFile: at("vite.config.ts"), logLevel: "warn" });

const compressible = /\.(js|css|svg|json|html)$/;
for (const name of readdirSync(at("dist"), { recursive: true })) {
	const path = join(at("dist"), name);
	if (!statSync(path).isFile() || !compressible.test(name) || name === "index.html") continue;
	const body = readFileSync(path);
	const brotli = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
	if (brotli.length < body.length) writeFileSync(`${path}.br`, brotli);
	const gzip = gzipSync(body, { level: 9 });
	if (gzip.length < body.length) writeFileSync(`${path}.gz`, gzip);
}
rmSync(at("dist/.vite/manifest.json.br"), { force: true });
rmSync(at("dist/.vite/manifest.json.gz"), { force: true });
writeFileSync(at("dist/routes.json"), readFileSync(at("src/routes/paths.json")));
// The page comes last: its age tells whether to build again.
const now = new Date();
utimesSync(at("dist/index.html"), now, now);
