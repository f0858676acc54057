import { openStores } from "../composition/stores.ts";
import { loadConfig } from "../platform/config/config.ts";
import { withSecretKey } from "../platform/config/secret-key.ts";
import { createLog } from "../platform/log/create-log.ts";
import type { DefineCommand } from "./command.ts";

/** `footfall migrate` */
export const defineMigrate: DefineCommand = (command) => {
	command.action(async () => {
		const config = withSecretKey(loadConfig(process.env));
		const stores = await openStores(config, createLog(config));
		await stores.close();
		process.stdout.write("The stores are up to date.\n");
	});
};
