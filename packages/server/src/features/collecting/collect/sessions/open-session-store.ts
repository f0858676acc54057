import { MemorySessionStore } from "./memory-session-store.ts";
import type { SessionStore } from "./session-store.ts";

interface OpenSessionStoreOptions {
	readonly redisUrl?: string | undefined;
	/** How long a session lives without a hit, ms. */
	readonly timeoutMs: number;
	/** Called when a connection breaks; it is mended by itself. */
	readonly onError: (error: Error) => void;
}

/** Sessions in the memory of this process, or in Redis where its address is given. */
export async function openSessionStore({
	redisUrl,
	timeoutMs,
	onError,
}: OpenSessionStoreOptions): Promise<SessionStore> {
	if (redisUrl === undefined) return new MemorySessionStore(timeoutMs);
	const { RedisSessionStore } = await import("./redis-session-store.ts");
	return RedisSessionStore.open({ url: redisUrl, timeoutMs, onError });
}
