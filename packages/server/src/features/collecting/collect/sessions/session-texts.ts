import { type SessionDimensions, sessionColumns } from "../../../../analytics/model/event-row.ts";
import { LruMap } from "../../../../platform/lib/lru-map.ts";
import type { SessionState } from "./session-state.ts";

/** Below this length the engine copies by itself; from it on a part of a text keeps the whole text alive. */
const SLICED_FROM = 13;
/** Longer texts are rarely the same. */
const SHARED_UP_TO = 100;
const SHARED_TEXTS = 10_000;
/** Header and padding of a text. */
const TEXT_BYTES = 24;
/** The objects of a session, their numbers and short texts, and its place in the map. */
const SESSION_BYTES = 800;
/** A fingerprint in a list. */
const NUMBER_BYTES = 8;

/** Copies the texts of sessions, so that none keeps the request alive that it was cut from; common ones are shared. */
export class SessionTexts {
	readonly #shared = new LruMap<string, string>(SHARED_TEXTS);

	/** The same values in texts of their own. */
	own(dimensions: SessionDimensions): SessionDimensions {
		const owned: { -readonly [Column in keyof SessionDimensions]: SessionDimensions[Column] } = { ...dimensions };
		for (const column of sessionColumns) if (column !== "device") owned[column] = this.#text(owned[column]);
		return owned;
	}

	#text(text: string): string {
		if (text.length < SLICED_FROM) return text;
		if (text.length > SHARED_UP_TO) return copyOf(text);
		const known = this.#shared.get(text);
		if (known !== undefined) return known;
		const copy = copyOf(text);
		this.#shared.set(copy, copy);
		return copy;
	}
}

const copyOf = (text: string): string => Buffer.from(text).toString();

/** Memory that the pages seen in a session take, in bytes. */
export const trailBytes = ({ trail }: SessionState): number => (trail?.pages.length ?? 0) * NUMBER_BYTES;

/** Memory that a session with these values takes at most, in bytes. */
export function sessionBytes(dimensions: SessionDimensions): number {
	let bytes = SESSION_BYTES;
	for (const column of sessionColumns) {
		const text = dimensions[column];
		if (text.length < SLICED_FROM) continue;
		// One character beyond Latin makes all of them take two bytes.
		bytes += TEXT_BYTES + text.length * (Buffer.byteLength(text) > text.length ? 2 : 1);
	}
	return bytes;
}
