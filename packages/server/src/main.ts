import { resolve } from "node:path";
import { buildApp, type Service } from "./app.ts";
import { createFirstRunLink } from "./features/accounts/auth/index.ts";
import { type Config, ConfigError, loadConfig } from "./platform/config/config.ts";
import { withSecretKey } from "./platform/config/secret-key.ts";
import { describeCause } from "./platform/http/describe-cause.ts";
import { systemClock } from "./platform/lib/clock.ts";
import { createLog } from "./platform/log/create-log.ts";
import { openStores, type Stores } from "./stores.ts";

/** Milliseconds that an orderly end may take. */
const CLOSE_TIMEOUT = 15_000;

/** Runs the service until SIGTERM or SIGINT. */
export async function main(env: Readonly<Record<string, string | undefined>>): Promise<void> {
	const config = withSecretKey(loadConfig(env));
	const log = createLog(config);
	const stores = await openStores(config, log);
	const service = await buildApp({ config, clock: systemClock, log, ...stores });
	closeOnSignal(service, stores, (error) =>
		log.error({ cause: describeCause(error) }, "The service did not end in order"),
	);
	const address = await listen(service, config);
	const rootUrl = config.publicUrl ?? address;
	const firstRunLink = await createFirstRunLink({ metadata: stores.metadata, clock: systemClock, rootUrl });
	process.stdout.write(welcome({ rootUrl, firstRunLink, dataDir: config.dataDir }));
}

async function listen(service: Service, { host, port }: Config): Promise<string> {
	try {
		return await service.app.listen({ host, port });
	} catch (error) {
		const code = (error as { code?: unknown }).code;
		if (code === "EADDRINUSE") throw new ConfigError(`PORT ${port} is in use by another program`);
		if (code === "EACCES") throw new ConfigError(`PORT ${port} may not be used by this user`);
		if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
			throw new ConfigError("HOST is not an address of this machine");
		throw error;
	}
}

function welcome(of: { rootUrl: string; firstRunLink: string | undefined; dataDir: string }): string {
	const lines = [
		`  Footfall is running at  ${of.rootUrl}`,
		`  API reference           ${of.rootUrl}/docs`,
		`  Data                    ${resolve(of.dataDir)}`,
		...(of.firstRunLink === undefined ? [] : ["", "  Create the first account:", `  ${of.firstRunLink}`]),
	];
	return `\n${lines.join("\n")}\n\n`;
}

/** Accepts no more, answers what is there, makes every hit safe, then closes the stores. A second signal exits at once. */
function closeOnSignal(service: Service, stores: Stores, onFailure: (error: unknown) => void): void {
	let isClosing = false;
	const close = async () => {
		await service.close();
		await stores.close();
	};
	const onSignal = () => {
		if (isClosing) process.exit(1);
		isClosing = true;
		setTimeout(() => process.exit(1), CLOSE_TIMEOUT).unref();
		close().then(
			() => process.exit(0),
			(error: unknown) => {
				onFailure(error);
				process.exit(1);
			},
		);
	};
	process.on("SIGTERM", onSignal);
	process.on("SIGINT", onSignal);
}
