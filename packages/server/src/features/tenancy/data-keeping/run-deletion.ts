import { deleteDays, engineSeconds, outdatedFiles } from "../../../analytics/deletion/delete-rows.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { JobContext } from "../../../platform/jobs/jobs.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { changeSites, findSite, forgetVisits, isPurged, type SiteRow } from "../sites/index.ts";
import type { AskingDeps, Forgetting, KeepingDeps } from "./deps.ts";
import { purgeSite } from "./purge-site.ts";
import { type DeletionRow, deletions, periodOf } from "./store.ts";

export const DELETION_JOB = "data-deletion";

/** More than anybody has in mind; each takes the event store some work. */
const UNFINISHED_AT_MOST = 10;

interface DeletionRequest {
	readonly siteId: string;
	readonly from: string | null;
	readonly to: string | null;
	readonly actor: Actor;
}

/**
 * Starts the deletion of some days of a site, or of all its data. Hits received from now on are kept, and live visits
 * on one of these days start again. Throws `bad_request` if the days are in the wrong order, and `conflict` for a site
 * that is being purged, or that has too many running deletions.
 */
export function askDeletion(deps: AskingDeps, { siteId, from, to, actor }: DeletionRequest): Promise<DeletionRow> {
	if (from !== null && to !== null && from > to) {
		throw new ServiceError("bad_request", "The first day is after the last one");
	}
	const now = deps.clock.now();
	return changeSites(deps, [], async (trx) => {
		await forgetVisits(trx, siteId, { from, to, until: now });
		if (await isPurged(trx, siteId)) throw new ServiceError("conflict", "The site is being purged");
		if ((await deletions.count(trx, { site_id: siteId, status: ["pending", "running"] })) >= UNFINISHED_AT_MOST) {
			throw new ServiceError("conflict", "Another deletion of the site is running: wait until it ends");
		}
		const days = { date_from: from, date_to: to, until: now };
		const row = await begin(deps, trx, { ...days, site_id: siteId, reason: "request", created_by: actor.userId });
		const details = { from, to };
		await recordAudit(trx, actor, { action: "data_deletion.started", resourceId: row.id, siteId, details }, now);
		return row;
	});
}

/** Begins to purge a deleted site, within a transaction of the caller; does nothing when that has begun. */
export async function askPurge(
	deps: Pick<AskingDeps, "clock" | "jobs">,
	trx: Metadata,
	siteId: string,
): Promise<DeletionRow | undefined> {
	const site = await findSite(trx, siteId);
	if (site === undefined || site.is_active === 1 || site.deleted_at === null || (await isPurged(trx, siteId))) return;
	// A collector may take a hit until it has heard of the end of the site.
	const until = deps.clock.now() + DAY_MS;
	const days = { date_from: null, date_to: null, until };
	return begin(deps, trx, { ...days, site_id: siteId, reason: "purge", created_by: null });
}

/** Begins a deletion again that had ended, as rows have come back since. */
export function repeatDeletion(
	{ metadata, jobs }: Pick<AskingDeps, "metadata" | "jobs">,
	deletionId: number,
): Promise<void> {
	return metadata.transaction().execute(async (trx) => {
		const again = { status: "running", step: "rows", completed_at: null } as const;
		await deletions.update(trx, { id: deletionId }, again);
		await jobs.enqueue(trx, { kind: DELETION_JOB, payload: { deletionId } });
	});
}

async function begin(
	{ clock, jobs }: Pick<AskingDeps, "clock" | "jobs">,
	trx: Metadata,
	deletion: Pick<DeletionRow, "site_id" | "date_from" | "date_to" | "until" | "reason" | "created_by">,
): Promise<DeletionRow> {
	const row = await deletions.insert(trx, {
		...deletion,
		status: "pending",
		step: "collectors",
		progress_percent: 0,
		created_at: clock.now(),
	});
	await jobs.enqueue(trx, { kind: DELETION_JOB, payload: { deletionId: row.id } });
	return row;
}

/** How long is waited for what is still at work elsewhere. */
const AGAIN_MS = 5000;
/** The engine keeps files that it replaced for eight minutes. */
const FILES_AGAIN_MS = 30_000;

