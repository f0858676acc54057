import { fieldError } from "../../../platform/errors/service-error.ts";
import { coerceTexts, type SchemaLike } from "../../../platform/http/coerce.ts";
import { parseJson } from "../../../platform/http/validate.ts";
import { normalizeTimezone } from "../../tenancy/sites/index.ts";
import type { ImportInput } from "./create-import.ts";
import { defaultTimezone } from "./formats/index.ts";
import { ColumnMap, ImportFields } from "./schemas.ts";
import type { Upload } from "./take-upload.ts";

/** Reads the fields of a form. Throws `validation_error` naming the field. */
export function readForm({ fields, file }: Upload, siteTimezone: string): ImportInput {
	const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ""));
	const schema = ImportFields as SchemaLike;
	const texts = coerceTexts(schema, given);
	const values = parseJson(ImportFields, JSON.stringify(texts), "body");
	return {
		source: values.source,
		dryRun: values.dry_run,
		timezone: zoneOf(values.timezone, defaultTimezone(values.source, siteTimezone)),
		from: values.date_from ?? null,
		to: values.date_to ?? null,
		columnMap: values.column_map === undefined ? {} : parseJson(ColumnMap, values.column_map, "body.column_map"),
		file,
	};
}

function zoneOf(zone: string | undefined, siteTimezone: string): string {
	if (zone === undefined) return siteTimezone;
	try {
		return normalizeTimezone(zone);
	} catch {
		throw fieldError("body.timezone", "Must be an IANA time zone such as Europe/Madrid", "timezone");
	}
}
