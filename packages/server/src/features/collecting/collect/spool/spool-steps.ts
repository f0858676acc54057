import type { Segment } from "./segment.ts";
import type { SpoolRecord } from "./spool-record.ts";

/** Bytes kept in memory; older ones are read from disk. */
const MAX_RECENT_BYTES = 16 * 1024 * 1024;

interface RecentStep {
	readonly segment: Segment;
	readonly step: number;
	readonly records: SpoolRecord[];
	readonly sites: Set<string>;
	to: number;
}

/** The steps that were written last, so that the loader need not read and check what has just been written. */
export class RecentSteps {
	#steps: RecentStep[] = [];
	#bytes = 0;

	/** Adds a record that was made durable; `isFirst` when it begins its step in this segment. A step is kept whole or not at all. */
	add(segment: Segment, record: SpoolRecord, isFirst: boolean, sites: ReadonlySet<string>): void {
		let last = this.#steps.at(-1);
		if (isFirst) {
			last = { segment, step: record.step, records: [], sites: new Set(), to: record.at };
			this.#steps.push(last);
		}
		if (last === undefined || last.segment !== segment || last.to !== record.at) return;
		last.records.push(record);
		last.to += record.length;
		for (const site of sites) last.sites.add(site);
		this.#bytes += record.length;
		if (this.#bytes > MAX_RECENT_BYTES) this.#drop(this.#steps.pop());
	}

	/** The step that begins at a segment's next byte to load; undefined when it has to be read from disk. */
	next(segment: Segment): RecentStep | undefined {
		return this.#steps.find(
			(step) => step.segment === segment && step.records[0]?.at === segment.done && step.to <= segment.sealed,
		);
	}

	release(): void {
		while (this.#steps[0] !== undefined && this.#steps[0].to <= this.#steps[0].segment.done)
			this.#drop(this.#steps.shift());
	}

	#drop(step: RecentStep | undefined): void {
		for (const { length } of step?.records ?? []) this.#bytes -= length;
	}
}

/** A step is one insert: it fits into one block of the engine and, with a whole group more, into one statement. */
const MAX_STEP_ROWS = 50_000;
const MAX_STEP_BYTES = 24 * 1024 * 1024;

/** Numbers the steps of a run. Each record holds its number, so that a step has the same bounds whenever it is loaded. */
export class StepCounter {
	#number = 1;
	#rows = 0;
	#bytes = 0;

	/** The step of the next record, which is another one when the step at hand would grow too large. */
	stepFor(rows: number, bytes: number): number {
		if (this.#rows + rows > MAX_STEP_ROWS || this.#bytes + bytes > MAX_STEP_BYTES) this.end();
		this.#rows += rows;
		this.#bytes += bytes;
		return this.#number;
	}

	/** Ends the step at hand: the highest number that no later record has. */
	end(): number {
		if (this.#rows > 0) this.#number++;
		this.#rows = 0;
		this.#bytes = 0;
		return this.#number - 1;
	}
}
