import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { loadConfig } from "../platform/config/config.ts";
import { type ReadyConfig, withSecretKey } from "../platform/config/secret-key.ts";
import { systemClock } from "../platform/lib/clock.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { migrateMetadata } from "../platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../platform/metadata/open-metadata.ts";

/** Runs a command on the metadata store of the configured service, which may be running meanwhile, and closes the store. */
export async function withMetadata<T>(
	run: (deps: { metadata: Metadata; config: ReadyConfig }) => Promise<T>,
): Promise<T> {
	const config = withSecretKey(loadConfig(process.env));
	const metadata = await openMetadata(config);
	try {
		await migrateMetadata(metadata, metadataMigrations, systemClock.now());
		return await run({ metadata, config });
	} finally {
		await metadata.destroy();
	}
}
