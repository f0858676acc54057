import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuiltFile, readBuiltFiles } from "../../../platform/http/built-files.ts";
import { languages } from "../../../platform/http/pages/languages.ts";
import { readTemplate, type Template } from "./template.ts";

/** Where the dashboard of this checkout is built. */
const built = fileURLToPath(new URL("../../../../../dashboard/dist/", import.meta.url));

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
	const pages = ["index.html", ...languages.map((language) => `index.${language}.html`)];
	const own = new Set([...pages, "routes.json", "favicon.ico"]);
	return {
		template: readTemplates(directory),
		patterns: readPatterns(join(directory, "routes.json")),
		assets: readBuiltFiles(join(directory, "assets")),
		rootFiles: readBuiltFiles(directory, own),
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
