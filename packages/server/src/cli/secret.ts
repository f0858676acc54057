import { acceptSecret } from "../features/operating/server-secret/index.ts";
import { ConfigError } from "../platform/config/config.ts";
import { systemClock } from "../platform/lib/clock.ts";
import type { DefineCommand } from "./command.ts";
import { withMetadata } from "./with-metadata.ts";

/** `footfall secret` */
export const defineSecret: DefineCommand = (command) => {
	command
		.command("accept")
		.description("Let processes with the present SECRET_KEY start, as the one of before is lost")
		.action(accept);
};

async function accept(): Promise<void> {
	await withMetadata(async ({ metadata, config }) => {
		if (config.databaseUrl === undefined) {
			throw new ConfigError("A service without DATABASE_URL takes any SECRET_KEY: there is nothing to accept");
		}
		await acceptSecret(metadata, config.secretKey, systemClock.now());
		process.stdout.write(
			"SECRET_KEY is the one of these accounts now. Start every process with it; everybody signs in anew.\n",
		);
	});
}
