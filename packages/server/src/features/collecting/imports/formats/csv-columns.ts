import {
	type ImportDimension,
	type ImportMeasure,
	importDimensions,
	importMeasures,
	UnreadableFile,
} from "./format.ts";
import { browserName, countryCode, osName } from "./known-names.ts";

/** Meaning of a table's column. */
export type ColumnRole =
	| { readonly kind: "date" | "hour" | "date_hour" | "nth_day" }
	| { readonly kind: "dimension"; readonly name: ImportDimension; readonly read?: (text: string) => string }
	/** Source and medium in one, as `google / organic`. */
	| { readonly kind: "source_medium" }
	/** Tells pages or events of a visit apart, and has no place here. */
	| { readonly kind: "part_of_visit" }
	/** `splitsVisits` where a table that counts it has several rows of one visit. */
	| { readonly kind: "measure"; readonly name: ImportMeasure; readonly splitsVisits?: true }
	/** Figures from which a measure is calculated. */
	| { readonly kind: "bounces" | "bounce_rate" | "engagement_rate" | "average_seconds" }
	/** Known to be of no use, and no loss. */
	| { readonly kind: "ignored" };

/** Columns of a tool: their role, and their names, separated by ` | `. Of two in a table with the same role, the first listed counts. */
export type ColumnVocabulary = readonly (readonly [ColumnRole, string])[];

/** Role of a column, and its place in the vocabulary; columns that the user named come before all others. */
export interface KnownColumn {
	readonly role: ColumnRole;
	readonly rank: number;
}

export const dimension = (name: ImportDimension, read = readings[name]): ColumnRole => ({
	kind: "dimension",
	name,
	...(read !== undefined && { read }),
});
export const measure = (name: ImportMeasure): ColumnRole => ({ kind: "measure", name });

/** Values that tools name in other words than ours. */
const readings: Readonly<Partial<Record<ImportDimension, (text: string) => string>>> = {
	country: countryCode,
	browser: browserName,
	os: osName,
};

const own: Readonly<Record<string, ColumnRole>> = {
	date: { kind: "date" },
	hour: { kind: "hour" },
	ignore: { kind: "ignored" },
	...Object.fromEntries(importDimensions.map((name) => [name, dimension(name)])),
	...Object.fromEntries(importMeasures.map((name) => [name, measure(name)])),
};

const ownRole = (name: string): ColumnRole | undefined => (Object.hasOwn(own, name) ? own[name] : undefined);

/** A name of a column as it is compared: tools write Spanish ones with and without articles, and slashes with and without blanks. */
export const columnKey = (name: string): string =>
	name
		.toLowerCase()
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.replace(/\b(?:de|del|el|la|las|los|en|por)\b/g, " ")
		.replace(/\s*\/\s*/g, "/")
		.replace(/\s+/g, " ")
		.trim();

/** The words of a tool, with those that the user adds. Throws `UnreadableFile` about a name that is none of ours. */
export function withColumnMap(
	vocabulary: ColumnVocabulary,
	columnMap: Readonly<Record<string, string>>,
): ReadonlyMap<string, KnownColumn> {
	const roles = new Map<string, KnownColumn>();
	for (const [rank, [role, names]] of vocabulary.entries()) {
		for (const name of names.split(" | ")) roles.set(columnKey(name), { role, rank });
	}
	for (const [theirs, ours] of Object.entries(columnMap)) {
		const role = ownRole(ours);
		if (role === undefined) {
			throw new UnreadableFile(`${ours} is none of ${Object.keys(own).join(", ")}`, "column_map");
		}
		roles.set(columnKey(theirs), { role, rank: -1 });
	}
	return roles;
}
