import { acceptSecret } from "../features/operating/server-secret/index.ts";
import { ConfigError } from "../platform/config/config.ts";
import { systemClock } from "../platform/lib/clock.ts";
import type { DefineCommand } from "./print-records.ts";
import { type Around, onMetadata } from "./with-metadata.ts";

/** `footfall secret` */
export const define: DefineCommand = (command) => {
	command
		.command("accept")
		.description("Accept the current SECRET_KEY when the previous one is lost")
		.action(onMetadata(accept));
};

async function accept({ metadata, config }: Around): Promise<void> {
	if (config.databaseUrl === undefined) {
		throw new ConfigError("A service without DATABASE_URL accepts any SECRET_KEY: there is nothing to do");
	}
	await acceptSecret(metadata, config.secretKey, systemClock.now());
	process.stdout.write(
		"SECRET_KEY is accepted for these accounts. Start all processes with it; all users have to sign in again.\n",
	);
}
