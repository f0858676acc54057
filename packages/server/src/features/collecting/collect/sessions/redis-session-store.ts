import { createHash, randomUUID } from "node:crypto";
import { createClient } from "@redis/client";
import { systemClock } from "../../../../platform/lib/clock.ts";
import { answered, RedisAway } from "../../../../platform/redis/answered.ts";
import { AgingMap } from "./aging-map.ts";
import { CLICK_ID_MS, type ClickIdSight, clickIdDigest, RENEWAL_MS } from "./click-id-memory.ts";
import {
	type Decide,
	isLive,
	isSameState,
	type LiveSession,
	MAX_AHEAD_MS,
	type SessionState,
	type SessionStore,
	type VisitorIds,
} from "./session-store.ts";

type RedisClient = ReturnType<typeof createClient>;

/** A script over one key, so that it runs on any node of a cluster that holds the key. */
interface Script {
	readonly text: string;
	readonly digest: string;
}

const script = (text: string): Script => ({ text, digest: createHash("sha1").update(text).digest("hex") });

/** Writes a text only when the key still holds what was read: `held, next, lifetime in ms`; an empty `next` removes it. */
const REPLACE = script(`
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1`);

/** Writes a session unless the key holds a younger one: `state, last seen, session id padded to 20 digits, lifetime in ms`. */
const KEEP_YOUNGER = script(`
local held = redis.call('GET', KEYS[1])
if held then
	local state = cjson.decode(held)
	if state.lastSeen > tonumber(ARGV[2]) then return 0 end
	local session = string.rep('0', 20 - #state.session) .. state.session
	if state.lastSeen == tonumber(ARGV[2]) and session > ARGV[3] then return 0 end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[4])
return 1`);

/** Notes a sight, and the one before it: `at, lifetime in ms, renewal in ms`. Times are texts, as numbers would lose digits. */
const SEE_CLICK_ID = script(`
local last = string.match(redis.call('GET', KEYS[1]) or '', '^%d+')
if last and tonumber(ARGV[1]) - tonumber(last) < tonumber(ARGV[3]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. (last or ''), 'PX', ARGV[2])
return 1`);

/** Undoes a sight: `at`. */
const UNSEE_CLICK_ID = script(`
local last, before = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d*)$')
if last ~= ARGV[1] then return 0 end
if before == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], before .. ' ', 'KEEPTTL') end
return 1`);

/** The next time that was not given out: `ts, how far it may run ahead in ms`. */
const NEXT_TIME = script(`
local ts, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
local ahead = last - ts
local time = ts
if ahead >= 0 and ahead < most then time = last + 1 end
if ahead ~= most then redis.call('SET', KEYS[1], string.format('%d', time), 'EX', 86400) end
return time`);

/** Runs a script by its digest, so that its text travels once. */
async function runScript(
	client: RedisClient,
	{ text, digest }: Script,
	key: string,
	values: readonly string[],
): Promise<number> {
	const options = { keys: [key], arguments: [...values] };
	try {
		return Number(await client.evalSha(digest, options));
	} catch (error) {
		if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
		return Number(await client.eval(text, options));
	}
}

/** How long the hits take that were on their way together. */
const TOGETHER_MS = 60_000;
const MAX_VISITORS = 10_000;

interface Step {
	readonly held: SessionState;
	readonly before: SessionState | undefined;
}

/**
 * Steps of visits that were to be undone when a later hit had changed the visit already. When that hit is undone too, what it stands on
 * is gone: the visit becomes what it was before all of them, in whatever order their hits failed.
 */
class OvertakenSteps {
	readonly #steps = new AgingMap<number, { readonly steps: readonly Step[]; readonly at: number }>();

