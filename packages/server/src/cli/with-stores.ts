import { openStores, type Stores } from "../composition/stores.ts";
import { loadConfig } from "../platform/config/config.ts";
import { type ReadyConfig, withSecretKey } from "../platform/config/secret-key.ts";
import type { App } from "../platform/http/app.ts";
import { createLog } from "../platform/log/create-log.ts";

export async function withStores<T>(
	run: (stores: Stores, service: { readonly config: ReadyConfig; readonly log: App["log"] }) => Promise<T>,
): Promise<T> {
	const config = withSecretKey(loadConfig(process.env));
	const log = createLog(config);
	const stores = await openStores(config, log);
	try {
		return await run(stores, { config, log });
	} finally {
		await stores.close();
	}
}
