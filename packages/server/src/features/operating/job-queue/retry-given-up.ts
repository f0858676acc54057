import { ServiceError } from "../../../platform/errors/service-error.ts";
import { findJob, retryJob, type ShownJob } from "../../../platform/jobs/job-overview.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";

/** Dependencies of managing the queue. */
export interface JobQueueDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
}

/** Lets a job that was given up begin anew. Throws `not_found`, and `conflict` for a job that waits, runs or is done. */
export function retryGivenUp({ metadata, clock }: JobQueueDeps, id: number, actor: Actor): Promise<ShownJob> {
	const nowMs = clock.now();
	return metadata.transaction().execute(async (trx) => {
		const hasBegun = await retryJob(trx, id, nowMs);
		const job = await findJob(trx, id);
		if (job === undefined) throw new ServiceError("not_found", { message: "Job not found" });
		if (!hasBegun) throw new ServiceError("conflict", { message: `The job was not given up: it is ${job.state}` });
		await recordAudit(trx, actor, { action: "job.retried", resourceId: id, details: { kind: job.kind } }, nowMs);
		return job;
	});
}
