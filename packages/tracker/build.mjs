import { copyFileSync, mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const common = {
	bundle: true,
	minify: true,
	charset: "utf8",
	legalComments: "none",
	target: ["es2020"],
	tsconfigRaw: {},
};

/** Automatic events, in the order in which file names hold them. */
const events = ["404", "download", "form", "outbound", "scroll"];

mkdirSync(at("dist"), { recursive: true });
buildSync({ ...common, entryPoints: [at("src/footfall.ts")], outfile: at("dist/footfall.js"), format: "esm" });
copyFileSync(at("footfall.d.ts"), at("dist/footfall.d.ts"));
// The plain script comes last: it is the one whose age tells whether to build again.
for (let mask = 2 ** events.length - 1; mask >= 0; mask--) {
	const chosen = events.filter((_, index) => mask & (1 << index));
	buildSync({
		...common,
		entryPoints: [at("src/tracker.ts")],
		outfile: at(`dist/${["tracker", ...chosen].join(".")}.js`),
		format: "iife",
		define: {
			WITH_EVENTS: `${mask > 0}`,
			...Object.fromEntries(events.map((name) => [`WITH_${name.toUpperCase()}`, `${chosen.includes(name)}`])),
		},
	});
}
