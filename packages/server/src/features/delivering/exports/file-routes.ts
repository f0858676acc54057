import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { type Static, Type } from "typebox";
import { AccountQuery, account, type Guard } from "../../../access/index.ts";
import { fileContent, type WrittenFormat } from "../../../analytics/query/files/file-query.ts";
import type { App } from "../../../platform/http/app.ts";
import { beginFile } from "../../../platform/http/begin-file.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { ErrorRef, OneOf } from "../../../platform/http/schemas.ts";
import { given } from "../../../platform/lib/given.ts";
import { createLane } from "../../../platform/lib/lane.ts";
import type { ExportDeps } from "./deps.ts";
import { openDownload } from "./download-link.ts";
import { type ExportFormat, type ExportType, exportFormats, exportTypes, formatNames } from "./export-types.ts";
import { countRows, Filters, filterNames, parseExport, questionOf } from "./parse.ts";

export const question = {
	export_type: OneOf(exportTypes, { description: "Kind of the rows" }),
	date_from: Type.String({ format: "date", description: "First day, in the site's time zone" }),
	date_to: Type.String({ format: "date", description: "Last day" }),
	filters: Type.Optional(Filters),
};

/** The header `Accept` may choose the format too. */
const StreamBody = Type.Object({
	...question,
	format: Type.Optional(
		OneOf(formatNames, {
			description: "Default: `csv`; with `Accept: application/x-ndjson` JSON is sent as one object per line",
		}),
	),
});

/** Bulk reading: readers of a site's reports may export them, including API keys. */
const guard: Guard = {
	kind: "site",
	siteFrom: "account",
	refusesSiteId: true,
	keyScope: "stats:read",
	role: "viewer",
	write: false,
};
export const reading = { tags: ["Exports"], querystring: AccountQuery, guard };

export const badDates = {
	description: "`bad_request`: the dates are in the wrong order or too far apart",
	...ErrorRef,
};

export const inputOf = (body: Omit<Static<typeof StreamBody>, "format">) => ({
	export_type: body.export_type,
	date_from: body.date_from,
	date_to: body.date_to,
	filters: given(body.filters ?? {}, filterNames),
});

const file = { schema: Type.Unsafe<Readable>(Type.String({ contentEncoding: "binary" })) };
const rows = { schema: Type.Unsafe<Readable>(Type.Array(Type.Object({}, { additionalProperties: true }))) };

const ExportFile = {
	description: "The file",
	content: {
		"text/csv": file,
		"application/json": rows,
		"application/vnd.apache.parquet": file,
	},
};

/** A slow reader holds a query open; most of the engine's places are left to everybody else. */
const STREAMS_AT_ONCE = 4;
const MAX_ROWS = 10_000;

const ndjson = { contentType: "application/x-ndjson", extension: "ndjson" };

/** Headers of a file that is to be saved; the name is made of the type and the dates. */
function describeFile(
	reply: FastifyReply,
	of: { readonly export_type: ExportType; readonly date_from: string; readonly date_to: string },
	format: WrittenFormat,
): void {
	const { contentType, extension } = format === "ndjson" ? ndjson : exportFormats[format];
	reply.headers({
		"content-type": contentType,
		"content-disposition": `attachment; filename="${of.export_type}_${of.date_from}_${of.date_to}.${extension}"`,
		"cache-control": "no-store",
	});
}

function streamFormat(asked: ExportFormat | undefined, accept: string | undefined): WrittenFormat {
	const takesLines = accept?.toLowerCase().includes("application/x-ndjson") ?? false;
	if (takesLines && (asked === undefined || asked === "json")) return "ndjson";
	return asked ?? "csv";
}

export function registerFiles(app: App, deps: ExportDeps): void {
	const places = createLane(STREAMS_AT_ONCE);
	app.route({
		method: "POST",
		url: "/exports/stream",
		schema: {
			"x-headers": ["Content-Disposition"],
			tags: reading.tags,
			summary: "Download at most 10,000 rows directly",
			querystring: AccountQuery,
			body: StreamBody,
			response: {
				200: { ...ExportFile, content: { ...ExportFile.content, "application/x-ndjson": file } },
				400: badDates,
				413: Type.Object({ detail: Type.String() }, { description: "More than 10,000 rows" }),
			},
		},
		config: { guard: reading.guard },
		handler: async ({ site, body, headers }, reply) => {
			const format = streamFormat(body.format, headers.accept);
			const parsed = parseExport(site, deps.clock, inputOf(body));
			const rows = await countRows(deps, site, parsed);
			if (rows > MAX_ROWS) {
				const detail = `${rows} rows are more than the ${MAX_ROWS} of a stream; POST /exports makes a file of them`;
				return reply.code(413).send({ detail });
			}
			const file = await beginFile(places, fileContent(deps, questionOf(site, deps.clock, parsed), format));
			describeFile(reply, body, format);
			return reply.send(file);
		},
	});
	app.route({
		method: "GET",
		url: "/exports/download/:download_token",
		schema: {
			"x-headers": ["Content-Disposition"],
			tags: reading.tags,
			summary: "Download the file of an export; the link works without credentials for 24 hours",
			params: Type.Object({ download_token: Type.String() }),
			querystring: Type.Object({
				...account,
				site_id: Type.Optional(Type.Never({ description: "Not accepted here; `account_id` names the site" })),
			}),
			response: { 200: ExportFile, ...errorAnswers("forbidden") },
		},
		config: { guard: { kind: "public" } },
		handler: async (request, reply) => {
			const asked = { token: request.params.download_token, siteId: request.query.account_id };
			const visitor = { ip: request.ip, userAgent: request.headers["user-agent"] };
			const { row, file } = await openDownload(deps, asked, visitor);
			describeFile(reply, row, row.format);
			reply.header("content-length", file.bytes);
			// The framework would read all of it for its head alone.
			if (request.method === "HEAD") file.content.destroy();
			return reply.send(file.content);
		},
	});
}
