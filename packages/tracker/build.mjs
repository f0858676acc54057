import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

mkdirSync(at("dist"), { recursive: true });
buildSync({
	entryPoints: [at("src/tracker.ts")],
	outfile: at("dist/tracker.js"),
	bundle: true,
	minify: true,
	format: "iife",
	charset: "utf8",
	legalComments: "none",
	target: ["es2020"],
	tsconfigRaw: {},
});
