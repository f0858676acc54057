// Builds the dashboard into `dist`: Vite's files, each beside its compressed forms, and the paths that answer the page.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "vite";
import { oneLanguage } from "./one-language.ts";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

process.chdir(at("."));
rmSync(at("dist"), { recursive: true, force: true });
/** For `npm run coverage`: places in the files lead to the sources, and both languages remain in one build. */
const isMeasured = process.argv.includes("--measured");
// Each language is a build of its own; they share what has no words. English last: its page and manifest keep their names.
for (const language of ["es", "en"]) {
	await build({
		configFile: at("vite.config.ts"),
		logLevel: "warn",
		plugins: isMeasured ? [] : [oneLanguage(language)],
		build: { emptyOutDir: false, ...(isMeasured && { sourcemap: "hidden", minify: false }) },
	});
	if (language === "en") continue;
	renameSync(at("dist/index.html"), at(`dist/index.${language}.html`));
	renameSync(at("dist/.vite/manifest.json"), at(`dist/.vite/manifest.${language}.json`));
}

const compressible = /\.(js|css|svg|json|html)$/;
for (const name of readdirSync(at("dist"), { recursive: true })) {
	const path = join(at("dist"), name);
	if (!statSync(path).isFile() || !compressible.test(name) || /^index\.|^\.vite/.test(name)) continue;
	const body = readFileSync(path);
	const brotli = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
	if (brotli.length < body.length) writeFileSync(`${path}.br`, brotli);
	const gzip = gzipSync(body, { level: 9 });
	if (gzip.length < body.length) writeFileSync(`${path}.gz`, gzip);
}
writeFileSync(at("dist/routes.json"), readFileSync(at("src/routes/paths.json")));
// The page comes last: its age tells whether to build again.
const now = new Date();
utimesSync(at("dist/index.html"), now, now);
