import { deriveKey, sha256Hex } from "../platform/lib/crypto.ts";
import { DAY_MS, MINUTE_MS } from "../platform/lib/durations.ts";
import { utcDay } from "../platform/lib/timestamp.ts";

/** By this much the clocks of two processes may differ. */
export const CLOCK_SKEW_MS = MINUTE_MS;
const ID_CHARACTERS = 16;

/** A key that signs access tokens; tokens name it by its id (`kid`). */
export interface SigningKey {
	readonly id: string;
	readonly key: Uint8Array;
}

/** The key of a UTC day: derived, so that every process has it and a leaked one is soon worth nothing. */
function keyOfDay(secretKey: string, dayMs: number): SigningKey {
	const key = deriveKey(secretKey, `session-token ${utcDay(dayMs)}`);
	return { id: sha256Hex(key.toString("hex")).slice(0, ID_CHARACTERS), key };
}

/** The key that signs now. */
export const signingKey = (secretKey: string, nowMs: number): SigningKey => keyOfDay(secretKey, nowMs);

/** The key with this id, if it is of today or the day before and of one of the server's secrets. */
export function acceptedKey(secretKeys: readonly string[], id: unknown, nowMs: number): SigningKey | undefined {
	// Another process may have entered the new day already.
	const today = nowMs + CLOCK_SKEW_MS;
	return secretKeys
		.flatMap((secretKey) => [today, today - DAY_MS].map((day) => keyOfDay(secretKey, day)))
		.find((accepted) => accepted.id === id);
}
