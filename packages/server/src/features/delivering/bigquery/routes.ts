import type { FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import { AccountQuery, readingAccount, writingAccountOfOrganization } from "../../../access/index.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { coerceTexts, type SchemaLike } from "../../../platform/http/coerce.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { hourlyOfUser } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { given } from "../../../platform/lib/given.ts";
import { parseJson } from "../../../platform/lib/is-record.ts";
import { changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, type SiteChange, siteChangeOf } from "../../tenancy/organizations/index.ts";
import {
	askBackfill,
	askRetry,
	askSync,
	audited,
	type ConnectInput,
	connect,
	getSync,
	type SyncedSite,
	syncNotFound,
} from "./connect.ts";
import type { BigQueryDeps } from "./deps.ts";
import { badGateway, getIntegration, resealKeys, setUpAgain } from "./open-warehouse.ts";
import {
	presentBackfill,
	presentConnected,
	presentIntegration,
	presentLog,
	presentRetry,
	presentSchema,
	presentSetup,
	presentSync,
} from "./present.ts";
import { endSync, registerSyncJobs } from "./run-sync.ts";
import {
	Backfill,
	BackfillBody,
	ChangeBody,
	ConnectBody,
	Connected,
	Integration,
	KEY_FILE,
	Log,
	LogList,
	LogParams,
	LogsQuery,
	MaybeIntegration,
	Retry,
	SetUp,
	Sync,
	SyncBody,
	WarehouseSchema,
} from "./schemas.ts";
import { type IntegrationRow, integrations, type SyncRow, syncs } from "./store.ts";
import { nextTurn } from "./sync-days.ts";

const bad = (message: string) => new ServiceError("bad_request", { message });

/**
 * The body that a form with a key file stands for: the file's content as `service_account`, the other fields from the form or
 * the query string. Throws `bad_request` for what is no such form.
 */
async function readKeyUpload({ headers, query }: FastifyRequest, bytes: Buffer): Promise<Record<string, unknown>> {
	const form = await formOf(headers["content-type"] ?? "", bytes);
	const file = form.get(KEY_FILE);
	if (file === null) throw bad(`The form has no field ${KEY_FILE}`);
	const texts: Record<string, unknown> = { ...(query as Record<string, unknown>) };
	for (const name of new Set(form.keys())) {
		const values = form.getAll(name).filter((value) => typeof value === "string");
		if (name !== KEY_FILE) texts[name] = values.length > 1 ? values : values[0];
	}
	const { service_account: _, ...others } = texts;
	const content = parseJson(typeof file === "string" ? file : await file.text());
	if (content === undefined) throw bad("The key file is not JSON");
	const like: SchemaLike = ConnectBody as TSchema;
	return { ...coerceTexts(like, others), service_account: content };
}

async function formOf(contentType: string, bytes: Buffer): Promise<FormData> {
	try {
		return await new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } }).formData();
	} catch {
		throw bad("The body is not a valid form");
	}
}

type IntegrationChanges = Partial<
	Pick<ConnectInput, "sync_frequency" | "data_types" | "backfill_days"> & { readonly is_active: boolean }
>;

type By = SiteChange & { readonly site: SyncedSite };

/** Changes the parts given; one that is paused ends the sync that runs. Throws `not_found`. */
function changeIntegration(deps: BigQueryDeps, by: By, input: IntegrationChanges): Promise<IntegrationRow> {
	return changeInTurn(deps, by, async (trx, now) => {
		const before = await getIntegration(trx, by.site.id);
		const { data_types: types, is_active: isActive, ...others } = input;
		const changes = {
			...others,
			...(types !== undefined && { data_types: JSON.stringify(types) }),
			...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
		};
		const next = nextTurn(by.site, { ...before, ...changes }, now);
		const running = isActive === false ? await syncs.find(trx, { running_site_id: by.site.id }) : undefined;
		if (running !== undefined) await endSync({ ...deps, metadata: trx }, running, "cancelled", "Paused");
		const columns = { ...changes, next_sync_at: next, updated_at: now };
		const row = (await integrations.update(trx, { id: before.id }, columns)) ?? before;
		const details = changedFields(audited(before), audited(row));
		return { answer: row, entry: { action: "bigquery.updated", resourceId: row.id, details } };
	});
}

