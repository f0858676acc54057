import { forgetCounts } from "../features/collecting/collector-counts/index.ts";
import { collectorsAtWork } from "../features/collecting/collector-progress/index.ts";
import { removeImportsOf } from "../features/collecting/imports/index.ts";
import { forgetConversationsOf } from "../features/connecting/assistant/index.ts";
import { forgetAlerts } from "../features/delivering/alerts/index.ts";
import { removeExportsOf } from "../features/delivering/exports/index.ts";
import { forgetInsights } from "../features/delivering/lens/index.ts";
import { forgetDeliveries } from "../features/delivering/webhooks/index.ts";
import {
	collectorsDone,
	type DataEnding,
	type DeletionRow,
	type KeepingDeps,
	noteForgotten,
	repeatDeletion,
	selectUnforgotten,
} from "../features/tenancy/data-keeping/index.ts";
import type { Cancel } from "../platform/lib/clock.ts";
import { DAY_MS } from "../platform/lib/durations.ts";
import { within } from "../platform/lib/within.ts";
import { describeCause } from "../platform/log/describe-cause.ts";
import type { RouteDeps } from "./app-deps.ts";
import type { Collecting } from "./collector.ts";
import { importDeps } from "./import-deps.ts";

/** Longer than hits take to reach the event store when it can take them. */
const FORGOTTEN_WITHIN_MS = 15_000;
const LOOK_EVERY_MS = 2000;
/** A collector that was away for longer has lost its place. */
const KEPT_MS = 31 * DAY_MS;

interface ForgettingDeps extends Pick<RouteDeps, "metadata" | "clock"> {
	readonly collecting: (Pick<Collecting, "forget"> & { readonly progress: { readonly id: string } }) | undefined;
}

/** Lets the collector of this process forget, and tells whether those of others have. */
export function forgetAtCollectors({ metadata, clock, collecting }: ForgettingDeps): KeepingDeps["collectors"] {
	// By deletion: while the event store is away, later attempts wait for the work that the first one began.
	const underway = new Map<number, Promise<true>>();
	return async ({ deletionId, site, days }) => {
		if (collecting !== undefined) {
			const forgotten =
				underway.get(deletionId) ??
				collecting
					.forget(site, days)
					.then(() => true as const)
					.finally(() => underway.delete(deletionId));
			underway.set(deletionId, forgotten);
			if ((await within(clock, FORGOTTEN_WITHIN_MS, forgotten)) === undefined) return false;
			await noteForgotten(metadata, { deletionId, collectorId: collecting.progress.id }, clock.now());
		}
		const done = await collectorsDone(metadata, deletionId);
		return (await collectorsAtWork({ metadata, clock })).every((id) => done.has(id));
	};
}

type EndingDeps = Parameters<typeof importDeps>[0] & Pick<RouteDeps, "files">;

/** Holders of a visit's figures other than the rows. */
export const dataEndings = (deps: EndingDeps): DataEnding[] => [
	(forgetting) => removeExportsOf(deps, forgetting),
	(forgetting) => forgetCounts(deps, forgetting),
	(forgetting) => forgetAlerts(deps, forgetting),
	(forgetting) => forgetInsights(deps, forgetting),
	(forgetting) => forgetDeliveries(deps, forgetting),
	(forgetting) => removeImportsOf(importDeps(deps), forgetting),
	(forgetting) => forgetConversationsOf(deps, forgetting),
];

type FollowingDeps = Pick<RouteDeps, "metadata" | "clock" | "log" | "jobs"> & { readonly collecting: Collecting };

/**
 * Where several processes collect, each looks by itself for days that are to be forgotten. One that was away meanwhile, with hits
 * that waited, has brought rows back: their deletion is repeated.
 */
export function followDeletions(deps: FollowingDeps) {
	const { clock, log, metadata, collecting } = deps;
	const collectorId = collecting.progress.id;
	let isOver = false;
	let cancel: Cancel | undefined;
	const forget = async (row: DeletionRow & { readonly timezone: string }) => {
		const days = { from: row.date_from, to: row.date_to, until: row.until };
		await collecting.forget({ id: row.site_id, timezone: row.timezone }, days);
		if (row.status === "completed" && collecting.hadHitsWaiting) await repeatDeletion(deps, row.id);
		await noteForgotten(metadata, { deletionId: row.id, collectorId }, clock.now());
	};
	const lookOnce = async () => {
		try {
			for (const row of await selectUnforgotten(metadata, collectorId, clock.now() - KEPT_MS)) {
				if (!isOver) await forget(row);
			}
		} catch (error) {
			log.warn({ cause: describeCause(error) }, "Deleted data could not be checked");
		}
	};
	// One at a time, as concurrent runs would repeat the work.
	let looked = Promise.resolve();
	const look = (): Promise<void> => {
		looked = looked.then(lookOnce);
		return looked;
	};
	const tick = () =>
		void look().then(() => {
			if (!isOver) cancel = clock.after(LOOK_EVERY_MS, tick);
		});
	tick();
	return {
		look,
		close: () => {
			isOver = true;
			cancel?.();
		},
	};
}
