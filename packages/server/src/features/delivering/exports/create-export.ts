import { ServiceError } from "../../../platform/errors/service-error.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { lockOrganization, type PlanTier, planOf, quotaExceeded } from "../../tenancy/organizations/index.ts";
import type { ExportDeps } from "./deps.ts";
import { BACKGROUND_ROWS, countRows, type ExportInput, type ExportSite, estimateOf, parseExport } from "./parse.ts";
import { EXPORT_JOB, roomForFile, runExport } from "./run-export.ts";
import { exports, workingStates } from "./store.ts";

interface ExportRequester {
	readonly site: ExportSite & { readonly organizationId: string; readonly planTier: PlanTier };
	readonly actor: Actor;
	/** The key that asks; null = a session does. */
	readonly tokenId: number | null;
}

const RETRY_AFTER_SECONDS = 30;
/** When an export that is made at once has not ended, its process has. */
const TAKE_OVER_MS = 10 * MINUTE_MS;

function checkPlanRows(planTier: PlanTier, rows: number, nowMs: number): void {
	const { rows: most } = planOf(planTier).exports;
	if (most === null || rows <= most) return;
	throw quotaExceeded(`The plan ${planTier} allows exports of ${most} rows, and this one has ${rows}`, nowMs);
}

/**
 * Creates an export and makes its file, at once when it is small. Throws `quota_exceeded` for more rows than the plan allows
 * and more files than a site keeps, `rate_limit_exceeded` when its places are taken, `service_unavailable` when the server has
 * no room for files.
 */
export async function createExport(deps: ExportDeps, requester: ExportRequester, input: ExportInput) {
	const { site } = requester;
	const parsed = parseExport(site, deps.clock, input);
	const rows = await countRows(deps, site, parsed);
	checkPlanRows(site.planTier, rows, deps.clock.now());
	const estimate = estimateOf(parsed.shape, input.format, rows);
	const isSmall = rows < BACKGROUND_ROWS;
	const created = await deps.metadata.transaction().execute(async (trx) => {
		await takePlace(trx, site);
		const row = await exports.insert(trx, newExport(deps, requester, input, rows));
		await roomForFile({ ...deps, metadata: trx }, site.id, estimate.estimated_size_bytes);
		const { export_type, format, date_from, date_to } = input;
		const details = { export_type, format, date_from, date_to, estimated_rows: rows };
		const about = { resourceId: row.job_id, siteId: site.id, organizationId: site.organizationId, details };
		await recordAudit(trx, requester.actor, { action: "export.created", ...about }, deps.clock.now());
		await deps.jobs.enqueue(trx, {
			kind: EXPORT_JOB,
			payload: { jobId: row.job_id },
			uniqueKey: row.job_id,
			lane: site.organizationId,
			...(isSmall && { runAt: deps.clock.now() + TAKE_OVER_MS }),
		});
		return row;
	});
	if (!isSmall) return { row: created, estimate };
	const row = await runExport(deps, created.job_id, { isLast: true });
	// The job that would have taken over from a killed process.
	await deps.jobs.withdraw(deps.metadata, { kind: EXPORT_JOB, uniqueKey: created.job_id });
	return { row: row ?? created, estimate };
}

async function takePlace(trx: Metadata, site: ExportRequester["site"]): Promise<void> {
	await lockOrganization(trx, site.organizationId);
	const { concurrent } = planOf(site.planTier).exports;
	if ((await exports.count(trx, { organization_id: site.organizationId, status: workingStates })) < concurrent) return;
	throw new ServiceError("rate_limit_exceeded", {
		message: `The plan ${site.planTier} allows ${concurrent} export${concurrent === 1 ? "" : "s"} at a time`,
		retryAfter: RETRY_AFTER_SECONDS,
	});
}

const newExport = (deps: ExportDeps, { site, actor, tokenId }: ExportRequester, input: ExportInput, rows: number) => ({
	job_id: uuid(),
	site_id: site.id,
	organization_id: site.organizationId,
	export_type: input.export_type,
	format: input.format,
	date_from: input.date_from,
	date_to: input.date_to,
	filters: JSON.stringify(input.filters),
	status: "pending" as const,
	estimated_rows: rows,
	progress_percent: 0,
	created_by: actor.userId,
	created_by_token: tokenId,
	created_at: deps.clock.now(),
});
