import type { DeletingDeps } from "../../../analytics/deletion/delete-rows.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { AttributionDirectory } from "../attribution-settings/index.ts";

export type FilingDeps = Pick<ImportDeps, "metadata" | "clock" | "jobs" | "files" | "reading">;

export interface ImportDeps extends DeletingDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly log: Log;
	readonly jobs: Jobs;
	/** Where the files lie until their rows are written. */
	readonly files: FileStore;
	/** How a process of its own reads them: where they are, a directory or a bucket as in `S3_URL`, and its most memory. */
	readonly reading: { readonly filesAt: string; readonly memoryBytes: number };
	readonly maxBytes: number;
	readonly attribution: AttributionDirectory;
	/** Of the operator, beside the bundled ones. */
	readonly paymentDomains: readonly string[];
	/** Number of hits that this process has taken; absent where it takes none. */
	readonly hitsTaken?: () => number;
	/** How long a visit lives without a hit, ms. */
	readonly sessionTimeoutMs: number;
}
