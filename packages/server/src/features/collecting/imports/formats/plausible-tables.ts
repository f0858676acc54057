import type { ImportedSum } from "./format.ts";
import { browserName, countryCode, osName, withKnownSource } from "./known-names.ts";

type Dimensions = ImportedSum["dimensions"];
/** A value of a row by the name of its column. */
type Cell = (name: string) => string;

/** Dimensions by which a table of the archive divides the visits of a day. */
export interface PlausibleTable {
	readonly dimensions: (cell: Cell) => Dimensions;
	/** The column that counts visits; null where a visit is in several rows. */
	readonly visits: "visits" | "entrances" | null;
}

/** The tables that hold the same visits, each by another dimension. */
export const plausibleTables: Readonly<Record<string, PlausibleTable>> = {
	sources: { dimensions: sourceOf, visits: "visits" },
	entry_pages: { dimensions: (cell) => ({ landing_path: cell("entry_page") }), visits: "entrances" },
	locations: { dimensions: (cell) => ({ country: countryCode(cell("country")) }), visits: "visits" },
	devices: { dimensions: (cell) => ({ device: cell("device") }), visits: "visits" },
	browsers: { dimensions: (cell) => ({ browser: browserName(cell("browser")) }), visits: "visits" },
	operating_systems: { dimensions: (cell) => ({ os: osName(cell("operating_system")) }), visits: "visits" },
	pages: { dimensions: (cell) => ({ path: cell("page") }), visits: null },
};

/** Campaign values count before the referrer, and that before the name that the tool gave to it. */
function sourceOf(cell: Cell): Dimensions {
	const names = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
	const given = names.filter((name) => cell(name) !== "").map((name) => [name, cell(name)] as const);
	const referrer = cell("referrer");
	const source = /^direct/i.test(cell("source")) ? "" : cell("source");
	if (given.length > 0) return withKnownSource({ utm_source: source, ...Object.fromEntries(given), referrer });
	if (referrer !== "") return { referrer };
	if (source === "") return { utm_source: "(direct)", utm_medium: "(none)" };
	return /^[\w-]+(\.[\w-]+)+$/.test(source) ? { referrer: source } : withKnownSource({ utm_source: source });
}
