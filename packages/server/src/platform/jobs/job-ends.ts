import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";
import type { Metadata } from "../metadata/metadata.ts";
import type { EndWrite } from "./jobs.ts";
import { type Attempt, finishJobs, postponeJob } from "./store.ts";

interface Deps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly lease: string;
}

interface JobEnd {
	readonly id: number;
	readonly lane: string | null;
	/** Absent when the job is done. */
	readonly again?: Attempt;
	/** Written with it. */
	readonly writes?: readonly EndWrite[];
}

interface WaitingEnd extends JobEnd {
	readonly noted: (isHeld: boolean) => void;
	readonly failed: (error: unknown) => void;
}

/** Ends of one transaction; others that want the store come in between. */
const MOST_AT_ONCE = 32;

/** Notes the ends of jobs. While one write is under way the next ends gather, so that a disk that syncs slowly holds up none. */
export class JobEnds {
	readonly #deps: Deps;
	readonly #waiting: WaitingEnd[] = [];
	#isWriting = false;

	constructor(deps: Deps) {
		this.#deps = deps;
	}

	/** Resolves when the store has noted that a job is done, or when it is to be tried again; false if the lease was lost. */
	note(end: JobEnd): Promise<boolean> {
		const { promise, resolve, reject } = Promise.withResolvers<boolean>();
		this.#waiting.push({ ...end, noted: resolve, failed: reject });
		if (!this.#isWriting) void this.#write();
		return promise;
	}

	async #write(): Promise<void> {
		this.#isWriting = true;
		while (this.#waiting.length > 0) {
			// An embedded store answers within the same turn, so jobs that end in this turn are recorded in one write.
			await nextTurn();
			await this.#noteTogether(this.#waiting.splice(0, MOST_AT_ONCE));
		}
		this.#isWriting = false;
	}

	async #noteTogether(ends: readonly WaitingEnd[]): Promise<void> {
		try {
			const held = await this.#inOneTransaction(ends);
			for (const { id, noted } of ends) noted(held.has(id));
		} catch (error) {
			const isOneOfMany = ends.length > 1 && ends.some(({ writes = [] }) => writes.length > 0);
			// A failed write of one must not undo the others.
			if (isOneOfMany) for (const end of ends) await this.#noteTogether([end]);
			else for (const { failed } of ends) failed(error);
		}
	}

	#inOneTransaction(ends: readonly WaitingEnd[]): Promise<Set<number>> {
		const { metadata, clock, lease } = this.#deps;
		return metadata.transaction().execute(async (trx) => {
			const done = ends.filter(({ again }) => again === undefined).map(({ id }) => id);
			const finished = done.length === 0 ? [] : await finishJobs(trx, { ids: done, lease, nowMs: clock.now() });
			const held = new Set(finished);
			for (const { id, again } of ends) {
				if (again !== undefined && (await postponeJob(trx, { id, lease }, again))) held.add(id);
			}
			for (const { id, writes = [] } of inOneOrder(ends)) {
				if (held.has(id)) for (const write of writes) await write(trx);
			}
			return held;
		});
	}
}

/** Processes that change the same rows do so in the same order, and do not wait for each other in a circle. */
const inOneOrder = (ends: readonly WaitingEnd[]): WaitingEnd[] =>
	ends.toSorted((a, b) => {
		const [left, right] = [a.lane ?? "", b.lane ?? ""];
		return left === right ? a.id - b.id : left < right ? -1 : 1;
	});
