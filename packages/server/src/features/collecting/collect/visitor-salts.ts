import { randomBytes } from "node:crypto";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

const DAY_MS = 86_400_000;
const LIFETIME_MS = 2 * DAY_MS;
/** The next day's salt is made this long before midnight, so that all collectors have it when the day begins. */
const AHEAD_MS = 3_600_000;

type SaltTables = {
	visitor_salts: { day: string; salt: string; created_at: number };
};

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/**
 * The random salts of visitor ids: one a UTC day, shared by all collectors, destroyed 48 hours after it was made;
 * with it goes the last way to tell whose id an id was.
 */
export class VisitorSalts {
	readonly #metadata;
	readonly #clock: Clock;
	readonly #salts = new Map<number, string>();

	constructor(deps: { readonly metadata: Metadata; readonly clock: Clock }) {
		this.#metadata = deps.metadata.withTables<SaltTables>();
		this.#clock = deps.clock;
	}

	/** The salt of the UTC day of `now`, as text of a fixed length; undefined when `refresh` has not run since the day began. */
	on(now: number): string | undefined {
		return this.#salts.get(Math.floor(now / DAY_MS));
	}

	/** Makes what is missing, destroys what is old, and reads the rest; to be called every few minutes. */
	async refresh(): Promise<void> {
		const now = this.#clock.now();
		await this.#metadata
			.deleteFrom("visitor_salts")
			.where("created_at", "<=", now - LIFETIME_MS)
			.execute();
		for (const day of new Set([dayOf(now), dayOf(now + AHEAD_MS)])) {
			await this.#metadata
				.insertInto("visitor_salts")
				.values({ day, salt: randomBytes(32).toString("base64"), created_at: now })
				.onConflict((conflict) => conflict.column("day").doNothing())
				.execute();
		}
		const rows = await this.#metadata.selectFrom("visitor_salts").select(["day", "salt"]).execute();
		this.#salts.clear();
		for (const { day, salt } of rows) this.#salts.set(Date.parse(day) / DAY_MS, salt);
	}
}
