import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Encoding } from "../../../platform/http/choose-encoding.ts";
import { etagOf } from "../../../platform/http/etag.ts";
import { languages } from "../../../platform/http/pages/languages.ts";
import { readTemplate, type Template } from "./template.ts";

/** Where the dashboard of this checkout is built. */
const built = fileURLToPath(new URL("../../../../../dashboard/dist/", import.meta.url));

/** Media types of what a build writes, by the end of the name. */
const types: Readonly<Record<string, string>> = {
	".css": "text/css; charset=utf-8",
	".ico": "image/x-icon",
	".js": "text/javascript; charset=utf-8",
	".json": "application/json; charset=utf-8",
	".png": "image/png",
	".svg": "image/svg+xml",
	".txt": "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json",
	".webp": "image/webp",
	".woff2": "font/woff2",
};

const endings: Readonly<Record<Encoding, string>> = { br: ".br", gzip: ".gz" };

/** A file as it goes out. */
export interface BuiltFile {
	readonly type: string;
	readonly etag: string;
	readonly body: Buffer;
	/** Its compressed forms, as far as they are smaller. */
	readonly packed: ReadonlyMap<Encoding, Buffer>;
}

/** The built dashboard, in memory: it weighs a few megabytes at most. */
export interface Dashboard {
	readonly template: Template;
	/** Patterns of the addresses that are the page; `/*` at the end stands for whatever comes below, and for nothing. */
	readonly patterns: readonly string[];
	/** Files whose names tell what is in them, by name. */
	readonly assets: ReadonlyMap<string, BuiltFile>;
	/** Files that are asked for at the root of the host, by name. */
	readonly rootFiles: ReadonlyMap<string, BuiltFile>;
}

/** Reads the built dashboard; undefined when there is none. Throws when what is there was not built for this server. */
export function readDashboard(directory: string = built): Dashboard | undefined {
	const page = join(directory, "index.html");
	if (!existsSync(page)) return undefined;
	const own = new Set(["index.html", "routes.json", "favicon.ico"]);
	return {
		template: readTemplates(directory),
		patterns: readPatterns(join(directory, "routes.json")),
		assets: readFiles(join(directory, "assets"), new Set()),
		rootFiles: readFiles(directory, own),
	};
}

/** The page of each language that has one of its own, `index.es.html`; `index.html` for the others. */
function readTemplates(directory: string): Template {
	const read = (name: string) => readTemplate(readFileSync(join(directory, name), "utf8"));
	const usual = read("index.html");
	const own = new Map(
		languages
			.map((language) => [language, `index.${language}.html`] as const)
			.filter(([, name]) => existsSync(join(directory, name)))
			.map(([language, name]) => [language, read(name)]),
	);
	return (reader, boot) => (own.get(reader.language) ?? usual)(reader, boot);
}

function readPatterns(path: string): readonly string[] {
	const patterns: unknown = JSON.parse(readFileSync(path, "utf8"));
	if (Array.isArray(patterns) && patterns.every((pattern) => typeof pattern === "string" && pattern.startsWith("/")))
		return patterns;
	throw new Error("routes.json of the dashboard is no list of addresses: build it again");
}

function readFiles(directory: string, left: ReadonlySet<string>): ReadonlyMap<string, BuiltFile> {
	const names = readdirSync(directory, { withFileTypes: true })
		.filter((entry) => entry.isFile() && !left.has(entry.name) && extname(entry.name) in types)
		.map(({ name }) => name);
	return new Map(names.map((name) => [name, readFile(join(directory, name))]));
}

function readFile(path: string): BuiltFile {
	const body = readFileSync(path);
	const packed = new Map<Encoding, Buffer>();
	for (const encoding of ["br", "gzip"] as const) {
		const beside = path + endings[encoding];
		if (existsSync(beside)) packed.set(encoding, readFileSync(beside));
	}
	return { type: types[extname(path)] ?? "application/octet-stream", etag: etagOf(body), body, packed };
}
