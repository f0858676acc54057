import { deleteDays } from "../../../analytics/deletion/delete-rows.ts";
import { engineSeconds, outdatedFiles } from "../../../analytics/deletion/outdated-files.ts";
import type { JobContext } from "../../../platform/jobs/jobs.ts";
import { changeSites, findSite, type SiteRow } from "../sites/index.ts";
import { DELETION_JOB } from "./ask-deletion.ts";
import type { Forgetting, KeepingDeps } from "./deps.ts";
import { purgeSite } from "./purge-site.ts";
import { type DeletionRow, findDeletion, periodOf, updateDeletion } from "./store.ts";

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
	const found = await findDeletion(deps.metadata, deletionId);
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
	return (await updateDeletion(deps.metadata, row.id, changes)) ?? row;
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
	run.context.endWith(async (trx) => void (await updateDeletion(trx, row.id, done)));
}

function later({ clock, jobs }: KeepingDeps, { row, context }: Run, ms: number): void {
	const job = { kind: DELETION_JOB, payload: { deletionId: row.id }, runAt: clock.now() + ms };
	context.endWith(async (trx) => void (await jobs.enqueue(trx, job)));
}
