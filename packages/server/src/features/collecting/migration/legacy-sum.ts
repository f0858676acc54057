import type { ImportedSum } from "../imports/index.ts";
import type { MigrationKind } from "./kinds.ts";

/** A fetched row as a line of the import's file. */
type Sum = Pick<ImportedSum, "at" | "dimensions" | "measures">;

const texts = {
	source: "utm_source",
	medium: "utm_medium",
	campaign: "utm_campaign",
	term: "utm_term",
	content: "utm_content",
	referrer: "referrer",
	landing_page: "landing_path",
	country: "country",
	device: "device",
	browser: "browser",
	os: "os",
} as const;

const measures = {
	conversions: { conversions: "conversions", revenue: "revenue" },
	microconversions: { microconversions: "microconversions" },
	pageviews: {
		entrances: "entrances",
		engaged_entrances: "engaged",
		page_views: "page_views",
		visit_seconds: "visit_seconds",
	},
} as const satisfies Readonly<Record<MigrationKind, Readonly<Record<string, keyof ImportedSum["measures"]>>>>;

/** Which column of a kind names what was counted. */
const own = {
	conversions: ["type", "event_type"],
	microconversions: ["type", "event_type"],
	pageviews: ["page", "path"],
} as const;

/** A row of the older service as a sum; one that is invalid has no day, which the import reports as malformed. */
export function legacySum(kind: MigrationKind, row: unknown): Sum {
	const cells = typeof row === "object" && row !== null ? (row as Readonly<Record<string, unknown>>) : {};
	const dimensions: Record<string, string> = {};
	const [theirs, ours] = own[kind];
	for (const [name, dimension] of [...Object.entries(texts), [theirs, ours] as const]) {
		const value = cells[name];
		if (typeof value === "string" && value !== "") dimensions[dimension] = value;
	}
	const counts: Record<string, number> = {};
	for (const [name, measure] of Object.entries(measures[kind])) {
		// Money comes as text from some releases.
		const value = cells[name] === undefined || cells[name] === null ? 0 : Number(cells[name]);
		if (value !== 0) counts[measure] = Number.isFinite(value) ? value : -1;
	}
	const date = typeof cells.date === "string" ? cells.date : "";
	return { at: { date, hour: undefined }, dimensions, measures: counts };
}
