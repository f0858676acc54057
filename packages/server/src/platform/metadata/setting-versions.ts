import { setImmediate as pause } from "node:timers/promises";
import type { Metadata } from "./metadata.ts";

export type VersionTables = {
	/** When the settings of each owner were last changed, counted over all owners of a topic; the row `EVERYBODY` holds the count. */
	setting_versions: { topic: string; owner: string; version: number };
};

/** No identifier looks like this. */
const EVERYBODY = "*";
/** SQLite writes on the thread that takes hits, so a long list goes in portions. */
const PORTION = 200;

const versions = (metadata: Metadata) => metadata.withTables<VersionTables>();

/**
 * Counts a change to settings that processes keep in memory, so that each of them reloads them; part of the changing
 * transaction. From then on the topic's count is locked until the transaction ends, so counts become visible in order.
 * As its first statement it serializes changes, so that their checks still hold at the commit.
 */
export async function countSettingChange(metadata: Metadata, topic: string, owners: readonly string[]): Promise<void> {
	if (owners.length === 0) return;
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
	for (let from = 0; from < owners.length; from += PORTION) {
		if (from > 0) await pause();
		await versions(metadata)
			.insertInto("setting_versions")
			.values(owners.slice(from, from + PORTION).map((owner) => ({ topic, owner, version })))
			.onConflict((conflict) => conflict.columns(["topic", "owner"]).doUpdateSet({ version }))
			.execute();
	}
}

/** The count of a topic now. */
export async function settingsVersion(metadata: Metadata, topic: string): Promise<number> {
	const row = await versions(metadata)
		.selectFrom("setting_versions")
		.select("version")
		.where("topic", "=", topic)
		.where("owner", "=", EVERYBODY)
		.executeTakeFirst();
	return row?.version ?? 0;
}

/** The owners whose settings have changed after a count, and the count now. */
export async function settingsChangedSince(metadata: Metadata, topic: string, version: number) {
	const rows = await versions(metadata)
		.selectFrom("setting_versions")
		.select(["owner", "version"])
		.where("topic", "=", topic)
		.where("version", ">", version)
		.execute();
	return {
		version: rows.reduce((highest, row) => Math.max(highest, row.version), version),
		owners: rows.map((row) => row.owner).filter((owner) => owner !== EVERYBODY),
	};
}
