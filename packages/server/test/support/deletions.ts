import { tables } from "../../migrations/metadata/tables/index.ts";
import { outdatedFiles } from "../../src/analytics/deletion/delete-rows.ts";
import type { Session } from "./accounts.ts";
import { dataOf } from "./request-of.ts";
import type { TestApp } from "./test-app.ts";
import { until } from "./until.ts";

const END_OF_TIME = 4_294_967_295;

export type Deletion = ReturnType<typeof JSON.parse>;

/** Lets the engine remove replaced files at once instead of after eight minutes of its own clock. */
export async function removeFilesAtOnce({ eventStore }: Pick<TestApp, "eventStore">): Promise<void> {
	for (const table of ["events", "bot_hits"]) {
		await eventStore.command(
			`ALTER TABLE ${table} MODIFY SETTING old_parts_lifetime = 0, cleanup_delay_period = 0, cleanup_delay_period_random_add = 0, max_cleanup_delay_period = 1`,
		);
		// A table that has stood idle looks for such files every few minutes: as a new one it looks at once.
		await eventStore.command(`DETACH TABLE ${table} SYNC`);
		await eventStore.command(`ATTACH TABLE ${table}`);
	}
	// New parts may have the names of those that were there before, whose marks the engine still knows by their paths.
	await eventStore.command("SYSTEM DROP MARK CACHE");
}

export const askToDelete = (
	app: TestApp,
	{ headers }: Session,
	site: string,
	days: { readonly from?: string; readonly to?: string } = {},
): Promise<Deletion> => dataOf(app, `DELETE /sites/${site}/data`, { headers, body: { ...days, confirm: site } });

/** Does what is due until no deletion is under way, nor that of old days, broken off by a busy engine, to be tried again. */
export async function finishDeletions(app: TestApp): Promise<void> {
	const metadata = tables(app.metadata);
	const unfinished = metadata.selectFrom("data_deletions").select("id").where("status", "in", ["pending", "running"]);
	const brokenOff = metadata
		.selectFrom("jobs")
		.select("id")
		.where("kind", "=", "data-retention")
		.where("state", "=", "pending")
		.where("attempts", ">", 0);
	await until(async () => {
		await app.jobs.runDue();
		if ((await unfinished.unionAll(brokenOff).execute()).length === 0) return true;
		await until(async () => (await outdatedFiles(app, END_OF_TIME)) === 0);
		app.clock.advance(30_000);
		return false;
	});
}
