import { randomBytes } from "node:crypto";
import type { Clock } from "../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Salt, storedSalts } from "./salts-store.ts";

const LIFETIME_MS = 2 * DAY_MS;
/** The next day's salt is made this long before midnight, so that all collectors have it when the day begins. */
const AHEAD_MS = 3_600_000;

interface VisitorSaltsDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** Told when the store could not be asked. */
	readonly onError?: (error: unknown) => void;
}

/** The random salts of visitor ids: one a UTC day, shared by all collectors, destroyed after 48 hours, so that no id can be traced back. */
export class VisitorSalts {
	readonly #deps: VisitorSaltsDeps;
	#known = new Map<string, Salt>();
	readonly #salts = new Map<number, string>();

	constructor(deps: VisitorSaltsDeps) {
		this.#deps = deps;
	}

	/** The salt of the UTC day of `now`, as text of a fixed length; undefined when `refresh` has not run since the day began. */
	on(now: number): string | undefined {
		return this.#salts.get(Math.floor(now / DAY_MS));
	}

	/** Makes missing salts, destroys old ones and reads the rest. Salts that are made while the store is away are stored when it is back. */
	async refresh(): Promise<void> {
		const now = this.#deps.clock.now();
		const known = new Map([...this.#known].filter(([, { created_at }]) => created_at > now - LIFETIME_MS));
		const days = new Set([utcDay(now), utcDay(now + AHEAD_MS)]);
		for (const day of days) {
			if (!known.has(day)) known.set(day, { day, salt: randomBytes(32).toString("base64"), created_at: now });
		}
		try {
			this.#known = await this.#share(
				[...known.values()].filter(({ day }) => days.has(day)),
				now,
			);
		} catch (error) {
			this.#known = known;
			this.#deps.onError?.(error);
		}
		this.#salts.clear();
		for (const { day, salt } of this.#known.values()) this.#salts.set(Date.parse(day) / DAY_MS, salt);
	}

	/** Stores salts of days that have none, and answers those that all collectors use. */
	async #share(salts: readonly Salt[], now: number): Promise<Map<string, Salt>> {
		const { metadata } = this.#deps;
		await storedSalts.drop(metadata, { created_at: { "<=": now - LIFETIME_MS } });
		for (const salt of salts) await storedSalts.insertUnlessTaken(metadata, salt, "day");
		return new Map((await storedSalts.list(metadata, {})).map((row) => [row.day, row]));
	}
}
