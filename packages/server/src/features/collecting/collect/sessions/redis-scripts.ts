import { createHash } from "node:crypto";
import type { createClient } from "@redis/client";

export type RedisClient = ReturnType<typeof createClient>;

/** A script over one key, so that it runs on any node of a cluster that holds the key. */
export interface Script {
	readonly text: string;
	readonly digest: string;
}

const script = (text: string): Script => ({ text, digest: createHash("sha1").update(text).digest("hex") });

/** Writes a text only when the key still holds what was read: `held, next, lifetime in ms`; an empty `next` removes it. */
export const REPLACE = script(`
if (redis.call('GET', KEYS[1]) or '') ~= ARGV[1] then return 0 end
if ARGV[2] == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
return 1`);

/** Writes a session unless the key holds a younger one: `state, last seen, session id padded to 20 digits, lifetime in ms`. */
export const KEEP_YOUNGER = script(`
local held = redis.call('GET', KEYS[1])
if held then
	local state = cjson.decode(held)
	if state.lastSeen > tonumber(ARGV[2]) then return 0 end
	local session = string.rep('0', 20 - #state.session) .. state.session
	if state.lastSeen == tonumber(ARGV[2]) and session > ARGV[3] then return 0 end
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[4])
return 1`);

/**
 * Notes a sight, and the one before it: `at, lifetime in ms, renewal in ms`. The key holds the texts of both times, as
 * numbers of that size lose digits when they become texts.
 */
export const SEE_CLICK_ID = script(`
local last = string.match(redis.call('GET', KEYS[1]) or '', '^%d+')
if last and tonumber(ARGV[1]) - tonumber(last) < tonumber(ARGV[3]) then return 0 end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. (last or ''), 'PX', ARGV[2])
return 1`);

/** Undoes a sight: `at`. */
export const UNSEE_CLICK_ID = script(`
local last, before = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+) (%d*)$')
if last ~= ARGV[1] then return 0 end
if before == '' then redis.call('DEL', KEYS[1]) else redis.call('SET', KEYS[1], before .. ' ', 'KEEPTTL') end
return 1`);

/** The next time that was not given out: `ts, how far it may run ahead in ms`. */
export const NEXT_TIME = script(`
local ts, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
local ahead = last - ts
local time = ts
if ahead >= 0 and ahead < most then time = last + 1 end
if ahead ~= most then redis.call('SET', KEYS[1], string.format('%d', time), 'EX', 86400) end
return time`);

/** Runs a script by its digest, so that its text travels once. */
export async function runScript(
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
