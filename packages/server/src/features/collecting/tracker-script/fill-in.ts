import { readFileSync } from "node:fs";

const BUILT_FILES = new URL("../../../../../tracker/dist/", import.meta.url);

/** Automatic events that a page may ask for, in the order in which the names of built files hold them. */
export const AUTOMATIC_EVENTS = ["404", "download", "form", "outbound", "scroll"] as const;

type AutomaticEvent = (typeof AUTOMATIC_EVENTS)[number];

/** Values that the server writes into the built tracker; the names are those of its placeholders. */
export interface ScriptValues {
	readonly FOOTFALL_ID: string;
	readonly FOOTFALL_TOKEN: string;
	/** Address of the service with a slash at the end, for scripts that cannot see their own address. */
	readonly FOOTFALL_ROOT: string;
	/** Content group of pages that name none. */
	readonly FOOTFALL_GROUP: string;
	/** Whether the first page view goes out by itself. */
	readonly FOOTFALL_AUTO: boolean;
	/** Whether single-page routes count as page views. */
	readonly FOOTFALL_SPA: boolean;
}

const placeholder = /FOOTFALL_[A-Z]+/g;

/** Reads the built tracker with each choice of automatic events. Throws when they were not built. */
export function readTrackers(): (events: readonly string[]) => string {
	const byFile = new Map<string, string>();
	for (let mask = 0; mask < 2 ** AUTOMATIC_EVENTS.length; mask++) {
		const file = fileOf(AUTOMATIC_EVENTS.filter((_, index) => mask & (1 << index)));
		byFile.set(file, readBuilt(file));
	}
	return (events) => {
		const tracker = byFile.get(fileOf(AUTOMATIC_EVENTS.filter((name) => events.includes(name))));
		if (tracker === undefined) throw new Error(`No tracker was built for ${events}`);
		return tracker;
	};
}

const fileOf = (events: readonly AutomaticEvent[]) => `${["tracker", ...events].join(".")}.js`;

function readBuilt(file: string): string {
	try {
		return readFileSync(new URL(file, BUILT_FILES), "utf8");
	} catch (cause) {
		throw new Error("The tracker is not built: run node packages/tracker/build.mjs", { cause });
	}
}

/** The tracker with JSON literals in the place of its placeholders; no value can end its literal or a script element. */
export function fillIn(tracker: string, values: ScriptValues): string {
	const literals = new Map(Object.entries(values).map(([name, value]) => [name, literal(value)]));
	return tracker.replace(placeholder, (name) => {
		const text = literals.get(name);
		if (text === undefined) throw new Error(`The tracker asks for ${name}, which the server does not know`);
		return text;
	});
}

/** JSON is JavaScript but for two line separators in old engines; `<` is written so that inline copies stay whole. */
const literal = (value: string | boolean) =>
	JSON.stringify(value).replace(/[<\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
