import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Fingerprints that were noted, the present one first. */
export async function selectFingerprints(metadata: Metadata): Promise<readonly string[]> {
	const rows = await tables(metadata)
		.selectFrom("server_secrets")
		.select("fingerprint")
		.orderBy("noted_at", "desc")
		.orderBy("fingerprint")
		.execute();
	return rows.map(({ fingerprint }) => fingerprint);
}

/** Makes a fingerprint the present one. */
export async function upsertFingerprint(metadata: Metadata, fingerprint: string, nowMs: number): Promise<void> {
	await tables(metadata)
		.insertInto("server_secrets")
		.values({ fingerprint, noted_at: nowMs })
		.onConflict((conflict) => conflict.column("fingerprint").doUpdateSet({ noted_at: nowMs }))
		.execute();
}
