import { createClient } from "@redis/client";
import { clickIdDigest } from "./click-id-memory.ts";
import { type SessionState, visitorOf } from "./session-state.ts";
import { CLICK_ID_DAYS, type SessionStep, type SessionStore, type VisitorIds } from "./session-store.ts";

const DAY_S = 86_400;
const MAX_TRIES = 50;

/** Writes the new state only when both keys still hold what was read; so a step is atomic among collectors. */
const REPLACE = `
local function held(key) return redis.call('GET', key) or '' end
if held(KEYS[1]) ~= ARGV[1] or held(KEYS[2]) ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
if KEYS[2] ~= KEYS[1] then redis.call('DEL', KEYS[2]) end
return 1`;

const PUT_BACK = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '' then return redis.call('DEL', KEYS[1]) end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1`;

const NEXT_TIME = `
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
local now = tonumber(ARGV[1])
local time = math.max(now, last + 1)
if time > now + 2000 then
  if time < now + 10000 then return now end
  time = now
end
redis.call('SET', KEYS[1], string.format('%d', time), 'EX', 86400)
return time`;

interface RedisSessionStoreOptions {
	readonly url: string;
	/** How long a session lives without a hit, ms. */
	readonly timeoutMs: number;
	/** Prefix of every key. */
	readonly prefix?: string;
	/** Called when the connection breaks; the client reconnects by itself. */
	readonly onError: (error: Error) => void;
}

/** Live sessions in Redis or Valkey, shared by several collectors. */
export class RedisSessionStore implements SessionStore {
	readonly #client: ReturnType<typeof createClient>;
	readonly #timeoutMs: number;
	readonly #prefix: string;

	private constructor(client: ReturnType<typeof createClient>, options: RedisSessionStoreOptions) {
		this.#client = client;
		this.#timeoutMs = options.timeoutMs;
		this.#prefix = options.prefix ?? "footfall:";
	}

	/** Connects; throws when the server does not answer. */
	static async open(options: RedisSessionStoreOptions): Promise<RedisSessionStore> {
		const client = createClient({ url: options.url, disableOfflineQueue: true });
		client.on("error", options.onError);
		await client.connect();
		return new RedisSessionStore(client as ReturnType<typeof createClient>, options);
	}

	async transact<Result>(
		ids: VisitorIds,
		now: number,
		step: (live: SessionState | undefined) => SessionStep<Result>,
	): Promise<Result> {
		const key = this.#sessionKey(ids.today);
		const yesterday = ids.yesterday();
		const oldKey = yesterday === undefined ? key : this.#sessionKey(yesterday);
		for (let tries = 0; tries < MAX_TRIES; tries++) {
			const [held, heldBefore] = await this.#client.mGet([key, oldKey]);
			const { next, result } = step(this.#live(held, now) ?? this.#live(heldBefore, now));
			const replaced = await this.#client.eval(REPLACE, {
				keys: [key, oldKey],
				arguments: [held ?? "", heldBefore ?? "", JSON.stringify(next), String(this.#timeoutMs)],
			});
			if (replaced === 1) return result;
		}
		throw new Error("a session is changed by others all the time");
	}

	async isClickIdSeen(siteId: string, clickId: string): Promise<boolean> {
		return (await this.#client.exists(this.#clickIdKey(siteId, clickId))) === 1;
	}

	async rememberClickId(siteId: string, clickId: string): Promise<boolean> {
		const noted = await this.#client.set(this.#clickIdKey(siteId, clickId), "1", {
			condition: "NX",
			expiration: { type: "EX", value: CLICK_ID_DAYS * DAY_S },
		});
		return noted !== null;
	}

	async forgetClickId(siteId: string, clickId: string): Promise<void> {
		await this.#client.del(this.#clickIdKey(siteId, clickId));
	}

	async uniqueTime(siteId: string, kind: string, ts: number): Promise<number> {
		const time = await this.#client.eval(NEXT_TIME, {
			keys: [`${this.#prefix}time:${siteId}:${kind}`],
			arguments: [String(ts)],
		});
		return Number(time);
	}

	/** Sessions outlive the process in Redis: what is there already is newer. */
	async restore(state: SessionState): Promise<void> {
		await this.#client.set(this.#sessionKey(visitorOf(state.session)), JSON.stringify(state), {
			condition: "NX",
			expiration: { type: "PX", value: this.#timeoutMs },
		});
	}

	async putBack(visitor: number, held: SessionState, before: SessionState | undefined): Promise<void> {
		await this.#client.eval(PUT_BACK, {
			keys: [this.#sessionKey(visitor)],
			arguments: [JSON.stringify(held), before === undefined ? "" : JSON.stringify(before), String(this.#timeoutMs)],
		});
	}

	async close(): Promise<void> {
		await this.#client.close();
	}

	#live(text: string | null | undefined, now: number): SessionState | undefined {
		if (!text) return undefined;
		const state = JSON.parse(text) as SessionState;
		return now - state.lastSeen < this.#timeoutMs ? state : undefined;
	}

	#sessionKey(visitor: number): string {
		return `${this.#prefix}session:${visitor}`;
	}

	#clickIdKey(siteId: string, clickId: string): string {
		return `${this.#prefix}click:${clickIdDigest(siteId, clickId)}`;
	}
}
