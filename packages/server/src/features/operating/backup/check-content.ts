import { sql } from "kysely";
import { differingSums, storedSums } from "../../../analytics/query/reports/stored-sums.ts";
import { openEventStore } from "../../../platform/event-store/open-event-store.ts";
import type { Log } from "../../../platform/log/log.ts";
import { openMetadata } from "../../../platform/metadata/open-metadata.ts";
import type { Manifest } from "./manifest.ts";

/** Opens the stores of a restored backup and compares them with its manifest; a line for each difference. */
export async function checkContent(dataDir: string, manifest: Manifest, log: Log): Promise<string[]> {
	const faults = await accountsFaults(dataDir);
	if (manifest.events !== "embedded") return faults;
	const store = await openEventStore({ dataDir, log });
	try {
		return [...faults, ...differingSums(manifest.sums, await storedSums(store, "month"))];
	} finally {
		await store.close();
	}
}

async function accountsFaults(dataDir: string): Promise<string[]> {
	const metadata = await openMetadata({ dataDir });
	try {
		const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(metadata);
		return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
	} finally {
		await metadata.destroy();
	}
}
