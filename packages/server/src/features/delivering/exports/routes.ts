import type { FastifyReply } from "fastify";
import type { Static } from "typebox";
import { AccountQuery, type Guard } from "../../../access/index.ts";
import { fileContent, type WrittenFormat } from "../../../analytics/query/files/file-query.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { beginFile } from "../../../platform/http/begin-file.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { createLane } from "../../../platform/lib/lane.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { createExport } from "./create-export.ts";
import type { ExportDeps } from "./deps.ts";
import { downloadUrl, openDownload } from "./download-link.ts";
import { type ExportFormat, type ExportType, exportFormats } from "./export-types.ts";
import { countRows, type Estimate, estimateOf, humanSize, parseExport, questionOf } from "./parse.ts";
import { cleanUpExports, expireDueExports, exportNotFound, REMOVE_FILE_JOB, removeExport } from "./remove-export.ts";
import { EXPORT_JOB, failExport, runExport } from "./run-export.ts";
import {
	CreatedExport,
	DownloadParams,
	DownloadQuery,
	ExportBody,
	ExportEstimate,
	ExportFile,
	ExportJob,
	ExportList,
	ExportSummary,
	type Filters,
	filterNames,
	JobParams,
	ListQuery,
	StreamBody,
	StreamedFile,
	TooManyRows,
} from "./schemas.ts";
import { type ExportRow, exports } from "./store.ts";

type LinkDeps = ServerSecrets & Pick<ExportDeps, "rootUrl">;

const presentSummary = (deps: LinkDeps, row: ExportRow) => ({
	...presentRow(ExportSummary, row),
	file_size_human: row.file_size_bytes === null ? null : humanSize(row.file_size_bytes),
	download_url: downloadUrl(deps, row),
});

const presentJob = (deps: LinkDeps, row: ExportRow) => ({
	...presentSummary(deps, row),
	filters: JSON.parse(row.filters) as Filters,
});

const messages: Partial<Record<ExportRow["status"], string>> = {
	completed: "The export is ready",
	failed: "The export failed",
};

const presentCreated = (
	deps: LinkDeps,
	{ row, estimate }: { readonly row: ExportRow; readonly estimate: Estimate },
) => ({
	job: presentJob(deps, row),
	estimate,
	message: messages[row.status] ?? "The export is made in the background; GET /exports/{job_id} shows its progress",
});

/** A process without a sign of life for this long has left its export, which is begun again three times at most. */
const LEASE_MS = 10 * MINUTE_MS;
const ATTEMPTS = 4;
/** Fewer than the event store has places for streams: the other one is for downloads of reports. */
const EXPORTS_AT_ONCE = 3;

function registerExportJobs(deps: ExportDeps): void {
	const { jobs, files } = deps;
	jobs.register<{ jobId: string }>(
		EXPORT_JOB,
		async ({ jobId }, { signal }) => void (await runExport(deps, jobId, { signal })),
		{
			maxAttempts: ATTEMPTS,
			leaseMs: LEASE_MS,
			concurrency: EXPORTS_AT_ONCE,
			// The plan of an organization limits its exports at work. The next free place is for an organization that has none.
			perLane: EXPORTS_AT_ONCE,
			onGivenUp: async (trx, { jobId }) => void (await failExport(deps, trx, jobId, "The export could not be made")),
		},
	);
	jobs.register<{ fileName: string }>(REMOVE_FILE_JOB, ({ fileName }) => files.remove(fileName));
	jobs.schedule("export-expiry", "*/5 * * * *", () => cleanUpExports(deps));
}

/** Bulk reading: readers of a site's reports may export them, including API keys. */
const guard: Guard = {
	kind: "site",
	siteFrom: "account",
	refusesSiteId: true,
	keyScope: "stats:read",
	role: "viewer",
	write: false,
};
const reading = { tags: ["Exports"], querystring: AccountQuery, guard };
/** A slow reader holds a query open; most of the engine's places are left to everybody else. */
const STREAMS_AT_ONCE = 4;
const MAX_ROWS = 10_000;

const badDates = { description: "`bad_request`: the dates are in the wrong order or too far apart", ...ErrorRef };
const overPlan = {
	description: "`quota_exceeded`: more rows than the plan allows; `rate_limit_exceeded`: too many exports at a time",
	...ErrorRef,
};
const isBeingMade = { description: "`conflict`: the file is being created", ...ErrorRef };

export function registerExports(app: App, deps: ExportDeps): void {
	registerExportJobs(deps);
	registerJobs(app, deps);
	registerFiles(app, deps);
}

const inputOf = ({ export_type, date_from, date_to, filters = {} }: Omit<Static<typeof ExportBody>, "format">) => {
	const given = filterNames.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]]));
	return { export_type, date_from, date_to, filters: Object.fromEntries(given) as Filters };
};

function registerJobs(app: App, deps: ExportDeps): void {
	addRoute(app, "POST /exports", {
		...reading,
		summary: "Create an export: immediately below 10,000 rows, else in the background",
		body: ExportBody,
		status: 201,
		answer: CreatedExport,
		errors: { 400: badDates, 429: overPlan },
		handler: async (request) => {
			const { caller, site } = request;
			const tokenId = caller.kind === "key" ? caller.tokenId : null;
			const requester = { site, actor: actorOf(request), tokenId };
			const created = await createExport(deps, requester, { ...inputOf(request.body), format: request.body.format });
			return presentCreated(deps, created);
		},
	});
	addRoute(app, "POST /exports/estimate", {
		...reading,
		summary: "Estimate an export",
		body: ExportBody,
		answer: ExportEstimate,
		errors: { 400: badDates },
		handler: async ({ site, body }) => {
			const parsed = parseExport(site, deps.clock, inputOf(body));
			return estimateOf(parsed.shape, body.format, await countRows(deps, site, parsed));
		},
	});
	addRoute(app, "GET /exports", {
		...reading,
		summary: "Exports of a site",
		querystring: ListQuery,
		answer: ExportList,
		handler: async ({ site, query }) => {
			await expireDueExports(deps, site.id);
			const where = { site_id: site.id, ...(!query.include_expired && { status: { "!=": "expired" as const } }) };
			const { rows, total } = await exports.page(deps.metadata, where, ["id desc"], query);
			return { exports: rows.map((row) => presentSummary(deps, row)), total };
		},
	});
	addRoute(app, "GET /exports/:job_id", {
		...reading,
		summary: "One export",
		params: JobParams,
		answer: ExportJob,
		handler: async ({ site, params }) => {
			await expireDueExports(deps, site.id);
			const row = await exports.find(deps.metadata, { site_id: site.id, job_id: params.job_id });
			if (row === undefined) throw exportNotFound();
			return presentJob(deps, row);
		},
	});
}

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

function registerFiles(app: App, deps: ExportDeps): void {
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
			response: { 200: StreamedFile, 400: badDates, 413: TooManyRows },
		},
		config: { guard },
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
			params: DownloadParams,
			querystring: DownloadQuery,
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
	addRoute(app, "DELETE /exports/:job_id", {
		...reading,
		summary: "Cancel a waiting export, or remove one with its file",
		params: JobParams,
		empty: "Removed",
		errors: { 409: isBeingMade },
		handler: async ({ site, caller, params }) => {
			await removeExport(deps, { siteId: site.id, caller, role: site.role }, params.job_id);
		},
	});
}
