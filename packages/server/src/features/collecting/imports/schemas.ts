import { Type } from "typebox";
import { account } from "../../../access/index.ts";
import { limitAndOffset, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { importSources, reportedDimensions, skipReasons, storedSources } from "./formats/format.ts";
import { importStatuses } from "./store.ts";

const Day = Type.String({ format: "date" });

/** Body of a new import: its texts. */
export const ImportFields = Type.Object({
	source: OneOf(importSources, { description: "Tool that wrote the file" }),
	dry_run: Type.Boolean({
		default: true,
		description: "`true` validates the file and reports, `false` imports it right away",
	}),
	timezone: Type.Optional(
		Type.String({
			minLength: 1,
			maxLength: 64,
			description:
				"IANA zone of the times in the file, where it has none; default: the zone of the site, UTC for `umami_csv`",
		}),
	),
	date_from: Type.Optional(Type.String({ format: "date", description: "First day to import" })),
	date_to: Type.Optional(Type.String({ format: "date", description: "Last day" })),
	column_map: Type.Optional(
		Type.String({ maxLength: 10_000, description: "JSON object that maps the file's column names to ours" }),
	),
});

/** The same with the file, as it is described. */
export const ImportForm = Type.Object({
	...ImportFields.properties,
	file: Type.String({
		contentEncoding: "binary",
		contentMediaType: "application/octet-stream",
		description: "The file",
	}),
});

export const ColumnMap = Type.Record(
	Type.String({ minLength: 1, maxLength: 200 }),
	Type.String({ minLength: 1, maxLength: 100 }),
	{ maxProperties: 200 },
);

export const ListQuery = Type.Object({ ...account, ...limitAndOffset({ limit: 20, max: 100 }) });
export const ImportParams = Type.Object({ import_id: Type.String({ format: "uuid" }) });

const Count = Type.Integer({ minimum: 0 });

export const Report = Type.Object({
	rows_read: Count,
	rows_accepted: Count,
	rows_skipped: Count,
	skip_reasons: Type.Array(
		Type.Object({
			reason: OneOf(skipReasons),
			count: Count,
			sample_lines: Type.Array(Type.Integer(), { description: "Numbers of the first such lines" }),
			samples: Type.Array(Type.String(), {
				description: "Member, line and error of the first such lines, where known",
			}),
		}),
	),
	date_from: Nullable(Day),
	date_to: Nullable(Day),
	totals: Type.Object({
		entrances: Count,
		engaged_entrances: Count,
		page_views: Count,
		microconversions: Count,
		conversions: Count,
		revenue: Type.Number(),
	}),
	by_day: Type.Array(Type.Object({ date: Day, entrances: Count, page_views: Count })),
	dimensions_filled: Type.Array(OneOf(reportedDimensions)),
	warnings: Type.Array(Type.String()),
});

export const Import = Type.Object({
	import_id: Type.String({ format: "uuid" }),
	account_id: Type.String(),
	source: OneOf(storedSources, { description: "`legacy_service`: created by a migration job" }),
	file_name: Type.String(),
	file_size_bytes: Count,
	file_sha256: Type.String(),
	dry_run: Type.Boolean({ description: "`false` once the import was run" }),
	status: OneOf(importStatuses),
	progress_percent: Type.Integer({ minimum: 0, maximum: 100, description: "Progress within the current status" }),
	report: Nullable(Report),
	error_message: Nullable(Type.String()),
	created_by: Nullable(Type.Integer(), { description: "User" }),
	created_at: Timestamp(),
	started_at: Nullable(Timestamp()),
	completed_at: Nullable(Timestamp()),
	undone_at: Nullable(Timestamp()),
});

export const ImportList = Type.Object({ imports: Type.Array(Import), total: Type.Integer() });
