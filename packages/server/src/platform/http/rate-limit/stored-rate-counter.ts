import { HOUR_MS } from "../../lib/durations.ts";
import type { Metadata } from "../../metadata/metadata.ts";
import type { RateCount, RateCounter } from "./rate-counter.ts";

export type LimitTables = { rate_limits: { bucket: string; count: number; ends_at: number } };

const CLEANING_INTERVAL_MS = HOUR_MS;

/** Counts in the metadata store: for windows that a restart must not reset. */
export class StoredRateCounter implements RateCounter {
	readonly #metadata: Metadata;
	#cleanedAt = 0;

	constructor(metadata: Metadata) {
		this.#metadata = metadata;
	}

	async hit(bucket: string, windowMs: number, nowMs: number): Promise<RateCount> {
		await this.#dropEnded(nowMs);
		return this.#metadata
			.withTables<LimitTables>()
			.insertInto("rate_limits")
			.values({ bucket, count: 1, ends_at: nowMs + windowMs })
			.onConflict((conflict) =>
				conflict.column("bucket").doUpdateSet((set) => {
					const isOver = set("rate_limits.ends_at", "<=", nowMs);
					return {
						count: set
							.case()
							.when(isOver)
							.then(1)
							.else(set("rate_limits.count", "+", 1))
							.end(),
						ends_at: set
							.case()
							.when(isOver)
							.then(set.ref("excluded.ends_at"))
							.else(set.ref("rate_limits.ends_at"))
							.end(),
					};
				}),
			)
			.returning(["count", "ends_at as endsAt"])
			.executeTakeFirstOrThrow();
	}

	async peek(bucket: string, windowMs: number, nowMs: number): Promise<RateCount> {
		const row = await this.#metadata
			.withTables<LimitTables>()
			.selectFrom("rate_limits")
			.select(["count", "ends_at as endsAt"])
			.where("bucket", "=", bucket)
			.where("ends_at", ">", nowMs)
			.executeTakeFirst();
		return row ?? { count: 0, endsAt: nowMs + windowMs };
	}

	async #dropEnded(nowMs: number): Promise<void> {
		if (nowMs - this.#cleanedAt < CLEANING_INTERVAL_MS) return;
		this.#cleanedAt = nowMs;
		await this.#metadata.withTables<LimitTables>().deleteFrom("rate_limits").where("ends_at", "<=", nowMs).execute();
	}
}
