import { describeCause } from "../platform/log/describe-cause.ts";
import type { Log } from "../platform/log/log.ts";
import type { Collecting } from "./collector.ts";
import type { InMemory } from "./in-memory.ts";

interface CatchingUpDeps extends Pick<InMemory, "sites" | "attribution" | "ipAllowlists"> {
	readonly log: Log;
	readonly collecting: Collecting | undefined;
	/** Looks for days that are to be forgotten; undefined in a single process. */
	readonly lookForDeletions: (() => Promise<void>) | undefined;
}

/**
 * Does at once what processes do every few seconds for each other: reads the settings that others have changed, and tells what
 * this one counts and how far it has got.
 */
export async function catchUp(deps: CatchingUpDeps): Promise<void> {
	const { sites, attribution, ipAllowlists, collecting, lookForDeletions, log } = deps;
	const done = await Promise.allSettled([
		sites.refresh(),
		attribution.refresh(),
		ipAllowlists.allowlists.refresh(),
		collecting?.counts?.write(),
		collecting?.collector.exchangeUsage(),
		collecting?.progress.report(),
		lookForDeletions?.(),
	]);
	for (const part of done) {
		if (part.status === "rejected")
			log.warn({ cause: describeCause(part.reason) }, "A process has an older state than the others");
	}
}
