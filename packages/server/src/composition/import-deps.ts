import { paymentPages } from "../analytics/attribution/payment-pages.ts";
import type { ImportDeps } from "../features/collecting/imports/index.ts";
import { MINUTE_MS } from "../platform/lib/durations.ts";
import type { RouteDeps } from "./app-deps.ts";

type Parts = Pick<
	RouteDeps,
	"config" | "metadata" | "clock" | "log" | "jobs" | "importFiles" | "storedEvents" | "revisions" | "attribution"
>;

/** What imports are brought on with. */
export const importDeps = (parts: Parts): ImportDeps => {
	const { config, metadata, clock, log, jobs, importFiles, storedEvents, revisions, attribution } = parts;
	return {
		metadata,
		clock,
		log,
		jobs,
		files: importFiles,
		maxBytes: config.maxImportBytes,
		eventStore: storedEvents,
		revisions,
		cluster: config.clickhouseCluster,
		attribution,
		paymentPages: paymentPages(config.paymentDomains),
		sessionTimeoutMs: config.sessionTimeoutMinutes * MINUTE_MS,
	};
};
