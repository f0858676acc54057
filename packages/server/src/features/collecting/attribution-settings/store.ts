import type { Metadata } from "../../../platform/metadata/metadata.ts";

type VersionTables = {
	/** When the settings of each site were last changed, counted over all sites; the row `ALL_SITES` holds the count. */
	attribution_settings_version: { site_id: string; version: number };
};

/** No slug looks like this. */
const ALL_SITES = "*";

const versions = (metadata: Metadata) => metadata.withTables<VersionTables>();

/**
 * Counts a change to the settings of a site, so that every collector reads them again; part of the transaction that
 * makes the change. The common count is locked until its end, so that counts become visible in their order.
 */
export async function countSettingsChange(metadata: Metadata, siteId: string): Promise<void> {
	const { version } = await versions(metadata)
		.insertInto("attribution_settings_version")
		.values({ site_id: ALL_SITES, version: 1 })
		.onConflict((conflict) =>
			conflict
				.column("site_id")
				.doUpdateSet((query) => ({ version: query("attribution_settings_version.version", "+", 1) })),
		)
		.returning("version")
		.executeTakeFirstOrThrow();
	await versions(metadata)
		.insertInto("attribution_settings_version")
		.values({ site_id: siteId, version })
		.onConflict((conflict) => conflict.column("site_id").doUpdateSet({ version }))
		.execute();
}

/** The sites whose settings have changed after a count, and the count now. */
export async function changedSince(
	metadata: Metadata,
	version: number,
): Promise<{ readonly version: number; readonly siteIds: readonly string[] }> {
	const rows = await versions(metadata)
		.selectFrom("attribution_settings_version")
		.selectAll()
		.where("version", ">", version)
		.execute();
	return {
		version: Math.max(version, ...rows.map((row) => row.version)),
		siteIds: rows.map((row) => row.site_id).filter((siteId) => siteId !== ALL_SITES),
	};
}
