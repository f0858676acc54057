import {
	type DeletingDeps,
	deleteOfTable,
	deleteRows,
	microconversionsBefore,
	rowsBefore,
} from "../../../analytics/deletion/delete-rows.ts";
import { firstKeptDay, todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { recordAudit, systemActor } from "../../auditing/audit-log/index.ts";
import { changeSites, PURGED_AFTER_MS } from "../sites/index.ts";
import type { DataEnding, KeepingDeps } from "./deps.ts";
import { askPurge } from "./run-deletion.ts";
import { applyDueRetentions, periodOf, sites } from "./store.ts";

/** Sites in one statement: their names stand in its address. */
const PORTION = 200;
/** Where a day ends last. */
const WESTERNMOST = "Etc/GMT+12";

type RetentionDeps = DeletingDeps &
	Pick<KeepingDeps, "metadata" | "clock"> & { readonly endings: readonly DataEnding[] };

/**
 * Puts due retention periods into effect, then deletes what is older than its site keeps, and microconversions of all sites after
 * two years; the number of rows.
 */
export async function applyRetention(deps: RetentionDeps, signal?: AbortSignal): Promise<number> {
	const appliedAt = deps.clock.now();
	await deps.metadata.transaction().execute(async (trx) => {
		for (const { id, before, after } of await applyDueRetentions(trx, appliedAt)) {
			const details = { data_retention_months: [before, after] };
			const entry = { action: "site.updated", resourceId: id, siteId: id, details } as const;
			await recordAudit(trx, systemActor, entry, appliedAt);
		}
	});
	const ends = (await sites.list(deps.metadata, { data_retention_months: { "is not": null } }, "id")).flatMap(
		({ id, timezone, data_retention_months: months }) =>
			months === null ? [] : [{ site: id, timezone, before: todayIn(timezone, deps.clock).subtract({ months }) }],
	);
	let deleted = 0;
	for (let from = 0; from < ends.length; from += PORTION) {
		const some = ends.slice(from, from + PORTION).map(({ site, before }) => ({ site, before: before.toString() }));
		deleted += await deleteRows(deps, rowsBefore(some), { signal });
	}
	deleted += await deleteOfTable(
		deps,
		"events",
		microconversionsBefore(firstKeptDay(WESTERNMOST, deps.clock).toString()),
	);
	const now = deps.clock.now();
	for (const { site, timezone, before } of ends) {
		const days = { from: null, to: before.subtract({ days: 1 }).toString(), until: now };
		const period = periodOf(days, timezone);
		const forgetting = { deletionId: 0, site: { id: site, timezone }, days, period, rowsDeletedAt: now };
		// Running exports are covered the next day; their files do not live longer than that.
		for (const end of deps.endings) await end(forgetting);
	}
	return deleted;
}

/** Begins to purge the sites that were deleted 30 days ago; how many. */
export async function purgeDeletedSites(
	deps: Pick<KeepingDeps, "metadata" | "clock" | "jobs" | "sites">,
): Promise<number> {
	let begun = 0;
	const deleted = { deleted_at: { "<=": deps.clock.now() - PURGED_AFTER_MS }, is_active: 0 };
	for (const { id } of await sites.list(deps.metadata, deleted, "id")) {
		const deletion = await changeSites(deps, [], (trx) => askPurge(deps, trx, id));
		if (deletion !== undefined) begun++;
	}
	return begun;
}
