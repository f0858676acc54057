import {
	type ImportDimension,
	type ImportMeasure,
	importDimensions,
	importMeasures,
	UnreadableFile,
} from "./format.ts";

/** What a column of a table tells. */
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

/** The columns that a tool writes, by their names in small letters. */
export type ColumnVocabulary = Readonly<Record<string, ColumnRole>>;

export const dimension = (name: ImportDimension, read?: (text: string) => string): ColumnRole => ({
	kind: "dimension",
	name,
	...(read !== undefined && { read }),
});
export const measure = (name: ImportMeasure): ColumnRole => ({ kind: "measure", name });

const own: Readonly<Record<string, ColumnRole>> = {
	date: { kind: "date" },
	hour: { kind: "hour" },
	ignore: { kind: "ignored" },
	...Object.fromEntries(importDimensions.map((name) => [name, dimension(name)])),
	...Object.fromEntries(importMeasures.map((name) => [name, measure(name)])),
};

/** What a name of ours in a column map stands for. */
const ownRole = (name: string): ColumnRole | undefined => (Object.hasOwn(own, name) ? own[name] : undefined);

/** A name of a column as it is compared. */
export const columnKey = (name: string): string => name.trim().replace(/\s+/g, " ").toLowerCase();

/** The words of a tool, with those that the user adds. Throws `UnreadableFile` about a name that is none of ours. */
export function withColumnMap(
	vocabulary: ColumnVocabulary,
	columnMap: Readonly<Record<string, string>>,
): ReadonlyMap<string, ColumnRole> {
	const roles = new Map(Object.entries(vocabulary));
	for (const [theirs, ours] of Object.entries(columnMap)) {
		const role = ownRole(ours);
		if (role === undefined) {
			throw new UnreadableFile(`${ours} is none of ${Object.keys(own).join(", ")}`, "column_map");
		}
		roles.set(columnKey(theirs), role);
	}
	return roles;
}
