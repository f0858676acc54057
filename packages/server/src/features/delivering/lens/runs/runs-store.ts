import { tables } from "../../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";

/** Tasks of a site's morning with the day of their last run; empty = never. */
export interface Done {
	readonly analysed_day: string;
	readonly week: string;
	readonly month: string;
}

const never: Done = { analysed_day: "", week: "", month: "" };

export async function findDone(metadata: Metadata, siteId: string): Promise<Done> {
	const row = await tables(metadata)
		.selectFrom("lens_runs")
		.select(["analysed_day", "week", "month"])
		.where("site_id", "=", siteId)
		.executeTakeFirst();
	return row ?? never;
}

/** Every active site with its clock and what was done for it last. */
export async function listSites(
	metadata: Metadata,
): Promise<readonly { readonly id: string; readonly timezone: string; readonly done: Done }[]> {
	const rows = await tables(metadata)
		.selectFrom("sites")
		.leftJoin("lens_runs", "lens_runs.site_id", "sites.id")
		.select(["sites.id", "sites.timezone", "lens_runs.analysed_day", "lens_runs.week", "lens_runs.month"])
		.where("sites.is_active", "=", 1)
		.orderBy("sites.id")
		.execute();
	return rows.map(({ id, timezone, ...done }) => ({
		id,
		timezone,
		done: { analysed_day: done.analysed_day ?? "", week: done.week ?? "", month: done.month ?? "" },
	}));
}

/** Notes that something is done for a site as of a day; false when another process has done it. */
export async function claim(metadata: Metadata, siteId: string, what: keyof Done, day: string): Promise<boolean> {
	await tables(metadata)
		.insertInto("lens_runs")
		.values({ site_id: siteId, ...never })
		.onConflict((conflict) => conflict.column("site_id").doNothing())
		.execute();
	const rows = await tables(metadata)
		.updateTable("lens_runs")
		.set({ [what]: day })
		.where("site_id", "=", siteId)
		.where(what, "<", day)
		.returning("site_id")
		.execute();
	return rows.length === 1;
}
