import type { Segment } from "./segment.ts";
import type { SpoolRecord } from "./spool-record.ts";

/** Bytes kept in memory; older ones are read from disk. */
const MAX_BYTES = 16 * 1024 * 1024;

/** A step that is still in memory, as it was written. */
export interface RecentStep {
	readonly segment: Segment;
	readonly step: number;
	readonly records: SpoolRecord[];
	/** Sites that its rows belong to. */
	readonly sites: Set<string>;
	to: number;
}

/** The steps that were written last, so that the loader need not read and check what has just been written. */
export class RecentSteps {
	#steps: RecentStep[] = [];
	#bytes = 0;
	readonly #maxBytes: number;

	constructor(maxBytes = MAX_BYTES) {
		this.#maxBytes = maxBytes;
	}

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
		if (this.#bytes > this.#maxBytes) this.#drop(this.#steps.pop());
	}

	/** The step that begins at a segment's next byte to load; undefined when it has to be read from disk. */
	next(segment: Segment): RecentStep | undefined {
		return this.#steps.find(
			(step) => step.segment === segment && step.records[0]?.at === segment.done && step.to <= segment.sealed,
		);
	}

	/** Forgets steps of which the loader has no more need. */
	release(): void {
		while (this.#steps[0] !== undefined && this.#steps[0].to <= this.#steps[0].segment.done)
			this.#drop(this.#steps.shift());
	}

	#drop(step: RecentStep | undefined): void {
		for (const { length } of step?.records ?? []) this.#bytes -= length;
	}
}
