import { localHour } from "../../../analytics/model/site-clock.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { coversHit, type ForgottenDays, type RejectionWindow, type SiteFacts } from "../../tenancy/sites/index.ts";
import { type HourCounts, type RejectionLog, windowOf } from "../collect/index.ts";
import { collectorsAtWork } from "../collector-progress/index.ts";
import type { ScriptRequestCount, ScriptRequests } from "../tracker-script/index.ts";
import { type HourRow, hitCounts, scriptRequests, selectHours, upsertHours, upsertRequests } from "./store.ts";

const EVERY_MS = 5000;
/** The hours of a day, and the one that has begun. */
const HOURS_KEPT = 25;
const REQUESTS_KEPT_MS = 14 * DAY_MS;
/** SQLite writes on the thread that takes hits. */
const PORTION = 100;

interface WritingDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly log: Log;
	readonly hits: Pick<RejectionLog, "takeChanged" | "hour">;
	readonly scripts: Pick<ScriptRequests, "takeChanged" | "of">;
}

/** Keeps the counts of this process in the metadata store, every five seconds as long as they change. */
export function writeCounts(deps: WritingDeps) {
	const { metadata, clock, log, hits, scripts } = deps;
	// Counts of an earlier run of this process are kept beside these.
	const runId = uuid();
	const waiting = { hits: new Map(hits.takeChanged()), scripts: new Set(scripts.takeChanged()) };
	let droppedAt = 0;

	const take = () => {
		for (const [siteId, hour] of hits.takeChanged()) {
			waiting.hits.set(siteId, Math.min(hour, waiting.hits.get(siteId) ?? hour));
		}
		for (const siteId of scripts.takeChanged()) waiting.scripts.add(siteId);
	};
	const writeHits = async (now: number) => {
		const latest = Math.floor(now / HOUR_MS);
		for (const some of portions([...waiting.hits])) {
			for (const [siteId] of some) waiting.hits.delete(siteId);
			const rows = some.flatMap(([siteId, first]) => hoursOf(siteId, Math.max(first, latest - HOURS_KEPT + 1), latest));
			await upsertHours(metadata, rows).catch((error: unknown) => {
				for (const [siteId, first] of some) waiting.hits.set(siteId, first);
				throw error;
			});
		}
	};
	const hoursOf = (siteId: string, first: number, latest: number): HourRow[] => {
		const rows: HourRow[] = [];
		for (let hour = first; hour <= latest; hour++)
			rows.push({ site_id: siteId, hour, run_id: runId, counts: hits.hour(siteId, hour) });
		return rows;
	};
	const writeScripts = async () => {
		for (const some of portions([...waiting.scripts])) {
			const requests = some.map((site_id) => {
				const { count, lastAt } = scripts.of(site_id) ?? { count: 0, lastAt: 0 };
				return { site_id, run_id: runId, count, last_at: lastAt };
			});
			await upsertRequests(metadata, requests);
			for (const siteId of some) waiting.scripts.delete(siteId);
		}
	};
	const writeAll = async () => {
		take();
		const now = clock.now();
		await writeHits(now);
		await writeScripts();
		if (Math.abs(now - droppedAt) < HOUR_MS) return;
		droppedAt = now;
		await hitCounts.drop(metadata, { hour: { "<": Math.floor(now / HOUR_MS) - HOURS_KEPT } });
		await scriptRequests.drop(metadata, { last_at: { "<": now - REQUESTS_KEPT_MS } });
	};

	let tail = Promise.resolve();
	const write = (): Promise<void> => {
		const written = tail.then(writeAll);
		tail = written.catch(() => undefined);
		return written;
	};
	const attempt = () =>
		write().catch((error: unknown) =>
			log.warn({ cause: describeCause(error) }, "The counts of hits could not be written"),
		);
	const stop = clock.every(EVERY_MS, attempt);
	return {
		write,
		close: async () => {
			stop();
			await attempt();
		},
	};
}

function* portions<T>(all: readonly T[]): Generator<readonly T[]> {
	for (let from = 0; from < all.length; from += PORTION) yield all.slice(from, from + PORTION);
}

/** Forgets what was counted of a site on deleted days, also of processes that have ended. Collectors at work have forgotten it before. */
export async function forgetCounts(
	{ metadata }: { readonly metadata: Metadata },
	{ site, days }: { readonly site: Pick<SiteFacts, "id" | "timezone">; readonly days: ForgottenDays },
): Promise<boolean> {
	const rows = await selectHours(metadata, site.id, 0);
	const kept = rows.map((row) => {
		const isKept = (minute: string) => {
			const at = row.hour * HOUR_MS + Number(minute) * MINUTE_MS;
			return !coversHit(days, localHour(site.timezone, at).date, at);
		};
		return { ...row, counts: only(row.counts, isKept) };
	});
	await upsertHours(metadata, kept);
	return true;
}

function only({ accepted, rejected, origins }: HourCounts, isKept: (minute: string) => boolean): HourCounts {
	const some = (byMinute: Readonly<Record<number, number>> = {}) =>
		Object.fromEntries(Object.entries(byMinute).filter(([minute]) => isKept(minute)));
	return {
		accepted: some(accepted),
		rejected: mapped(rejected, some),
		origins: mapped(origins, (ofReason) => withoutEmpty(mapped(ofReason ?? {}, some))),
	};
}

const mapped = <From, To>(of: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> =>
	Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]));

/** Names of pages on which nothing is left are not kept either. */
const withoutEmpty = <Value extends object>(of: Record<string, Value>): Record<string, Value> =>
	Object.fromEntries(Object.entries(of).filter(([, value]) => Object.keys(value).length > 0));

/** Counts of all collectors for a site, by minute, up to a day; undefined without a collector and without stored counts. */
export async function readHitCounts(
	{ metadata, clock }: { readonly metadata: Metadata; readonly clock: Clock },
	siteId: string,
): Promise<((minutes: number) => RejectionWindow) | undefined> {
	const now = clock.now();
	const rows = await selectHours(metadata, siteId, Math.floor((now - DAY_MS) / HOUR_MS));
	if (rows.length === 0 && (await collectorsAtWork({ metadata, clock })).length === 0) return undefined;
	return (minutes) => windowOf(rows, minutes, now);
}

/** How often the script of a site was asked for, of all collectors together; undefined when never. */
export async function readScriptRequests(metadata: Metadata, siteId: string): Promise<ScriptRequestCount | undefined> {
	const rows = await scriptRequests.list(metadata, { site_id: siteId });
	if (rows.length === 0) return undefined;
	return {
		count: rows.reduce((sum, row) => sum + row.count, 0),
		lastAt: Math.max(...rows.map((row) => row.last_at)),
	};
}
