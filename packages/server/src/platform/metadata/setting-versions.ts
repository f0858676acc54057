import type { Metadata } from "./metadata.ts";

type VersionTables = {
	/** When the settings of each owner were last changed, counted over all owners of a topic; the row `EVERYBODY` holds the count. */
	setting_versions: { topic: string; owner: string; version: number };
};

/** No identifier looks like this. */
const EVERYBODY = "*";

const versions = (metadata: Metadata) => metadata.withTables<VersionTables>();

/**
 * Counts a change to settings that processes keep in memory, so that each of them reads the owner's again. The first
 * statement of the transaction that makes the change: the topic's count is locked until its end, so changes run one after the
 * other, what they check still holds when they end, and counts become visible in their order.
 */
export async function countSettingChange(metadata: Metadata, topic: string, owner: string): Promise<void> {
	const { version } = await versions(metadata)
		.insertInto("setting_versions")
		.values({ topic, owner: EVERYBODY, version: 1 })
		.onConflict((conflict) =>
			conflict
				.columns(["topic", "owner"])
				.doUpdateSet((query) => ({ version: query("setting_versions.version", "+", 1) })),
		)
		.returning("version")
		.executeTakeFirstOrThrow();
	await versions(metadata)
		.insertInto("setting_versions")
		.values({ topic, owner, version })
		.onConflict((conflict) => conflict.columns(["topic", "owner"]).doUpdateSet({ version }))
		.execute();
}

/** The owners whose settings have changed after a count, and the count now. */
export async function settingsChangedSince(
	metadata: Metadata,
	topic: string,
	version: number,
): Promise<{ readonly version: number; readonly owners: readonly string[] }> {
	const rows = await versions(metadata)
		.selectFrom("setting_versions")
		.select(["owner", "version"])
		.where("topic", "=", topic)
		.where("version", ">", version)
		.execute();
	return {
		version: Math.max(version, ...rows.map((row) => row.version)),
		owners: rows.map((row) => row.owner).filter((owner) => owner !== EVERYBODY),
	};
}