/** Disconnects a site: key and log go, what is in BigQuery stays. Throws `not_found`. */
function disconnect(deps: BigQueryDeps, by: By): Promise<void> {
	return changeInTurn(deps, by, async (trx) => {
		const row = await getIntegration(trx, by.site.id);
		await syncs.drop(trx, { site_id: by.site.id });
		await integrations.drop(trx, { id: row.id });
		const details = removedFields(audited(row));
		return { answer: undefined, entry: { action: "bigquery.deleted", resourceId: row.id, details } };
	});
}

const tags = ["BigQuery"];
const reading = { tags, querystring: AccountQuery, guard: readingAccount("viewer") };
const writing = { tags, querystring: AccountQuery, guard: writingAccountOfOrganization };
const url = "/integrations/bigquery";

const unusable = { description: "`bad_request`: the key, the dates or the location cannot be used", ...ErrorRef };
const refused = { description: "`bad_gateway`: BigQuery refuses, or does not answer", ...ErrorRef };

/** Trying keys sends requests to Google, so it is limited. */
const trying = hourlyOfUser("bigquery-connect", 30);

function inputOf(body: Static<typeof ConnectBody>): ConnectInput {
	const { initial_date_from: from = null, initial_date_to: to = null, service_account, ...others } = body;
	if ((from === null) !== (to === null)) {
		const missing = from === null ? "initial_date_from" : "initial_date_to";
		throw fieldError(`body.${missing}`, "must be given with the other date", "missing");
	}
	return {
		...others,
		service_account: service_account as ConnectInput["service_account"],
		initial_date_from: from,
		initial_date_to: to,
	};
}

function registerConnection(api: App, deps: BigQueryDeps): void {
	void api.register(async (scope) => {
		const app = scope as App;
		if (app.hasContentTypeParser("multipart/form-data")) app.removeContentTypeParser("multipart/form-data");
		app.addContentTypeParser("multipart/form-data", { parseAs: "buffer" }, readKeyUpload);
		app.route({
			method: "POST",
			url,
			schema: {
				tags,
				summary: "Connect a site to BigQuery: checks the key, creates dataset and tables, starts the first sync",
				consumes: ["application/json", "multipart/form-data"],
				querystring: AccountQuery,
				body: ConnectBody,
				response: { 201: Connected, 400: unusable, 502: refused, ...errorAnswers("duplicate_entry") },
			},
			config: { guard: writing.guard, limit: [trying] },
			handler: async (request, reply) => {
				const row = await connect(deps, siteChangeOf(request), inputOf(request.body));
				return reply.code(201).send(presentConnected(row));
			},
		});
	});
}

/** A request for a sync waits for its end if that is soon; proxies time out later than this. */
const LOOKS = 80;
const BETWEEN_MS = 250;

/** A sync as it ended, or as it is when that takes longer than twenty seconds or another attempt; undefined when it is gone. */
async function awaitSync({ metadata, clock }: BigQueryDeps, syncId: string): Promise<SyncRow | undefined> {
	for (let look = 1; ; look++) {
		const row = await syncs.find(metadata, { sync_id: syncId });
		if (row?.status !== "running" || row.error_message !== null || look === LOOKS) return row;
		await clock.sleep(BETWEEN_MS);
	}
}

const badDates = {
	description: "`bad_request`: the dates are in the wrong order, too far apart or in the future",
	...ErrorRef,
};
const failed = { description: "`bad_gateway`: the sync failed; the message and the log say why", ...ErrorRef };
const errors = { 400: badDates, 502: failed, ...errorAnswers("conflict") };

/** A sync as it ended, or its progress; throws `bad_gateway` for one that failed. */
async function outcome(deps: BigQueryDeps, begun: SyncRow): Promise<SyncRow> {
	const row = await awaitSync(deps, begun.sync_id);
	if (row === undefined) throw syncNotFound();
	if (row.status === "failed") throw badGateway(row.error_message ?? "the sync failed");
	return row;
}