/** Where a deletion stands when a step begins, in percent. */
const begins = { collectors: 0, rows: 10, exports: 80, files: 90 } as const;

interface Run {
	readonly site: SiteRow;
	readonly row: DeletionRow;
	readonly context: Pick<JobContext, "signal" | "endWith">;
}

/**
 * Continues a deletion step by step. Each step can be repeated, so that it completes after any interruption. Steps that
 * must wait are left to a later job.
 */
export async function runDeletion(deps: KeepingDeps, deletionId: number, context: Run["context"]): Promise<void> {
	const found = await deletions.find(deps.metadata, { id: deletionId });
	const site = found && (await findSite(deps.metadata, found.site_id));
	if (found === undefined || site === undefined || found.status === "completed") return;
	let run: Run = { site, row: await go(deps, found, { status: "running", error_message: null }), context };
	if (run.row.step === "collectors") {
		if (!(await deps.collectors(forgettingOf(run)))) return later(deps, run, AGAIN_MS);
		run = { ...run, row: await enter(deps, run.row, "rows") };
	}
	if (run.row.step === "rows") run = { ...run, row: await deleteRows(deps, run) };
	if (run.row.step === "exports") {
		for (const end of deps.endings) if (!(await end(forgettingOf(run)))) return later(deps, run, AGAIN_MS);
		run = { ...run, row: await enter(deps, run.row, "files") };
	}
	await finish(deps, run);
}

const daysOf = ({ date_from: from, date_to: to, until }: DeletionRow) => ({ from, to, until });

const forgettingOf = ({ site, row }: Run): Forgetting => ({
	deletionId: row.id,
	site,
	days: daysOf(row),
	period: periodOf(daysOf(row), site.timezone),
	rowsDeletedAt: row.rows_deleted_at ?? row.until,
});

async function go(deps: KeepingDeps, row: DeletionRow, changes: Partial<DeletionRow>): Promise<DeletionRow> {
	return (await deletions.update(deps.metadata, { id: row.id }, changes)) ?? row;
}

const enter = (deps: KeepingDeps, row: DeletionRow, step: DeletionRow["step"]) =>
	go(deps, row, { step, progress_percent: begins[step] });

async function deleteRows(deps: KeepingDeps, { site, row, context }: Run): Promise<DeletionRow> {
	const rowsDeleted = await deleteDays(
		deps,
		{ site: site.id, ...daysOf(row) },
		{
			signal: context.signal,
			onProgress: async (left, total) => {
				const share = (begins.exports - begins.rows) * (1 - left / total);
				await go(deps, row, { progress_percent: Math.round(begins.rows + share) });
			},
		},
	);
	return go(deps, row, {
		step: "exports",
		progress_percent: begins.exports,
		deleted_rows: (row.deleted_rows ?? 0) + rowsDeleted,
		rows_deleted_at: deps.clock.now(),
		outdated_until: await engineSeconds(deps),
	});
}

/** Not before the engine's old files are gone, and nothing has come from a hit that was on its way. */
async function finish(deps: KeepingDeps, run: Run): Promise<void> {
	if ((await outdatedFiles(deps, run.row.outdated_until ?? 0)) > 0) return later(deps, run, FILES_AGAIN_MS);
	const { row } = run;
	if ((await deleteDays(deps, { site: run.site.id, ...daysOf(row) })) > 0) {
		await enter(deps, row, "rows");
		return later(deps, run, AGAIN_MS);
	}
	if (row.reason === "purge") {
		await changeSites(deps, [run.site.id], (trx) => purgeSite(trx, run.site, deps.clock.now()));
		return;
	}
	const done = { status: "completed", progress_percent: 100, completed_at: deps.clock.now() } as const;
	run.context.endWith(async (trx) => void (await deletions.update(trx, { id: row.id }, done)));
}

function later({ clock, jobs }: KeepingDeps, { row, context }: Run, ms: number): void {
	const job = { kind: DELETION_JOB, payload: { deletionId: row.id }, runAt: clock.now() + ms };
	context.endWith(async (trx) => void (await jobs.enqueue(trx, job)));
}
