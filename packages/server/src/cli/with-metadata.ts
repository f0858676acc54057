import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { loadConfig } from "../platform/config/config.ts";
import { type ReadyConfig, withSecretKey } from "../platform/config/secret-key.ts";
import { type Clock, systemClock } from "../platform/lib/clock.ts";
import { withResource } from "../platform/lib/with-resource.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { migrateMetadata } from "../platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../platform/metadata/open-metadata.ts";

/** Dependencies of commands on the metadata store. */
export interface Around {
	readonly metadata: Metadata;
	readonly config: ReadyConfig;
	readonly clock: Clock;
}

/** Runs a command on the metadata store of the configured service, which may be running meanwhile, and closes the store. */
export async function withMetadata<T>(run: (around: Around) => Promise<T>): Promise<T> {
	const config = withSecretKey(loadConfig(process.env));
	return withResource(await openMetadata(config), async (metadata) => {
		await migrateMetadata(metadata, metadataMigrations, systemClock.now());
		return run({ metadata, config, clock: systemClock });
	});
}

/** The action of a command that runs by `withMetadata`. */
export const onMetadata =
	<Given extends unknown[]>(action: (around: Around, ...given: Given) => Promise<void>) =>
	(...given: Given): Promise<void> =>
		withMetadata((around) => action(around, ...given));
