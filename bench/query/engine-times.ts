import { buildApp } from "../../packages/server/src/composition/app.ts";
import { openStores } from "../../packages/server/src/composition/stores.ts";
import { loadConfig } from "../../packages/server/src/platform/config/config.ts";
import { withSecretKey } from "../../packages/server/src/platform/config/secret-key.ts";
import type { EventStore } from "../../packages/server/src/platform/event-store/event-store.ts";
import { systemClock } from "../../packages/server/src/platform/lib/clock.ts";
import { createLog } from "../../packages/server/src/platform/log/create-log.ts";
import { benchEnv } from "../support/service.ts";
import type { BenchSite } from "../support/site.ts";
import type { BenchRequest } from "./requests.ts";

interface EngineTimesInput {
	readonly dataDir: string;
	readonly site: BenchSite;
	readonly requests: readonly BenchRequest[];
	readonly warmUp: number;
	readonly runs: number;
}

/** The store, with the engine's own seconds of every query noted. */
function watched(store: EventStore, note: (seconds: number) => void): EventStore {
	return {
		...store,
		query: (query) => store.query({ ...query, onStatistics: ({ elapsed }) => note(elapsed) }),
	};
}

/**
 * Sorted milliseconds that the engine itself spent on a report's SQL, by the report's name: the longest of its queries,
 * since they run side by side. The reports are asked in this process, so that the store can be watched.
 */
export async function engineTimes(input: EngineTimesInput): Promise<ReadonlyMap<string, number[]>> {
	const env = { ...benchEnv(input.dataDir), ROLES: "api", RATE_LIMIT_ENABLED: "false", REPORT_CACHE_BYTES: "0" };
	const config = withSecretKey(loadConfig(env));
	const log = createLog(config);
	const stores = await openStores(config, log);
	let longest = 0;
	const eventStore = watched(stores.eventStore, (seconds) => {
		longest = Math.max(longest, seconds * 1000);
	});
	const { app, close } = await buildApp({ config, clock: systemClock, log, ...stores, eventStore });
	const found = new Map<string, number[]>();
	for (const { name, path, body } of input.requests) {
		const times: number[] = [];
		for (let run = 0; run < input.warmUp + input.runs; run++) {
			longest = 0;
			const url = `/api/v1${path}${path.includes("?") ? "&" : "?"}site_id=${input.site.id}`;
			const headers = { "x-api-key": input.site.apiKey };
			const question = body === undefined ? { url, headers } : { method: "POST" as const, url, headers, payload: body };
			const answer = await app.inject(question);
			if (answer.statusCode !== 200) throw new Error(`${name} answered ${answer.statusCode}`);
			if (run >= input.warmUp) times.push(longest);
		}
		found.set(
			name,
			times.sort((a, b) => a - b),
		);
	}
	await close();
	await stores.close();
	return found;
}
