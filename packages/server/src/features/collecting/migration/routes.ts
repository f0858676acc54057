import type { FastifyRequest } from "fastify";
import { type Guard, orgRoleReaches } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { hourly } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef, Message } from "../../../platform/http/schemas.ts";
import { roleIn, siteChangeOf } from "../../tenancy/organizations/index.ts";
import { findSite } from "../../tenancy/sites/index.ts";
import { removeImport } from "../imports/index.ts";
import { testConnection } from "./legacy-service.ts";
import { failMigration, runMigration } from "./run-migration.ts";
import { AccountParams, Connection, Created, Job, JobBody, JobList, JobParams, Progress, TestBody } from "./schemas.ts";
import { MIGRATION_JOB, type MigrationDeps, startMigration } from "./start-migration.ts";
import { presentJob, presentProgress, stateOf } from "./state.ts";
import { listMigrations, type MigrationRow, migrationKinds, migrations, updateUnfinished } from "./store.ts";

const tags = ["Migration"];
const forAdmins = { organizationRole: "admin" } as const;
const onAccount = (write: boolean) => ({
	tags,
	params: AccountParams,
	guard: { kind: "site", siteFrom: "path", keyScope: null, role: "admin", ...forAdmins, write } as const,
});
const onJob = (scope: "read" | "write"): Guard => ({ kind: "session", scope, ...forAdmins });

const ATTEMPTS = 5;
const away = { 503: { description: "`service_unavailable`: `LEGACY_API_URL` is not set", ...ErrorRef } };
const working = { description: "`conflict`: another job is running, or has migrated these days", ...ErrorRef };
const jobErrors = { ...errorAnswers("forbidden", "not_found"), ...away };
const ended = { description: "`conflict`: the job has ended", ...ErrorRef };

/** Migration jobs: routes on them, and the work behind them. */
export function registerMigration(app: App, deps: MigrationDeps): void {
	const { metadata, clock, jobs } = deps.imports;
	jobs.register<{ id: number }>(MIGRATION_JOB, ({ id }, context) => runMigration(deps, id, context), {
		maxAttempts: ATTEMPTS,
		concurrency: 1,
		onGivenUp: (trx, { id }) => failMigration(deps, trx, id),
	});
	addRoute(app, "POST /migration/test-connection", {
		tags,
		summary: "Sign in to the older service",
		body: TestBody,
		guard: onJob("write"),
		limit: [hourly("migration-test", 60)],
		data: Connection,
		errors: { ...errorAnswers("forbidden"), ...away },
		handler: ({ body: { account_id, ...login } }) =>
			testConnection(deps.operatorFetch, legacyUrl(deps), login, account_id),
	});
	addRoute(app, "POST /migration/accounts/:id/jobs", {
		...onAccount(true),
		summary: "Start a migration from the older service",
		body: JobBody,
		status: 201,
		data: Created,
		errors: { ...errorAnswers("bad_request"), 409: working, ...away },
		handler: async (request) => {
			const { body } = request;
			legacyUrl(deps);
			const { id, status } = await startMigration(deps, {
				...siteChangeOf(request),
				accountId: body.v1_account_id,
				login: { email: body.v1_email, password: body.v1_password },
				from: body.date_from,
				to: body.date_to,
				kinds: migrationKinds.filter((kind) => body[`migrate_${kind}`]),
			});
			return { job_id: id, status, message: "The migration runs in the background" };
		},
	});
	addRoute(app, "GET /migration/accounts/:id/jobs", {
		...onAccount(false),
		summary: "Migration jobs of a site, newest first",
		data: JobList,
		errors: away,
		handler: async (request) => {
			legacyUrl(deps);
			const jobs = [];
			for (const row of await listMigrations(metadata, request.site.id))
				jobs.push(presentJob(await stateOf(metadata, row)));
			return { jobs, total: jobs.length };
		},
	});
	const reading = { tags, params: JobParams, guard: onJob("read"), errors: jobErrors };
	addRoute(app, "GET /migration/jobs/:job_id", {
		...reading,
		summary: "One migration job",
		data: Job,
		handler: async (request) => presentJob(await stateOf(metadata, (await jobOf(deps, request)).row)),
	});
	addRoute(app, "GET /migration/jobs/:job_id/progress", {
		...reading,
		summary: "Progress of a migration job",
		data: Progress,
		handler: async (request) => presentProgress(await stateOf(metadata, (await jobOf(deps, request)).row), clock.now()),
	});
	addRoute(app, "POST /migration/jobs/:job_id/cancel", {
		tags,
		summary: "Cancel a migration job; rows it wrote are removed",
		params: JobParams,
		guard: onJob("write"),
		data: Message,
		errors: { ...jobErrors, 409: ended },
		handler: async (request) => {
			const { row, site } = await jobOf(deps, request);
			await cancelMigration(deps, site, row);
			return { message: "Cancelled" };
		},
	});
}

/** The address of the older service. Throws `service_unavailable` without one. */
function legacyUrl({ legacyApiUrl }: MigrationDeps): string {
	if (legacyApiUrl !== undefined) return legacyApiUrl;
	throw new ServiceError("service_unavailable", { message: "LEGACY_API_URL is not set", isOurs: false });
}

/** The job that a request names, and its site. Throws `not_found` also for one of another organization. */
async function jobOf(
	deps: MigrationDeps,
	request: Omit<FastifyRequest, "params"> & { readonly params: { readonly job_id: number } },
) {
	const { metadata } = deps.imports;
	const row = await migrations.find(metadata, { id: request.params.job_id });
	const site = row && (await findSite(metadata, row.site_id));
	const { caller } = request;
	const isSuperadmin = caller.kind === "session" && caller.role === "superadmin";
	const role = isSuperadmin ? "owner" : site && (await roleIn(metadata, site.organization_id, caller.userId));
	if (row === undefined || site === undefined || role === undefined) {
		throw new ServiceError("not_found", "Migration job not found");
	}
	if (!orgRoleReaches(role, "admin")) {
		throw new ServiceError("forbidden", "Required role: admin of the organization");
	}
	await request.refuseShutSite(site.id);
	legacyUrl(deps);
	return { row, site: { id: site.id, organizationId: site.organization_id } };
}

/** Cancels a running job and deletes its written rows. Throws `conflict` for one that has ended. */
async function cancelMigration(
	{ imports }: MigrationDeps,
	site: { readonly id: string; readonly organizationId: string },
	found: MigrationRow,
): Promise<void> {
	const { metadata, clock } = imports;
	const { row, imported } = await stateOf(metadata, found);
	const ended = { status: "cancelled" as const, sealed_login: null, current_step: null, completed_at: clock.now() };
	if (row.status !== "pending" && row.status !== "running") {
		throw new ServiceError("conflict", `The job has already ended: ${row.status}`);
	}
	if (imported !== undefined) await removeImport(imports, { site, importId: row.import_id });
	if ((await updateUnfinished(metadata, row.id, ended)) === undefined) {
		throw new ServiceError("conflict", "The job has ended meanwhile");
	}
}
