import type { IncomingMessage, ServerResponse } from "node:http";
import type { SiteDirectory } from "../features/accounts/sites/index.ts";
import type { AttributionDirectory } from "../features/collecting/attribution-settings/index.ts";
import {
	Collector,
	createCollectHandler,
	isCollectRequest,
	openSessionStore,
} from "../features/collecting/collect/index.ts";
import { collectorId, type ProgressReports, reportProgress } from "../features/collecting/collector-progress/index.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import type { EventStore } from "../platform/event-store/event-store.ts";
import type { Clock } from "../platform/lib/clock.ts";
import { deriveKey } from "../platform/lib/crypto.ts";
import type { Log } from "../platform/log/log.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";

/** Key of the tokens that tracker scripts carry. */
export const collectKey = (secretKey: string): string => deriveKey(secretKey, "collect").toString("hex");

/** Pages that are open keep the token that the secret before the present one keyed. */
const secretsOf = ({ secretKey, secretKeyPrevious }: ReadyConfig): string[] =>
	secretKeyPrevious === undefined ? [secretKey] : [secretKey, secretKeyPrevious];

interface CollectingDeps {
	readonly config: ReadyConfig;
	readonly clock: Clock;
	readonly log: Log;
	readonly metadata: Metadata;
	readonly eventStore: EventStore;
	readonly sites: SiteDirectory;
	readonly attribution: AttributionDirectory;
}

/** The collector of this process with the session store that it owns. */
export interface Collecting {
	readonly collector: Collector;
	/** What other processes are told of it. */
	readonly progress: ProgressReports;
	/** Takes a request for the collector; answers false when it is for another part of the service. */
	intercept(request: IncomingMessage, response: ServerResponse): boolean;
	close(): Promise<void>;
}

/** Opens the collector: rows of an earlier run are stored and live sessions put back before it resolves. */
export async function openCollecting(deps: CollectingDeps): Promise<Collecting> {
	const { config, clock, log, metadata, eventStore, sites, attribution } = deps;
	const sessionTimeoutMs = config.sessionTimeoutMinutes * 60_000;
	const sessions = await openSessionStore({
		redisUrl: config.redisUrl,
		timeoutMs: sessionTimeoutMs,
		onError: (error) => log.warn({ error: error.name }, "The session store does not answer"),
	});
	const collector = await Collector.open({
		clock,
		log,
		metadata,
		store: eventStore,
		sites,
		attribution,
		sessions,
		secrets: secretsOf(config).map(collectKey),
		dataDir: config.dataDir,
		spoolMaxBytes: config.spoolMaxBytes,
		sessionTimeoutMs,
		newVisitsPerAddress: config.newVisitsPerAddress,
		paymentDomains: config.paymentDomains,
	}).catch(async (error) => {
		await sessions.close();
		throw error;
	});
	const isCaughtUp = (waitMs: number) => collector.isCaughtUp(waitMs);
	const progress = reportProgress({ id: await collectorId(config.dataDir), metadata, clock, log, isCaughtUp });
	const handle = createCollectHandler({ collector, clock, trustProxy: config.trustProxy });
	return {
		collector,
		progress,
		intercept: (request, response) => {
			if (!isCollectRequest(request)) return false;
			handle(request, response);
			return true;
		},
		close: async () => {
			progress.stop();
			await collector.close();
			if (collector.waitingBytes === 0) await progress.forget().catch(() => {});
			await sessions.close();
		},
	};
}
