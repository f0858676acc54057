import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AttributionDirectory } from "../features/collecting/attribution-settings/index.ts";
import {
	Collector,
	createCollectHandler,
	forgetNotes,
	isCollectRequest,
	openSessionStore,
} from "../features/collecting/collect/index.ts";
import { writeCounts } from "../features/collecting/collector-counts/index.ts";
import { collectorId, collectorsAtWork, reportProgress } from "../features/collecting/collector-progress/index.ts";
import type { ScriptRequests } from "../features/collecting/tracker-script/index.ts";
import type { ForgottenDays, SiteDirectory, SiteFacts } from "../features/tenancy/sites/index.ts";
import { mayHavePeers } from "../platform/config/roles.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import type { Clock } from "../platform/lib/clock.ts";
import { deriveKey } from "../platform/lib/crypto.ts";
import type { Trace } from "../platform/lib/trace.ts";
import { within } from "../platform/lib/within.ts";
import type { Log } from "../platform/log/log.ts";
import type { Stores } from "./stores.ts";

/** How long the end waits to tell the others that it waits for nothing. */
const FORGET_MS = 500;

/** Key of the tokens that tracker scripts carry. */
export const collectKey = (secretKey: string): string => deriveKey(secretKey, "collect").toString("hex");

/** Pages that are open keep the token that the secret before the present one keyed. */
const secretsOf = ({ secretKey, secretKeyPrevious }: ReadyConfig): string[] =>
	secretKeyPrevious === undefined ? [secretKey] : [secretKey, secretKeyPrevious];

interface CollectingDeps extends Pick<Stores, "metadata" | "settings" | "eventStore" | "eventTables"> {
	readonly config: ReadyConfig;
	readonly clock: Clock;
	readonly log: Log;
	readonly sites: SiteDirectory;
	readonly attribution: AttributionDirectory;
	readonly scriptRequests: ScriptRequests;
	readonly trace: Trace;
}

/** The collector of this process with the session store that it owns. */
export type Collecting = Awaited<ReturnType<typeof openCollecting>>;

/** Opens the collector. Hits are taken at once; until it has put back the sessions of an earlier run they wait. */
export async function openCollecting(deps: CollectingDeps) {
	const { config, clock, log, metadata, eventStore, sites, attribution } = deps;
	const id = await collectorId(config.dataDir);
	const sessionTimeoutMs = config.sessionTimeoutMinutes * 60_000;
	const { sessions, ...sharedSessions } = await openSessionStore({
		clock,
		log,
		dataDir: config.dataDir,
		redisUrl: config.redisUrl,
		timeoutMs: sessionTimeoutMs,
		maxBytes: config.sessionMemory,
	});
	const stored = new EventEmitter<{ hits: [sites: ReadonlySet<string> | "all"] }>();
	const collector = await Collector.open({
		clock,
		log,
		metadata: deps.settings,
		store: eventStore,
		storeReady: deps.eventTables.whenReady,
		sites,
		attribution,
		sessions,
		secrets: secretsOf(config).map(collectKey),
		dataDir: config.dataDir,
		spoolMaxBytes: config.spoolMaxBytes,
		sessionTimeoutMs,
		newVisitsPerAddress: config.newVisitsPerAddress,
		maxAmount: config.maxAmount,
		paymentDomains: config.paymentDomains,
		trace: deps.trace,
		onStored: (sites) => stored.emit("hits", sites),
	}).catch(async (error) => {
		await sessions.close();
		throw error;
	});
	const hadHitsWaiting = collector.waitingBytes > 0 || collector.spoolState.refused.files > 0;
	const isCaughtUp = (waitMs: number) => collector.isCaughtUp(waitMs);
	const progress = reportProgress({ id, metadata, clock, log, isCaughtUp });
	// Others would take it for none in its first minute.
	const warned = mayHavePeers(config) ? progress.report().then(() => warnWithoutRedis(deps, id)) : Promise.resolve();
	const counting = { metadata, clock, log, hits: collector.rejections, scripts: deps.scriptRequests };
	const counts = mayHavePeers(config) ? writeCounts(counting) : undefined;
	return {
		collector,
		/** Progress reports for other processes. */
		progress,
		/** Writer of counts for other processes; undefined if there are none. */
		counts,
		/** Calls back each time hits have reached the event store, with their sites where these are known. */
		whenStored: (told: (sites: ReadonlySet<string> | "all") => void) => void stored.on("hits", told),
		/** Takes a request for the collector; answers false when it is for another part of the service. */
		intercept: interceptor(collector, createCollectHandler({ collector, clock, trustProxy: config.trustProxy })),
		sharedSessions,
		/** Whether hits of an earlier run waited here for the event store when this one began. */
		hadHitsWaiting,
		/** Brings what waits here into the event store, and leaves nothing else of deleted days of a site. */
		forget: async (site: Pick<SiteFacts, "id" | "timezone">, days: ForgottenDays): Promise<void> => {
			await collector.forget(site, days);
			await forgetNotes({ store: eventStore, sessions }, site, days, clock.now());
		},
		close: async () => {
			progress.stop();
			await within(clock, FORGET_MS, warned);
			await collector.close();
			await within(clock, FORGET_MS, counts?.close() ?? Promise.resolve());
			if (collector.waitingBytes === 0) await within(clock, FORGET_MS, progress.forget()).catch(() => undefined);
			await sessions.close();
		},
	};
}

/** A visit whose hits reach two collectors is one visit where Redis has it, and two where each has its own. */
async function warnWithoutRedis(
	{ config, metadata, clock, log }: Pick<CollectingDeps, "config" | "metadata" | "clock" | "log">,
	ownId: string,
): Promise<void> {
	if (config.redisUrl !== undefined) return;
	// A store that is down is reported elsewhere.
	const atWork = await collectorsAtWork({ metadata, clock }).catch(() => []);
	if (atWork.every((id) => id === ownId)) return;
	log.warn(
		{ setting: "REDIS_URL", collectors: atWork.length },
		"Other collectors are at work, and this one shares no visits with them: give all of them the same REDIS_URL",
	);
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/** Hands requests to the collector, also those that came before it was ready: their bodies wait on the connection. */
function interceptor(collector: Collector, handle: Handle) {
	let isReady = false;
	void collector.restored.then(() => {
		isReady = true;
	});
	return (request: IncomingMessage, response: ServerResponse): boolean => {
		if (!isCollectRequest(request)) return false;
		if (isReady) handle(request, response);
		else void collector.restored.then(() => request.destroyed || handle(request, response));
		return true;
	};
}
