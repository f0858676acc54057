import { setImmediate as nextTurn } from "node:timers/promises";
import type { Metadata } from "../metadata/metadata.ts";
import { type Attempt, finishJobs, postponeJob } from "./store.ts";

interface End {
	readonly id: number;
	/** Absent when the job is done. */
	readonly again: Attempt | undefined;
	readonly noted: (isHeld: boolean) => void;
	readonly failed: (error: unknown) => void;
}

/** Notes the ends of jobs. While one write is under way the next ends gather, so that a disk that syncs slowly holds up none. */
export class JobEnds {
	readonly #metadata: Metadata;
	readonly #lease: string;
	#waiting: End[] = [];
	#isWriting = false;

	constructor(metadata: Metadata, lease: string) {
		this.#metadata = metadata;
		this.#lease = lease;
	}

	/** Resolves when the store has noted that a job is done, or when it is to be tried again; false if the lease was lost. */
	note(id: number, nowMs: number, again?: Attempt): Promise<boolean> {
		const { promise, resolve, reject } = Promise.withResolvers<boolean>();
		this.#waiting.push({ id, again, noted: resolve, failed: reject });
		if (!this.#isWriting) void this.#write(nowMs);
		return promise;
	}

	async #write(nowMs: number): Promise<void> {
		this.#isWriting = true;
		while (this.#waiting.length > 0) {
			// An embedded store answers within the same turn: what ends in this turn is noted in one write.
			await nextTurn();
			const ends = this.#waiting;
			this.#waiting = [];
			try {
				const held = await this.#writeAll(ends, nowMs);
				for (const { id, noted } of ends) noted(held.has(id));
			} catch (error) {
				for (const { failed } of ends) failed(error);
			}
		}
		this.#isWriting = false;
	}

	#writeAll(ends: readonly End[], nowMs: number): Promise<Set<number>> {
		const lease = this.#lease;
		return this.#metadata.transaction().execute(async (trx) => {
			const done = ends.filter(({ again }) => again === undefined).map(({ id }) => id);
			const held = new Set(done.length === 0 ? [] : await finishJobs(trx, { ids: done, lease, nowMs }));
			for (const { id, again } of ends) {
				if (again !== undefined && (await postponeJob(trx, { id, lease }, again))) held.add(id);
			}
			return held;
		});
	}
}
