import type { FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import { AccountQuery, readingAccount, writingAccountOfOrganization } from "../../../access/index.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { coerceTexts, type SchemaLike } from "../../../platform/http/coerce.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { given } from "../../../platform/lib/given.ts";
import { actorOf, changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, type SiteChange } from "../../tenancy/organizations/index.ts";
import { audited, type ConnectInput, connect, type SyncedSite } from "./connect.ts";
import type { BigQueryDeps } from "./deps.ts";
import { integrationNotFound, resealKeys, setUpAgain } from "./open-warehouse.ts";
import { presentConnected, presentIntegration, presentSchema, presentSetup } from "./present.ts";
import { endSync } from "./run-sync.ts";
import {
	ChangeBody,
	ConnectBody,
	Connected,
	Integration,
	KEY_FILE,
	MaybeIntegration,
	SetUp,
	WarehouseSchema,
} from "./schemas.ts";
import { deleteIntegration, type IntegrationRow, integrations, syncs } from "./store.ts";
import { nextTurn } from "./sync-days.ts";
import { registerSyncRoutes } from "./sync-routes.ts";

const bad = (message: string) => new ServiceError("bad_request", { message });

/**
 * The body that a form with a key file stands for: the file's content as `service_account`, the other fields from the form or
 * the query string. Throws `bad_request` for what is no such form.
 */
async function readKeyUpload(
	{
		contentType,
		bytes,
		query,
	}: {
		readonly contentType: string;
		readonly bytes: Buffer;
		readonly query: Readonly<Record<string, unknown>>;
	},
	schema: TSchema,
): Promise<Record<string, unknown>> {
	const like: SchemaLike = schema;
	const form = await formOf(contentType, bytes);
	const file = form.get(KEY_FILE);
	if (file === null) throw bad(`The form has no field ${KEY_FILE}`);
	const texts: Record<string, unknown> = { ...query };
	for (const name of new Set(form.keys())) {
		const values = form.getAll(name).filter((value) => typeof value === "string");
		if (name !== KEY_FILE) texts[name] = values.length > 1 ? values : values[0];
	}
	const { service_account: _, ...others } = texts;
	return {
		...coerceTexts(like, others),
		service_account: contentOf(typeof file === "string" ? file : await file.text()),
	};
}

async function formOf(contentType: string, bytes: Buffer): Promise<FormData> {
	try {
		return await new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } }).formData();
	} catch {
		throw bad("The body is not a valid form");
	}
}

function contentOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw bad("The key file is not JSON");
	}
}

type IntegrationChanges = Partial<
	Pick<ConnectInput, "sync_frequency" | "data_types" | "backfill_days"> & { readonly is_active: boolean }
>;

type By = SiteChange & { readonly site: SyncedSite };

/** Changes the parts given; one that is paused ends the sync that runs. Throws `not_found`. */
function changeIntegration(deps: BigQueryDeps, by: By, input: IntegrationChanges): Promise<IntegrationRow> {
	return changeInTurn(deps, by, async (trx, now) => {
		const before = await integrations.find(trx, { site_id: by.site.id });
		if (before === undefined) throw integrationNotFound();
		const { data_types: types, is_active: isActive, ...others } = input;
		const changes = {
			...others,
			...(types !== undefined && { data_types: JSON.stringify(types) }),
			...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
		};
		const next = nextTurn(by.site, { ...before, ...changes }, now);
		const running = isActive === false ? await syncs.find(trx, { running_site_id: by.site.id }) : undefined;
		if (running !== undefined) await endSync({ ...deps, metadata: trx }, running, "cancelled", "Paused");
		const row = await integrations.update(trx, { id: before.id }, { ...changes, next_sync_at: next, updated_at: now });
		if (row === undefined) throw integrationNotFound();
		const details = changedFields(audited(before), audited(row));
		return { answer: row, entry: { action: "bigquery.updated", resourceId: row.id, details } };
	});
}

/** Disconnects a site: key and log go, what is in BigQuery stays. Throws `not_found`. */
function disconnect(deps: BigQueryDeps, by: By): Promise<void> {
	return changeInTurn(deps, by, async (trx) => {
		const row = await integrations.find(trx, { site_id: by.site.id });
		if (row === undefined) throw integrationNotFound();
		await deleteIntegration(trx, by.site.id);
		const details = removedFields(audited(row));
		return { answer: undefined, entry: { action: "bigquery.deleted", resourceId: row.id, details } };
	});
}

const tags = ["BigQuery"];
const writing = { tags, querystring: AccountQuery, guard: writingAccountOfOrganization };
const url = "/integrations/bigquery";

const unusable = { description: "`bad_request`: the key, the dates or the location cannot be used", ...ErrorRef };
const refused = { description: "`bad_gateway`: BigQuery refuses, or does not answer", ...ErrorRef };

/** Trying keys sends requests to Google, so it is limited. */
const trying: RouteLimit = {
	name: "bigquery-connect",
	max: 30,
	windowMs: HOUR_MS,
	by: (request) => String(request.caller.userId),
};

export function registerRoutes(app: App, deps: BigQueryDeps): void {
	app.onStoreReady(async () => {
		const keys = await resealKeys(deps);
		if (keys === 0) return;
		app.log.warn({ keys }, "Keys of BigQuery were sealed with another SECRET_KEY: give it as SECRET_KEY_PREVIOUS");
	});
	registerConnection(app, deps);
	registerReads(app, deps);
	registerChanges(app, deps);
	registerSyncRoutes(app, deps);
}

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
		app.addContentTypeParser(
			"multipart/form-data",
			{ parseAs: "buffer" },
			async (request: FastifyRequest, bytes: Buffer) =>
				readKeyUpload(
					{
						contentType: request.headers["content-type"] ?? "",
						bytes,
						query: request.query as Record<string, unknown>,
					},
					ConnectBody,
				),
		);
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
				const by = { site: request.site, actor: actorOf(request) };
				const row = await connect(deps, by, inputOf(request.body));
				return reply.code(201).send(presentConnected(row));
			},
		});
	});
}

function registerReads(app: App, { metadata }: BigQueryDeps): void {
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
}

function registerChanges(app: App, deps: BigQueryDeps): void {
	addRoute(app, `PATCH ${url}`, {
		...writing,
		summary: "Change the synced data and schedule, or pause it",
		body: ChangeBody,
		answer: Integration,
		handler: async (request) => {
			const by = { site: request.site, actor: actorOf(request) };
			const changes = given(request.body, ["sync_frequency", "data_types", "is_active", "backfill_days"]);
			return presentIntegration(await changeIntegration(deps, by, changes));
		},
	});
	addRoute(app, `DELETE ${url}`, {
		...writing,
		summary: "Disconnect BigQuery; data in BigQuery stays there",
		empty: "Disconnected",
		handler: async (request) => {
			await disconnect(deps, { site: request.site, actor: actorOf(request) });
		},
	});
	addRoute(app, `POST ${url}/setup`, {
		...writing,
		summary: "Create missing dataset and tables",
		limit: [trying],
		answer: SetUp,
		errors: { 400: unusable, 502: refused },
		handler: async ({ site }) => {
			const row = await integrations.find(deps.metadata, { site_id: site.id });
			if (row === undefined) throw integrationNotFound();
			return presentSetup(await setUpAgain(deps, row));
		},
	});
}
