import { join } from "node:path";
import type { Clock } from "../../../../platform/lib/clock.ts";
import { describeCause } from "../../../../platform/log/describe-cause.ts";
import type { Log } from "../../../../platform/log/log.ts";
import { DurableSessionStore } from "./durable-session-store.ts";
import type { FallbackSessionStore } from "./fallback-session-store.ts";
import { MemorySessionStore, type MemorySessionStoreOptions } from "./memory-session-store.ts";

interface OpenSessionStoreDeps extends MemorySessionStoreOptions {
	readonly clock: Clock;
	readonly log: Log;
	readonly dataDir: string;
	readonly redisUrl?: string | undefined;
}

/** Sessions in the memory of this process, or in Redis where its address is given; the click ids of 30 days are known. */
export async function openSessionStore(deps: OpenSessionStoreDeps) {
	const { clock, log, dataDir, redisUrl } = deps;
	const local = new MemorySessionStore(deps);
	const shared = redisUrl === undefined ? undefined : await openShared(deps, redisUrl, local);
	const sessions = await DurableSessionStore.open({
		store: shared ?? local,
		directory: join(dataDir, "sessions"),
		clock,
		onError: (error) => log.warn({ cause: describeCause(error) }, "Session state for a restart cannot be written"),
	});
	return {
		sessions,
		/** True while the store that several collectors share does not answer; false where none is used. */
		isAway: () => shared?.isAway ?? false,
		hitsAlone: () => shared?.hitsAlone ?? 0,
	};
}

async function openShared(
	{ clock, log, timeoutMs }: OpenSessionStoreDeps,
	url: string,
	local: MemorySessionStore,
): Promise<FallbackSessionStore> {
	const { RedisSessionStore } = await import("./redis-session-store.ts");
	const { FallbackSessionStore } = await import("./fallback-session-store.ts");
	// Before the store is open an error is the answer of its first use.
	let opened: FallbackSessionStore | undefined;
	const store: FallbackSessionStore = new FallbackSessionStore({
		clock,
		shared: await RedisSessionStore.open({ url, timeoutMs, onError: (error) => opened?.leave(error) }),
		local,
		onChange: (isAway, cause) => {
			if (isAway)
				log.warn(
					{ setting: "REDIS_URL", cause: describeCause(cause) },
					"Redis does not answer; visits are kept in memory",
				);
			else log.info({ hits: store.hitsAlone }, "Redis answers again");
		},
	});
	opened = store;
	return store;
}
