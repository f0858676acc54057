import type { Values } from "./constants.ts";
import { type Deployment, withoutOne } from "./deployment.ts";
import { reportCores, spoolBytesAHit } from "./resources.ts";
import type { Traffic } from "./traffic.ts";

/** Effect of an unavailable shard in the busiest hour. */
export interface Outage {
	/** Gigabytes that wait in each spool at its end. */
	readonly spoolGb: number;
	/** Seconds after its end until no more waits than usual. */
	readonly drainSeconds: number;
}

/** Rows a second that the store takes from so many loaders, each of which sends one insert after the other. */
export function loadRate(of: Values, reports: number, deployment: Deployment, loaders: number): number {
	const sent = loaders * of.loaderRows;
	const inserts = loaders * Math.ceil(of.loaderRows / of.fullRows);
	const idle = deployment.nodeCores - reportCores(of, reports, deployment) - (inserts * of.insertUs) / 1e6;
	const taken = (idle * 1e6 * deployment.shards) / (of.rowUs * of.laterMerges);
	return Math.max(0, Math.min(sent, taken));
}

/** A step of the spool goes to all shards at once, so one that is away holds up all rows; hits are answered all the time. */
export function outageOf(of: Values, traffic: Traffic, deployment: Deployment, seconds: number): Outage {
	const loaders = withoutOne(deployment.collectors);
	const arriving = traffic.busiest * of.rowsAHit;
	const rate = loadRate(of, traffic.reports, deployment, loaders);
	return {
		spoolGb: (traffic.busiest * seconds * spoolBytesAHit(of)) / loaders / 1e9,
		drainSeconds: (arriving * seconds) / (rate - arriving),
	};
}
