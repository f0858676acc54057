import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomic } from "../../../platform/files/write-atomic.ts";
import type { Cancel, Clock } from "../../../platform/lib/clock.ts";
import { DAY_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { collectorProgress } from "./store.ts";

/** Seconds into each minute: a caller that waits for the report waits shortly. */
const OFFSET_MS = 2000;
const FLUSH_MS = 20_000;
const FORGOTTEN_MS = DAY_MS;

interface ProgressDeps {
	readonly id: string;
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly log: Log;
	/** True as soon as every hit taken so far is in the event store; false when that takes longer. */
	readonly isCaughtUp: (waitMs: number) => Promise<boolean>;
}

/** Says in the metadata store, once a minute, how far this collector has got, for processes that do not see its spool. */
export function reportProgress(deps: ProgressDeps) {
	const { id, metadata, clock, log } = deps;
	let isOver = false;
	let cancel: Cancel | undefined;
	/** Without `stored_until`, as far as before. */
	const note = (progress: { readonly seen_at: number; readonly stored_until?: number }) =>
		collectorProgress.upsert(metadata, { id, stored_until: 0, ...progress }, ["id"], progress);
	const report = async () => {
		const before = clock.now();
		try {
			await note({ seen_at: before });
			const isStored = await deps.isCaughtUp(FLUSH_MS);
			if (isOver) return;
			await note({ seen_at: clock.now(), ...(isStored && { stored_until: before }) });
			await collectorProgress.drop(metadata, { seen_at: { "<=": clock.now() - FORGOTTEN_MS } });
		} catch (error) {
			log.warn({ cause: describeCause(error) }, "The progress of stored hits could not be recorded");
		}
	};
	const schedule = () => {
		if (isOver) return;
		cancel = clock.after(MINUTE_MS - ((clock.now() - OFFSET_MS) % MINUTE_MS), tick);
	};
	const tick = () => void report().then(schedule);
	schedule();
	return {
		id,
		report,
		stop: () => {
			isOver = true;
			cancel?.();
		},
		/** Unregisters this collector, so that no process waits for it. */
		forget: () => collectorProgress.drop(metadata, { id }),
	};
}

/** Id of the collector of a data directory, so that a restart after a crash finds its own hits and its own name. */
export async function collectorId(dataDir: string): Promise<string> {
	const path = join(dataDir, "collector-id");
	const known = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return "";
		throw error;
	});
	if (/^[0-9a-f-]{36}$/.test(known)) return known;
	const id = uuid();
	await writeAtomic(path, [Buffer.from(id)]);
	return id;
}

/** A collector without a report for so long counts as gone, also one with a report so far in the future: none may block for ever. */
const GONE_MS = 5 * MINUTE_MS;
const PAUSE_MS = 1000;

type AwaitingDeps = Pick<ProgressDeps, "metadata" | "clock">;

const seenLately = (clock: Clock) => ({ seen_at: { ">": clock.now() - GONE_MS, "<": clock.now() + GONE_MS } });

/** Collectors that have reported recently. */
export const collectorsAtWork = async ({ metadata, clock }: AwaitingDeps): Promise<string[]> =>
	(await collectorProgress.list(metadata, seenLately(clock))).map(({ id }) => id);

/** True as soon as every other collector has stored what it accepted before a moment; false when one takes longer than `waitMs`. */
export async function awaitCollectors(
	{ metadata, clock }: AwaitingDeps,
	{ ownId = "", until, waitMs }: { readonly ownId?: string; readonly until: number; readonly waitMs: number },
): Promise<boolean> {
	const behind = { id: { "!=": ownId }, stored_until: { "<": until } };
	const countBehind = () => collectorProgress.count(metadata, { ...seenLately(clock), ...behind });
	for (let waited = 0; (await countBehind()) > 0; waited += PAUSE_MS) {
		if (waited >= waitMs) return false;
		await clock.sleep(Math.min(PAUSE_MS, waitMs));
	}
	return true;
}
