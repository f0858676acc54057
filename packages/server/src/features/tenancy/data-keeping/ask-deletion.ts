import { ServiceError } from "../../../platform/errors/service-error.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { changeSites, findSite, forgetVisits, isPurged } from "../sites/index.ts";
import type { AskingDeps } from "./deps.ts";
import { countUnfinished, type DeletionRow, insertDeletion, updateDeletion } from "./store.ts";

/** The kind of the jobs that delete. */
export const DELETION_JOB = "data-deletion";

/** More than anybody has in mind; each takes the event store some work. */
const UNFINISHED_AT_MOST = 10;

/** Days and site of a deletion, and its author. */
export interface DeletionRequest {
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
		throw new ServiceError("bad_request", { message: "The first day is after the last one" });
	}
	const now = deps.clock.now();
	return changeSites(deps, [], async (trx) => {
		await forgetVisits(trx, siteId, { from, to, until: now });
		if (await isPurged(trx, siteId)) throw new ServiceError("conflict", { message: "The site is being purged" });
		if ((await countUnfinished(trx, siteId)) >= UNFINISHED_AT_MOST) {
			throw new ServiceError("conflict", { message: "Another deletion of the site is running: wait until it ends" });
		}
		const row = await begin(deps, trx, { siteId, from, to, until: now, reason: "request", userId: actor.userId });
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
	return begin(deps, trx, { siteId, from: null, to: null, until, reason: "purge", userId: null });
}

/** Begins a deletion again that had ended, as rows have come back since. */
export function repeatDeletion(
	{ metadata, jobs }: Pick<AskingDeps, "metadata" | "jobs">,
	deletionId: number,
): Promise<void> {
	return metadata.transaction().execute(async (trx) => {
		await updateDeletion(trx, deletionId, { status: "running", step: "rows", completed_at: null });
		await jobs.enqueue(trx, { kind: DELETION_JOB, payload: { deletionId } });
	});
}

interface NewDeletion {
	readonly siteId: string;
	readonly from: string | null;
	readonly to: string | null;
	readonly until: number;
	readonly reason: DeletionRow["reason"];
	readonly userId: number | null;
}

async function begin(
	{ clock, jobs }: Pick<AskingDeps, "clock" | "jobs">,
	trx: Metadata,
	{ siteId, from, to, until, reason, userId }: NewDeletion,
): Promise<DeletionRow> {
	const row = await insertDeletion(trx, {
		site_id: siteId,
		reason,
		date_from: from,
		date_to: to,
		until,
		status: "pending",
		step: "collectors",
		progress_percent: 0,
		deleted_rows: null,
		rows_deleted_at: null,
		outdated_until: null,
		error_message: null,
		created_by: userId,
		created_at: clock.now(),
		completed_at: null,
	});
	await jobs.enqueue(trx, { kind: DELETION_JOB, payload: { deletionId: row.id } });
	return row;
}
