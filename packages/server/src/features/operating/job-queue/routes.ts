import type { Guard } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { listJobs } from "../../../platform/jobs/job-overview.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { presentJob } from "./present.ts";
import { type JobQueueDeps, retryGivenUp } from "./retry-given-up.ts";
import { Job, JobPage, JobParams, ListQuery } from "./schemas.ts";

const tags = ["Operating"];
const reading: Guard = { kind: "session", scope: "read", superadmin: true };
const writing: Guard = { kind: "session", scope: "write", superadmin: true, impersonation: "refused" };

/** Routes by which superadmins look after what the service does by itself. */
export function registerJobQueue(app: App, deps: JobQueueDeps): void {
	app.route({
		method: "GET",
		url: "/admin/jobs",
		schema: {
			tags,
			summary: "Jobs that wait, run, were done within a day or given up within thirty, youngest first",
			querystring: ListQuery,
			response: { 200: Success(JobPage) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const { status: state, kind, page, page_size: size } = request.query;
			const filter = { ...(state !== undefined && { state }), ...(kind !== undefined && { kind }) };
			const offset = Math.min((page - 1) * size, Number.MAX_SAFE_INTEGER);
			const { rows, total } = await listJobs(deps.metadata, filter, { limit: size, offset });
			const pages = { total, page, page_size: size, total_pages: Math.ceil(total / size) };
			return success({ jobs: rows.map(presentJob), ...pages });
		},
	});
	app.route({
		method: "POST",
		url: "/admin/jobs/:id/retry",
		schema: {
			tags,
			summary: "Let a job that was given up begin anew",
			params: JobParams,
			response: { 200: Success(Job), ...errorAnswers("not_found", "conflict") },
		},
		config: { guard: writing },
		handler: async (request) => success(presentJob(await retryGivenUp(deps, request.params.id, actorOf(request)))),
	});
}
