import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { AlertDeps } from "./deps.ts";
import { type AlertRow, changeAlert, findAlert } from "./history-store.ts";
import { closeWithin } from "./incidents.ts";
import type { AlertStatus } from "./vocabulary.ts";

/** States that a user may set. */
export const settableStatuses = ["acknowledged", "resolved", "false_positive"] as const;
type SettableStatus = (typeof settableStatuses)[number];

/** States with the states before them; an ended alert does not begin again. */
const reachedFrom: Readonly<Record<SettableStatus, readonly AlertStatus[]>> = {
	acknowledged: ["active", "acknowledged"],
	resolved: ["active", "acknowledged", "resolved"],
	false_positive: ["active", "acknowledged", "resolved", "false_positive"],
};

/** Verdict of a user on an alert. */
export interface AlertVerdict {
	readonly siteId: string;
	readonly id: number;
	readonly userId: number;
	/** Undefined acknowledges an active entry, and leaves others as they are. */
	readonly status: SettableStatus | undefined;
	/** Undefined leaves them as they are. */
	readonly notes: string | null | undefined;
}

/** Notes what a user makes of an entry; `resolved` and `false_positive` close its incident. Throws `not_found` and `conflict`. */
export function judgeAlert(
	deps: Pick<AlertDeps, "metadata" | "clock" | "events">,
	{ siteId, id, userId, status: wanted, notes }: AlertVerdict,
): Promise<AlertRow> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		const known = await findAlert(trx, id);
		if (known?.site_id !== siteId) throw new ServiceError("not_found", { message: "Alert not found" });
		const status = wanted ?? (known.status === "active" ? "acknowledged" : known.status);
		if (status !== "acknowledged") await closeWithin(deps, trx, known, { status });
		const changed = await changeAlert(
			trx,
			{ siteId, id, from: reachedFrom[status] },
			{
				status,
				...(known.acknowledged_at === null && { acknowledged_at: nowMs, acknowledged_by: userId }),
				...(notes !== undefined && { notes }),
			},
		);
		if (changed === undefined) throw new ServiceError("conflict", { message: `The alert is ${known.status} already` });
		return changed;
	});
}
