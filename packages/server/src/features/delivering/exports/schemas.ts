import type { Readable } from "node:stream";
import { type Static, Type } from "typebox";
import { account } from "../../../access/index.ts";
import { limitAndOffset, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { exportTypes, formatNames } from "./export-types.ts";
import { exportStatuses } from "./store.ts";

const text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));

const Filters = Type.Object(
	{
		utm_source: text(255, "Source"),
		utm_medium: text(255, "Medium"),
		utm_campaign: text(255, "Campaign"),
		utm_term: text(255, "Term"),
		utm_content: text(255, "Content"),
		country: text(50, "ISO 3166-1 alpha-2 code or `Unknown`"),
		device_type: text(50, "`desktop`, `mobile`, `tablet`, or `unknown` for imported rows"),
		browser: text(100, "Browser"),
		os: text(100, "Operating system"),
		content_grouping: text(255, "Content group of the page; of the landing page for all types except `pages`"),
		conversion_type: text(100, "Type of conversion or microconversion"),
		advanced_filters: text(1000, "`field:operator:value` entries separated by commas"),
		imports: Type.Optional(OneOf(["include", "exclude"], { description: "`exclude` omits imported rows" })),
	},
	{ description: "All conditions must match" },
);

export type Filters = Static<typeof Filters>;

export const filterNames = Object.keys(Filters.properties) as (keyof Filters)[];

const question = {
	export_type: OneOf(exportTypes, { description: "Kind of the rows" }),
	date_from: Type.String({ format: "date", description: "First day, in the site's time zone" }),
	date_to: Type.String({ format: "date", description: "Last day" }),
	filters: Type.Optional(Filters),
};

export const ExportBody = Type.Object({ ...question, format: OneOf(formatNames, { default: "csv" }) });

/** Body of a request for a file at once; the header `Accept` may choose the format too. */
export const StreamBody = Type.Object({
	...question,
	format: Type.Optional(
		OneOf(formatNames, {
			description: "Default: `csv`; with `Accept: application/x-ndjson` JSON is sent as one object per line",
		}),
	),
});

export const ListQuery = Type.Object({
	...account,
	...limitAndOffset({ limit: 20, max: 100 }),
	include_expired: Type.Boolean({ default: false }),
});

/** Query string of a download, which no guard looks at. */
export const DownloadQuery = Type.Object({
	...account,
	site_id: Type.Optional(Type.Never({ description: "Not accepted here; `account_id` names the site" })),
});

export const JobParams = Type.Object({ job_id: Type.String({ format: "uuid" }) });
export const DownloadParams = Type.Object({ download_token: Type.String() });

export const ExportSummary = Type.Object({
	id: Type.Integer(),
	job_id: Type.String({ format: "uuid" }),
	site_id: Type.String(),
	export_type: OneOf(exportTypes),
	format: OneOf(formatNames),
	date_from: Type.String({ format: "date" }),
	date_to: Type.String({ format: "date" }),
	status: OneOf(exportStatuses),
	estimated_rows: Type.Integer(),
	actual_rows: Nullable(Type.Integer()),
	file_size_bytes: Nullable(Type.Integer()),
	file_size_human: Nullable(Type.String()),
	progress_percent: Type.Integer({ minimum: 0, maximum: 100 }),
	download_url: Nullable(Type.String(), { description: "While the status is `completed`; works without credentials" }),
	download_expires_at: Nullable(Timestamp()),
	started_at: Nullable(Timestamp()),
	completed_at: Nullable(Timestamp(), { description: "When the file was ready, or the export failed" }),
	created_at: Timestamp(),
	error_message: Nullable(Type.String()),
	created_by: Nullable(Type.Integer(), { description: "User" }),
});

export const ExportJob = Type.Object({ ...ExportSummary.properties, filters: Filters });

export const ExportEstimate = Type.Object({
	estimated_rows: Type.Integer(),
	estimated_size_bytes: Type.Integer(),
	estimated_size_human: Type.String(),
	recommended_format: OneOf(formatNames),
	will_use_background_job: Type.Boolean(),
	estimated_duration_seconds: Type.Integer(),
});

export const CreatedExport = Type.Object({ job: ExportJob, estimate: ExportEstimate, message: Type.String() });

export const ExportList = Type.Object({
	exports: Type.Array(ExportSummary),
	total: Type.Integer({ description: "Number of exports on all pages" }),
});

export const TooManyRows = Type.Object({ detail: Type.String() }, { description: "More than 10,000 rows" });

const file = { schema: Type.Unsafe<Readable>(Type.String({ contentEncoding: "binary" })) };
const rows = { schema: Type.Unsafe<Readable>(Type.Array(Type.Object({}, { additionalProperties: true }))) };

export const ExportFile = {
	description: "The file",
	content: {
		"text/csv": file,
		"application/json": rows,
		"application/vnd.apache.parquet": file,
	},
};

export const StreamedFile = {
	description: "The file",
	content: { ...ExportFile.content, "application/x-ndjson": file },
};
