import type { FastifyRequest } from "fastify";
import { type Guard, orgRoleReaches } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { hourly } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef, Message } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { roleIn } from "../../tenancy/organizations/index.ts";
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
const onAccount = (write: boolean): Guard => ({
	kind: "site",
	siteFrom: "path",
	keyScope: null,
	role: "admin",
	...forAdmins,
	write,
});
const onJob = (scope: "read" | "write"): Guard => ({ kind: "session", scope, ...forAdmins });

const ATTEMPTS = 5;
const away = { description: "`service_unavailable`: `LEGACY_API_URL` is not set", ...ErrorRef };
const working = { description: "`conflict`: another job is running, or has migrated these days", ...ErrorRef };
const jobErrors = errorAnswers("forbidden", "not_found");
const ended = { description: "`conflict`: the job has ended", ...ErrorRef };

/** Migration jobs: routes on them, and the work behind them. */
export function registerMigration(app: App, deps: MigrationDeps): void {
	const { jobs } = deps.imports;
	jobs.register<{ id: number }>(MIGRATION_JOB, ({ id }, context) => runMigration(deps, id, context), {
		maxAttempts: ATTEMPTS,
		concurrency: 1,
		onGivenUp: (trx, { id }) => failMigration(deps, trx, id),
	});
	registerTest(app, deps);
	registerAccountRoutes(app, deps);
	registerJobReads(app, deps);
	registerCancel(app, deps);
}

/** The address of the older service. Throws `service_unavailable` without one. */
function legacyUrl({ legacyApiUrl }: MigrationDeps): string {
	if (legacyApiUrl !== undefined) return legacyApiUrl;
	throw new ServiceError("service_unavailable", { message: "LEGACY_API_URL is not set", isOurs: false });
}

function registerTest(app: App, deps: MigrationDeps): void {
	addRoute(app, "POST /migration/test-connection", {
		tags,
		summary: "Sign in to the older service",
		body: TestBody,
		guard: onJob("write"),
		limit: [hourly("migration-test", 60)],
		data: Connection,
		errors: { ...errorAnswers("forbidden"), 503: away },
		handler: ({ body: { account_id, ...login } }) =>
			testConnection(deps.imports.clock, legacyUrl(deps), login, account_id),
	});
}

function registerAccountRoutes(app: App, deps: MigrationDeps): void {
	addRoute(app, "POST /migration/accounts/:id/jobs", {
		tags,
		summary: "Start a migration from the older service",
		params: AccountParams,
		body: JobBody,
		guard: onAccount(true),
		status: 201,
		data: Created,
		errors: { ...errorAnswers("bad_request"), 409: working, 503: away },
		handler: async (request) => {
			const { site, body } = request;
			legacyUrl(deps);
			const { id, status } = await startMigration(deps, {
				site,
				actor: actorOf(request),
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
		tags,
		summary: "Migration jobs of a site, newest first",
		params: AccountParams,
		guard: onAccount(false),
		data: JobList,
		errors: { 503: away },
		handler: async (request) => {
			legacyUrl(deps);
			const rows = await listMigrations(deps.imports.metadata, request.site.id);
			const jobs = [];
			for (const row of rows) jobs.push(presentJob(await stateOf(deps.imports.metadata, row)));
			return { jobs, total: jobs.length };
		},
	});
}

/** The job that a request names, and its site. Throws `not_found` also for one of another organization. */
async function jobOf(deps: MigrationDeps, request: FastifyRequest, jobId: number) {
	const { metadata } = deps.imports;
	const row = await migrations.find(metadata, { id: jobId });
	const site = row && (await findSite(metadata, row.site_id));
	const { caller } = request;
	const isSuperadmin = caller.kind === "session" && caller.role === "superadmin";
	const role = isSuperadmin ? "owner" : site && (await roleIn(metadata, site.organization_id, caller.userId));
	if (row === undefined || site === undefined || role === undefined) {
		throw new ServiceError("not_found", { message: "Migration job not found" });
	}
	if (!orgRoleReaches(role, "admin")) {
		throw new ServiceError("forbidden", { message: "Required role: admin of the organization" });
	}
	await request.refuseShutSite(site.id);
	legacyUrl(deps);
	return { row, site: { id: site.id, organizationId: site.organization_id } };
}

function registerJobReads(app: App, deps: MigrationDeps): void {
	const { metadata, clock } = deps.imports;
	const reading = { tags, params: JobParams, guard: onJob("read"), errors: { ...jobErrors, 503: away } };
	addRoute(app, "GET /migration/jobs/:job_id", {
		...reading,
		summary: "One migration job",
		data: Job,
		handler: async (request) => {
			const { row } = await jobOf(deps, request, request.params.job_id);
			return presentJob(await stateOf(metadata, row));
		},
	});
	addRoute(app, "GET /migration/jobs/:job_id/progress", {
		...reading,
		summary: "Progress of a migration job",
		data: Progress,
		handler: async (request) => {
			const { row } = await jobOf(deps, request, request.params.job_id);
			return presentProgress(await stateOf(metadata, row), clock.now());
		},
	});
}

function registerCancel(app: App, deps: MigrationDeps): void {
	addRoute(app, "POST /migration/jobs/:job_id/cancel", {
		tags,
		summary: "Cancel a migration job; rows it wrote are removed",
		params: JobParams,
		guard: onJob("write"),
		data: Message,
		errors: { ...jobErrors, 409: ended, 503: away },
		handler: async (request) => {
			const { row, site } = await jobOf(deps, request, request.params.job_id);
			await cancelMigration(deps, site, row);
			return { message: "Cancelled" };
		},
	});
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
		throw new ServiceError("conflict", { message: `The job has already ended: ${row.status}` });
	}
	if (imported !== undefined) await removeImport(imports, { site, importId: row.import_id });
	if ((await updateUnfinished(metadata, row.id, ended)) === undefined) {
		throw new ServiceError("conflict", { message: "The job has ended meanwhile" });
	}
}