/** Routes on integrations, and the syncs behind them. */
export function registerBigQuery(app: App, deps: BigQueryDeps): void {
	const { metadata } = deps;
	app.onStoreReady(async () => {
		const keys = await resealKeys(deps);
		if (keys === 0) return;
		app.log.warn({ keys }, "Keys of BigQuery were sealed with another SECRET_KEY: give it as SECRET_KEY_PREVIOUS");
	});
	registerConnection(app, deps);
	addRoute(app, `GET ${url}`, {
		tags,
		summary: "BigQuery integration of a site, null without one",
		querystring: AccountQuery,
		guard: readingAccount("viewer"),
		answer: MaybeIntegration,
		handler: async ({ site }, reply) => {
			const row = await integrations.find(metadata, { site_id: site.id });
			reply.type("application/json");
			return row === undefined ? null : presentIntegration(row);
		},
	});
	addRoute(app, `GET ${url}/schema`, {
		tags,
		summary: "The tables in BigQuery and their columns",
		guard: { kind: "session", scope: "read" },
		answer: WarehouseSchema,
		handler: async () => presentSchema(),
	});
	addRoute(app, `PATCH ${url}`, {
		...writing,
		summary: "Change the synced data and schedule, or pause it",
		body: ChangeBody,
		answer: Integration,
		handler: async (request) => {
			const changes = given(request.body, ["sync_frequency", "data_types", "is_active", "backfill_days"]);
			return presentIntegration(await changeIntegration(deps, siteChangeOf(request), changes));
		},
	});
	addRoute(app, `DELETE ${url}`, {
		...writing,
		summary: "Disconnect BigQuery; data in BigQuery stays there",
		empty: "Disconnected",
		handler: (request) => disconnect(deps, siteChangeOf(request)),
	});
	addRoute(app, `POST ${url}/setup`, {
		...writing,
		summary: "Create missing dataset and tables",
		limit: [trying],
		answer: SetUp,
		errors: { 400: unusable, 502: refused },
		handler: async ({ site }) => presentSetup(await setUpAgain(deps, await getIntegration(deps.metadata, site.id))),
	});
	addRoute(app, `POST ${url}/sync`, {
		...writing,
		summary: "Sync days now; they replace the same days in BigQuery",
		body: SyncBody,
		answer: Sync,
		errors,
		handler: async ({ site, body }) => presentSync(await outcome(deps, await askSync(deps, site, body))),
	});
	addRoute(app, `POST ${url}/backfill`, {
		...writing,
		summary: "Sync up to a year of past days, in parts",
		body: BackfillBody,
		answer: Backfill,
		errors,
		handler: async ({ site, body }) => {
			const days = { from: body.date_from, to: body.date_to };
			return presentBackfill(await outcome(deps, await askBackfill(deps, site, days, body.chunk_days)));
		},
	});
	addRoute(app, `POST ${url}/retry/:log_id`, {
		...writing,
		summary: "Retry the failed part of a sync",
		params: LogParams,
		answer: Retry,
		errors: { 502: failed, ...errorAnswers("conflict") },
		handler: async ({ site, params }) => {
			const row = await outcome(deps, await askRetry(deps, site, params.log_id));
			return presentRetry(row, params.log_id);
		},
	});
	addRoute(app, `GET ${url}/logs`, {
		...reading,
		summary: "Syncs of a site, newest first",
		querystring: LogsQuery,
		answer: LogList,
		handler: async ({ site, query }) => {
			const { rows, total } = await syncs.page(metadata, { site_id: site.id }, ["id desc"], query);
			return { logs: rows.map(presentLog), total };
		},
	});
	addRoute(app, `GET ${url}/logs/:log_id`, {
		...reading,
		summary: "One sync of the log",
		params: LogParams,
		answer: Log,
		handler: async ({ site, params }) => presentLog(await getSync(metadata, site.id, params.log_id)),
	});
	registerSyncJobs(deps);
}
