import { openStores, type Stores } from "../composition/stores.ts";
import { loadConfig } from "../platform/config/config.ts";
import { withSecretKey } from "../platform/config/secret-key.ts";
import { createLog } from "../platform/log/create-log.ts";

/** Runs a command on both stores of the configured service, brought up to date, and closes them. */
export async function withStores<T>(run: (stores: Stores) => Promise<T>): Promise<T> {
	const config = withSecretKey(loadConfig(process.env));
	const stores = await openStores(config, createLog(config));
	try {
		return await run(stores);
	} finally {
		await stores.close();
	}
}
