import { join } from "node:path";
import type { ImportDeps } from "../features/collecting/imports/index.ts";
import type { Config } from "../platform/config/config.ts";
import { MINUTE_MS } from "../platform/lib/durations.ts";
import type { RouteDeps } from "./app-deps.ts";

type Parts = Pick<
	RouteDeps,
	"config" | "metadata" | "clock" | "log" | "jobs" | "importFiles" | "storedEvents" | "revisions" | "attribution"
> &
	Partial<Pick<RouteDeps, "collecting">>;

/** How a process of its own reads the files of imports. */
export const importReading = ({
	s3Url,
	dataDir,
	importMemory,
}: Pick<Config, "s3Url" | "dataDir" | "importMemory">) => ({
	filesAt: s3Url ?? join(dataDir, "imports"),
	memoryBytes: importMemory,
});

export const importDeps = (parts: Parts): ImportDeps => {
	const { config, metadata, clock, log, jobs, importFiles, storedEvents, revisions, attribution, collecting } = parts;
	return {
		metadata,
		clock,
		log,
		jobs,
		files: importFiles,
		reading: importReading(config),
		maxBytes: config.maxImportBytes,
		eventStore: storedEvents,
		revisions,
		cluster: config.clickhouseCluster,
		attribution,
		paymentDomains: config.paymentDomains,
		...(collecting !== undefined && { hitsTaken: () => collecting.collector.outcomes.kept }),
		sessionTimeoutMs: config.sessionTimeoutMinutes * MINUTE_MS,
	};
};
