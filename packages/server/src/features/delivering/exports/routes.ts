import { Type } from "typebox";
import { account } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { ErrorRef, limitAndOffset, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { createExport } from "./create-export.ts";
import type { ExportDeps } from "./deps.ts";
import { downloadUrl } from "./download-link.ts";
import { exportTypes, formatNames } from "./export-types.ts";
import { badDates, inputOf, question, reading, registerFiles } from "./file-routes.ts";
import { countRows, ExportEstimate, estimateOf, Filters, humanSize, parseExport } from "./parse.ts";
import { cleanUpExports, expireDueExports, exportNotFound, REMOVE_FILE_JOB, removeExport } from "./remove-export.ts";
import { EXPORT_JOB, failExport, runExport } from "./run-export.ts";
import { type ExportRow, exportStatuses, exports } from "./store.ts";

const ExportBody = Type.Object({ ...question, format: OneOf(formatNames, { default: "csv" }) });

const JobParams = Type.Object({ job_id: Type.String({ format: "uuid" }) });

const ExportSummary = Type.Object({
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

const ExportJob = Type.Object({ ...ExportSummary.properties, filters: Filters });

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
const BACKGROUND = "The export is made in the background; GET /exports/{job_id} shows its progress";

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

function registerJobs(app: App, deps: ExportDeps): void {
	addRoute(app, "POST /exports", {
		...reading,
		summary: "Create an export: immediately below 10,000 rows, else in the background",
		body: ExportBody,
		status: 201,
		answer: Type.Object({ job: ExportJob, estimate: ExportEstimate, message: Type.String() }),
		errors: { 400: badDates, 429: overPlan },
		handler: async (request) => {
			const { caller, site } = request;
			const tokenId = caller.kind === "key" ? caller.tokenId : null;
			const requester = { site, actor: actorOf(request), tokenId };
			const { row, estimate } = await createExport(deps, requester, {
				...inputOf(request.body),
				format: request.body.format,
			});
			return { job: presentJob(deps, row), estimate, message: messages[row.status] ?? BACKGROUND };
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
		querystring: Type.Object({
			...account,
			...limitAndOffset({ limit: 20, max: 100 }),
			include_expired: Type.Boolean({ default: false }),
		}),
		answer: Type.Object({
			exports: Type.Array(ExportSummary),
			total: Type.Integer({ description: "Number of exports on all pages" }),
		}),
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
