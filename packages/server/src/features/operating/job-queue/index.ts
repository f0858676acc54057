import { Type } from "typebox";
import type { Guard } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Id, Nullable, OneOf, paging, Text, Timestamp } from "../../../platform/http/schemas.ts";
import { findJob, listJobs, retryJob, type ShownJob } from "../../../platform/jobs/job-overview.ts";
import { type Actor, actorOf, type ChangeDeps, recordAudit } from "../../auditing/audit-log/index.ts";

const State = OneOf(["pending", "running", "done", "failed"], {
	description: "`pending`: waiting, also for another attempt; `failed`: all attempts failed",
});

/** A job without its payload, which may hold what a mail says. */
const Job = Type.Object({
	id: Type.Integer(),
	kind: Type.String({ description: "Such as `mail`, or the name of a schedule" }),
	status: State,
	attempts: Type.Integer({ description: "So far" }),
	next_run_at: Nullable(Timestamp(), { description: "For a waiting job" }),
	last_error: Nullable(Type.String(), { description: "Error of the last attempt; without personal data" }),
	created_at: Timestamp(),
	finished_at: Nullable(Timestamp(), { description: "When the job completed or failed" }),
});

/** Retries a failed job. Throws `not_found`, and `conflict` for a job that waits, runs or is done. */
function retryGivenUp({ metadata, clock }: ChangeDeps, id: number, actor: Actor): Promise<ShownJob> {
	const nowMs = clock.now();
	return metadata.transaction().execute(async (trx) => {
		const hasBegun = await retryJob(trx, id, nowMs);
		const job = await findJob(trx, id);
		if (job === undefined) throw new ServiceError("not_found", "Job not found");
		if (!hasBegun) throw new ServiceError("conflict", `The job has not failed: ${job.state}`);
		await recordAudit(trx, actor, { action: "job.retried", resourceId: id, details: { kind: job.kind } }, nowMs);
		return job;
	});
}

const tags = ["Operating"];
const reading: Guard = { kind: "session", scope: "read", superadmin: true };
const writing: Guard = { kind: "session", scope: "write", superadmin: true, impersonation: "refused" };

/** Routes by which superadmins look after what the service does by itself. */
export function registerJobQueue(app: App, deps: ChangeDeps): void {
	addRoute(app, "GET /admin/jobs", {
		tags,
		summary:
			"Jobs that are waiting or running, completed in the last 24 hours or failed in the last thirty days, latest first",
		querystring: Type.Object({
			status: Type.Optional(State),
			kind: Type.Optional(Text(1, 100, { description: "Such as `mail`" })),
			...paging({ pageSize: 50, max: 100 }),
		}),
		guard: reading,
		data: Type.Object({
			jobs: Type.Array(Job),
			total: Type.Integer(),
			page: Type.Integer(),
			page_size: Type.Integer(),
			total_pages: Type.Integer(),
		}),
		handler: async (request) => {
			const { status: state, kind, page, page_size: size } = request.query;
			const filter = { ...(state !== undefined && { state }), ...(kind !== undefined && { kind }) };
			const offset = Math.min((page - 1) * size, Number.MAX_SAFE_INTEGER);
			const { rows, total } = await listJobs(deps.metadata, filter, { limit: size, offset });
			const pages = { total, page, page_size: size, total_pages: Math.ceil(total / size) };
			return { jobs: rows.map(presentJob), ...pages };
		},
	});
	addRoute(app, "POST /admin/jobs/:id/retry", {
		tags,
		summary: "Retry a failed job",
		params: Type.Object({ id: Id() }),
		guard: writing,
		data: Job,
		errors: ["not_found", "conflict"],
		handler: async (request) => presentJob(await retryGivenUp(deps, request.params.id, actorOf(request))),
	});
}

/** Of a running job the column is the end of its lease. */
const presentJob = (row: ShownJob) =>
	presentRow(Job, { ...row, status: row.state, next_run_at: row.state === "pending" ? row.due_at : null });
