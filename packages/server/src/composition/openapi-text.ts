import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../platform/config/config.ts";
import { withSecretKey } from "../platform/config/secret-key.ts";
import type { App } from "../platform/http/app.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { createLog } from "../platform/log/create-log.ts";
import { buildApp } from "./app.ts";
import { openStores } from "./stores.ts";

/** The API description as it is committed: JSON with spaces. */
export const printOpenApi = (app: App): string => `${JSON.stringify(app.swagger(), null, 2)}\n`;

/** Describes the API of this code: starts the service on an empty directory without listening. */
export async function openApiText(): Promise<string> {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-openapi-"));
	const config = withSecretKey(loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: "error" }));
	const log = createLog(config);
	const stores = await openStores(config, log);
	try {
		const service = await buildApp({ config, clock: systemClock, log, ...stores });
		const text = printOpenApi(service.app);
		await service.close();
		return text;
	} finally {
		await stores.close();
		rmSync(dataDir, { recursive: true, force: true });
	}
}
