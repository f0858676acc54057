import type { DefineCommand } from "./command.ts";
import { withStores } from "./with-stores.ts";

/** `footfall migrate` */
export const defineMigrate: DefineCommand = (command) => {
	command.action(async () => {
		await withStores(async () => undefined);
		process.stdout.write("The stores are up to date.\n");
	});
};