	/** Remembers a step that could not be undone, for a while; `now` in milliseconds from any moment. */
	note(visitor: number, step: Step, now: number): void {
		this.#steps.set(visitor, { steps: [...(this.#steps.get(visitor)?.steps ?? []), step], at: now });
		for (let oldest = this.#steps.oldest(); oldest !== undefined; oldest = this.#steps.oldest()) {
			if (this.#steps.size <= MAX_VISITORS && now - oldest[1].at < TOGETHER_MS) break;
			this.#steps.delete(oldest[0]);
		}
	}

	settle(visitor: number, before: SessionState | undefined): SessionState | undefined {
		const left = new Set(this.#steps.get(visitor)?.steps);
		let state = before;
		for (;;) {
			const step = [...left].find(({ held }) => state !== undefined && isSameState(held, state));
			if (step === undefined) return state;
			left.delete(step);
			state = step.before;
		}
	}
}

const MAX_TRIES = 50;
/** A connection without data for this long is replaced. */
const SILENCE_MS = 5000;
const PING_MS = 2000;
/** Commands that are sent together at a start: far fewer than a busy server answers in time. */
const BATCH = 200;
/** Decimal digits of a 64-bit number. */
const SESSION_DIGITS = 20;

interface RedisSessionStoreOptions {
	readonly url: string;
	readonly timeoutMs: number;
	readonly prefix?: string | undefined;
	/** Called when the connection breaks or cannot be made; the client reconnects by itself. */
	readonly onError: (error: Error) => void;
}

/** Live sessions in Redis or Valkey. Each command touches one key, for clusters. Throws {@link RedisAway} within half a second. */
export class RedisSessionStore implements SessionStore {
	readonly #client: RedisClient;
	readonly #timeoutMs: number;
	readonly #prefix: string;
	readonly #undoing = new Map<number, Promise<void>>();
	readonly #overtaken = new OvertakenSteps();
	/** The mark of the server's contents at the last contact; undefined before the first one. */
	#mark: string | undefined;

	private constructor(client: RedisClient, { timeoutMs, prefix = "footfall:" }: RedisSessionStoreOptions) {
		this.#client = client;
		this.#timeoutMs = timeoutMs;
		this.#prefix = prefix;
	}

	/** Resolves when the server was reached, or was not: then it is tried again and again. */
	static async open(options: RedisSessionStoreOptions): Promise<RedisSessionStore> {
		const client = createClient({
			url: options.url,
			disableOfflineQueue: true,
			pingInterval: PING_MS,
			// The time limit is that of `answered`; the client's own costs a signal for each command.
			commandOptions: { timeout: 0 },
			socket: { socketTimeout: SILENCE_MS, connectTimeout: SILENCE_MS },
		});
		client.on("error", options.onError);
		const failed = new Promise<void>((resolve) => void client.once("error", () => resolve()));
		await Promise.race([client.connect().catch(() => undefined), failed]);
		const store = new RedisSessionStore(client as RedisClient, options);
		await store.probe().catch(() => undefined);
		return store;
	}

	/** True when the server has lost its contents since the last contact: the mark is another. Throws when nothing can be written. */
	async probe(): Promise<boolean> {
		const key = `${this.#prefix}mark`;
		await answered(this.#client.set(key, randomUUID(), { condition: "NX" }));
		const mark = (await answered(this.#client.get(key))) ?? undefined;
		const isLost = this.#mark !== undefined && mark !== this.#mark;
		this.#mark = mark;
		return isLost;
	}

	async transact<Result>(ids: VisitorIds, now: number, decide: Decide<Result>): Promise<Result> {
		const yesterday = ids.yesterday();
		for (let tries = 0; tries < MAX_TRIES; tries++) {
			const [held, heldBefore] = await Promise.all([
				this.#read(ids.today),
				yesterday === undefined ? null : this.#read(yesterday),
			]);
			const today = this.#live(held, now);
			const { next, result } = decide(today ?? this.#live(heldBefore, now));
			if (!(await this.#replace(ids.today, held, JSON.stringify(next)))) continue;
			// A collector that ends in between leaves the older copy, which is not read while this one exists.
			if (today === undefined && yesterday !== undefined && heldBefore !== null) {
				await this.#replace(yesterday, heldBefore, "");
			}
			return result;
		}
		throw new RedisAway("a session is changed by others all the time");
	}

	putBack(visitor: number, held: SessionState, before: SessionState | undefined): Promise<void> {
		// Each after the one that was asked before it, as each stands on what that one puts back.
		const undo = () => this.#putBack(visitor, held, before);
		const undone = (this.#undoing.get(visitor) ?? Promise.resolve()).then(undo, undo);
		this.#undoing.set(visitor, undone);
		const forget = () => {
			if (this.#undoing.get(visitor) === undone) this.#undoing.delete(visitor);
		};
		undone.then(forget, forget);
		return undone;
	}

	async #putBack(visitor: number, held: SessionState, before: SessionState | undefined): Promise<void> {
		for (let tries = 0; tries < MAX_TRIES; tries++) {
			const present = await this.#read(visitor);
			if (present === null) return;
			if (!isSameState(JSON.parse(present) as SessionState, held)) {
				this.#overtaken.note(visitor, { held, before }, systemClock.monotonic());
				return;
			}
			const settled = this.#overtaken.settle(visitor, before);
			if (await this.#replace(visitor, present, settled === undefined ? "" : JSON.stringify(settled))) return;
		}
	}

	async isClickIdSeen(siteId: string, clickId: string, now: number): Promise<boolean> {
		const held = await answered(this.#client.get(this.#clickIdKey(clickIdDigest(siteId, clickId))));
		return held !== null && now - Number.parseInt(held, 10) < CLICK_ID_MS;
	}

	async noteSight({ digest, at, isUndone }: ClickIdSight, lifetimeMs = CLICK_ID_MS): Promise<boolean> {
		const key = this.#clickIdKey(digest);
		if (!isUndone) return (await this.#run(SEE_CLICK_ID, key, [at, lifetimeMs, RENEWAL_MS].map(String))) === 1;
		await this.#run(UNSEE_CLICK_ID, key, [String(at)]);
		return false;
	}

	uniqueTime(siteId: string, kind: string, ts: number): Promise<number> {
		return this.#run(NEXT_TIME, `${this.#prefix}time:${siteId}:${kind}`, [String(ts), String(MAX_AHEAD_MS)]);
	}

	async restore(sessions: readonly LiveSession[]): Promise<void> {
		await inBatches(sessions, ({ visitor, state }) =>
			this.#run(KEEP_YOUNGER, this.#sessionKey(visitor), [
				JSON.stringify(state),
				String(state.lastSeen),
				state.session.padStart(SESSION_DIGITS, "0"),
				String(this.#timeoutMs),
			]),
		);
	}

	async restoreClickIds(sights: Iterable<ClickIdSight>, now: number): Promise<void> {
		await inBatches(
			Iterator.from(sights).filter(({ at }) => now - at < CLICK_ID_MS),
			(sight) => this.noteSight(sight, Math.min(sight.at - now, 0) + CLICK_ID_MS),
		);
	}

	async close(): Promise<void> {
		this.#client.destroy();
	}

	#read(visitor: number): Promise<string | null> {
		return answered(this.#client.get(this.#sessionKey(visitor)));
	}

	async #replace(visitor: number, held: string | null, next: string): Promise<boolean> {
		const values = [held ?? "", next, String(this.#timeoutMs)];
		return (await this.#run(REPLACE, this.#sessionKey(visitor), values)) === 1;
	}

	#run(script: Script, key: string, values: readonly string[]): Promise<number> {
		return answered(runScript(this.#client, script, key, values));
	}

	#live(text: string | null, now: number): SessionState | undefined {
		if (text === null) return undefined;
		const state = JSON.parse(text) as SessionState;
		return isLive(state, now, this.#timeoutMs) ? state : undefined;
	}

	#sessionKey(visitor: number): string {
		return `${this.#prefix}session:${visitor}`;
	}

	#clickIdKey(digest: number): string {
		return `${this.#prefix}click:${digest}`;
	}
}

/** Commands of one batch leave together; the server keeps their order. */
async function inBatches<Item>(items: Iterable<Item>, send: (item: Item) => Promise<unknown>): Promise<void> {
	// The first one alone, as it may have to bring the script along.
	let size = 1;
	let sent: Promise<unknown>[] = [];
	for (const item of items) {
		sent.push(send(item));
		if (sent.length < size) continue;
		await Promise.all(sent);
		[sent, size] = [[], BATCH];
	}
	await Promise.all(sent);
}
