import type { Stores } from "../../src/composition/stores.ts";
import { loadConfig } from "../../src/platform/config/config.ts";
import { type ReadyConfig, withSecretKey } from "../../src/platform/config/secret-key.ts";

/** The settings of a service of the tests on a directory, with what a test asks for beyond them. */
export const testConfig = (dataDir: string, env: Readonly<Record<string, string>>): ReadyConfig =>
	withSecretKey(
		loadConfig({
			NODE_ENV: "test",
			DATA_DIR: dataDir,
			PORT: "0",
			LOG_LEVEL: "debug",
			TRUST_PROXY: "true",
			// The clock stands still, so a minute never ends.
			RATE_LIMIT_ENABLED: "false",
			...env,
		}),
	);

/** The store folds and drops old rows by its own clock, which is not that of the tests. */
export async function stopFolding(
	config: ReadyConfig,
	{ eventStore, eventTables }: Pick<Stores, "eventStore" | "eventTables">,
): Promise<void> {
	if (config.clickhouseUrl === undefined && eventTables.isReady)
		await eventStore.command("SYSTEM STOP TTL MERGES bot_hits");
}
