import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type BuiltFile, readBuiltFiles } from "../../../platform/http/built-files.ts";

/** Where the help of this checkout is built. */
const built = fileURLToPath(new URL("../../../../../help/dist/", import.meta.url));

/** The built help, in memory: it weighs some three megabytes. */
export interface Help {
	/** Its pages by their address below `/help/`; that of `/help` is empty. */
	readonly pages: ReadonlyMap<string, BuiltFile>;
	/** Page for unknown addresses. */
	readonly missing: BuiltFile;
	/** Files whose names tell what is in them, by name. */
	readonly assets: ReadonlyMap<string, BuiltFile>;
}

/** Reads the built help; undefined when there is none. */
export function readHelp(directory: string = built): Help | undefined {
	const pages = join(directory, "pages");
	if (!existsSync(join(pages, "index.html"))) return undefined;
	const all = new Map([...pagesIn(pages, ""), ...pagesIn(join(pages, "decisions"), "decisions/")]);
	const missing = all.get("404");
	if (missing === undefined) throw new Error("The help has no page for what is missing: build it again");
	all.delete("404");
	return { pages: all, missing, assets: readBuiltFiles(join(directory, "assets")) };
}

const pagesIn = (directory: string, prefix: string): (readonly [string, BuiltFile])[] =>
	existsSync(directory)
		? [...readBuiltFiles(directory)].map(([name, file]) => [addressOf(prefix + name), file] as const)
		: [];

const addressOf = (name: string): string => name.replace(/(^index)?\.html$/, "");
