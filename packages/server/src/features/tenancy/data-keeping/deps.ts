import type { DeletingDeps } from "../../../analytics/deletion/delete-rows.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { ForgottenDays, SiteChangeDeps, SiteRow } from "../sites/index.ts";

export interface AskingDeps extends SiteChangeDeps {
	readonly jobs: Pick<Jobs, "enqueue">;
}

/** Days of a site that other parts of the service are to forget. */
export interface Forgetting {
	readonly deletionId: number;
	readonly site: Pick<SiteRow, "id" | "timezone">;
	readonly days: ForgottenDays;
	/** The same as moments, of figures that were told meanwhile. */
	readonly period: { readonly from: number; readonly until: number };
	/** Time when its rows were deleted: later results contain none of them. */
	readonly rowsDeletedAt: number;
}

/** Removes what it holds of deleted days; false when something of it is still at work, and it is to be asked again. */
export type DataEnding = (forgetting: Forgetting) => Promise<boolean>;

export interface KeepingDeps extends AskingDeps, DeletingDeps {
	readonly jobs: Jobs;
	readonly log: Log;
	/** Brings what collectors hold into the event store, and lets them forget the rest. */
	readonly collectors: (forgetting: Pick<Forgetting, "deletionId" | "site" | "days">) => Promise<boolean>;
	/** Other holders of visits' figures. */
	readonly endings: readonly DataEnding[];
}
