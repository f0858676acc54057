// Builds the help into `dist`: the pages of `docs` as HTML below `pages`, what they load in `assets`, all beside their
// compressed forms.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "esbuild";
import { laidOut, makeSite } from "./src/build/make-site.ts";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const dist = at("dist/");

rmSync(dist, { recursive: true, force: true });
const { metafile } = await build({
	entryPoints: { help: at("src/browser/help.ts"), theme: at("src/browser/theme.ts"), style: at("src/styles/help.css") },
	outdir: join(dist, "assets"),
	absWorkingDir: at("."),
	bundle: true,
	minify: true,
	format: "esm",
	splitting: true,
	target: ["es2022", "chrome123", "firefox120", "safari17.5"],
	entryNames: "[name]-[hash]",
	chunkNames: "[name]-[hash]",
	legalComments: "none",
	metafile: true,
	tsconfigRaw: {},
});
const built = Object.entries(metafile.outputs).map(([file, { entryPoint }]) => [
	file.replace(/^dist/, "/help"),
	entryPoint,
]);
const addressOf = (source) => built.find(([, entry]) => entry === source)?.[0];

const site = makeSite();
const hash = createHash("sha256").update(site.index).digest("hex").slice(0, 10);
const assets = {
	style: addressOf("src/styles/help.css"),
	theme: addressOf("src/browser/theme.ts"),
	script: addressOf("src/browser/help.ts"),
	index: `/help/assets/index-${hash}.json`,
};

const files = new Map([[`assets/index-${hash}.json`, site.index]]);
for (const [file] of built) files.set(file.replace("/help/", ""), readFileSync(dist + file.replace("/help/", "")));
for (const [path, html] of laidOut(site, assets)) files.set(`pages/${path === "" ? "index" : path}.html`, html);

const brotli = (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
const write = (name, body) => {
	mkdirSync(dirname(dist + name), { recursive: true });
	writeFileSync(dist + name, body);
};
await Promise.all(
	[...files].map(async ([name, body]) => {
		write(name, body);
		const [br, gz] = await Promise.all([brotli(body), promisify(gzip)(body, { level: 9 })]);
		if (br.length < Buffer.byteLength(body)) write(`${name}.br`, br);
		if (gz.length < Buffer.byteLength(body)) write(`${name}.gz`, gz);
	}),
);
for (const { name, body } of site.pictures) write(`assets/${name}`, body);
// It comes last: its age tells whether to build again.
write("built", "");
