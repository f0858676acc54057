import type { Routes } from "../../api/api.generated.ts";
import { textOf } from "../../lib/use-form.ts";

/** Input of an export. */
export type ExportInput = Routes["POST /exports"]["body"];
type Filters = NonNullable<ExportInput["filters"]>;

/** Row types of an export, the most useful first. */
export const exportTypes = [
	"pages",
	"landing_pages",
	"sources",
	"mediums",
	"campaigns",
	"terms",
	"countries",
	"devices",
	"browsers",
	"os",
	"time_series",
	"conversions",
	"microconversions",
] as const satisfies readonly ExportInput["export_type"][];
export const exportFormats = ["csv", "json", "parquet"] as const satisfies readonly ExportInput["format"][];
/** Filters that have a field of their own. */
const filterFields = [
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"country",
	"device_type",
	"advanced_filters",
] as const satisfies readonly (keyof Filters)[];

/** Values of the form; a country code is upper-cased. */
export function inputOf(values: FormData): ExportInput {
	const filters: Filters = Object.fromEntries(
		filterFields.flatMap((name) => {
			const text = textOf(values, name).trim();
			return text === "" ? [] : [[name, name === "country" && text.length === 2 ? text.toUpperCase() : text]];
		}),
	);
	return {
		export_type: exportTypes.find((type) => type === textOf(values, "export_type")) ?? "pages",
		format: exportFormats.find((format) => format === textOf(values, "format")) ?? "csv",
		date_from: textOf(values, "date_from"),
		date_to: textOf(values, "date_to"),
		...(Object.keys(filters).length > 0 && { filters }),
	};
}
