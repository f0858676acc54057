import type { FastifyRequest } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import { AccountQuery, readingAccount, writingAccountOfOrganization } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { coerceTexts, type SchemaLike } from "../../../platform/http/coerce.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { hourlyOfUser } from "../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef, Nullable, OneOf } from "../../../platform/http/schemas.ts";
import { given } from "../../../platform/lib/given.ts";
import { parseJson } from "../../../platform/lib/is-record.ts";
import { changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, type SiteChange, siteChangeOf } from "../../tenancy/organizations/index.ts";
import { audited, ChangeBody, ConnectBody, connect, Integration, KEY_FILE, type SyncedSite } from "./connect.ts";
import type { BigQueryDeps } from "./deps.ts";
import { addressOf, datasetRef, getIntegration, resealKeys, setUpAgain } from "./open-warehouse.ts";
import { endSync, registerSyncJobs } from "./run-sync.ts";
import { type IntegrationRow, integrations, syncs } from "./store.ts";
import { nextTurn } from "./sync-days.ts";
import { registerSyncs } from "./sync-routes.ts";
import { type DataType, dataTypes, schemaOf } from "./warehouse/replace-rows.ts";
import { warehouseTables } from "./warehouse/warehouse-tables.ts";

const bad = (message: string) => new ServiceError("bad_request", message);

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

type By = SiteChange & { readonly site: SyncedSite };

/** Changes the parts given; one that is paused ends the sync that runs. Throws `not_found`. */
function changeIntegration(deps: BigQueryDeps, by: By, input: Static<typeof ChangeBody>): Promise<IntegrationRow> {
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

const refOf = (row: IntegrationRow): string => datasetRef(addressOf(row));
const tablesOf = (row: IntegrationRow) => JSON.parse(row.tables_created) as string[];

const presentIntegration = (row: IntegrationRow) => ({
	...presentRow(Integration, row),
	account_id: row.site_id,
	data_types: JSON.parse(row.data_types) as DataType[],
	setup_completed: row.setup_completed_at !== null,
	tables_created: tablesOf(row),
});

const tags = ["BigQuery"];
const reading = { tags, querystring: AccountQuery, guard: readingAccount("viewer") };
const writing = { tags, querystring: AccountQuery, guard: writingAccountOfOrganization };
const url = "/integrations/bigquery";

const unusable = { description: "`bad_request`: the key, the dates or the location cannot be used", ...ErrorRef };
const refused = { description: "`bad_gateway`: BigQuery refuses, or does not answer", ...ErrorRef };

/** Trying keys sends requests to Google, so it is limited. */
const trying = hourlyOfUser("bigquery-connect", 30);

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
				response: {
					201: Type.Object({
						integration: Integration,
						dataset_ref: Type.String({ description: "`project.dataset`" }),
						tables_created: Type.Array(Type.String()),
						message: Type.String(),
					}),
					400: unusable,
					502: refused,
					...errorAnswers("duplicate_entry"),
				},
			},
			config: { guard: writing.guard, limit: [trying] },
			handler: async (request, reply) => {
				const row = await connect(deps, siteChangeOf(request), request.body);
				return reply.code(201).send({
					integration: presentIntegration(row),
					dataset_ref: refOf(row),
					tables_created: tablesOf(row),
					message: `${refOf(row)} is ready; the first sync has begun, GET ${url}/logs shows its progress`,
				});
			},
		});
	});
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
		...reading,
		summary: "BigQuery integration of a site, null without one",
		answer: Nullable(Integration, { description: "null: BigQuery is not connected" }),
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
		answer: Type.Object({
			tables: Type.Record(
				Type.String(),
				Type.Object({
					description: Type.String(),
					data_type: Nullable(OneOf(dataTypes), {
						description: "Dimension by which rows are selected; null: always present",
					}),
					schema: Type.Array(
						Type.Object({
							name: Type.String(),
							type: Type.String(),
							mode: OneOf(["REQUIRED", "NULLABLE"]),
						}),
					),
					partition_field: Nullable(Type.String()),
					clustering_fields: Type.Array(Type.String()),
					partition_expiration_days: Nullable(Type.Integer()),
				}),
			),
		}),
		handler: async () => ({
			tables: Object.fromEntries(
				warehouseTables.map((table) => [
					table.name,
					{
						description: table.description,
						data_type: table.dataType,
						schema: schemaOf(table),
						partition_field: table.partition,
						clustering_fields: [...table.clustering],
						partition_expiration_days: table.expirationDays ?? null,
					},
				]),
			),
		}),
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
		answer: Type.Object({
			status: OneOf(["completed"]),
			dataset_ref: Type.String(),
			tables_created: Type.Array(Type.String()),
			location: Integration.properties.location,
			message: Type.String(),
		}),
		errors: { 400: unusable, 502: refused },
		handler: async ({ site }) => {
			const row = await setUpAgain(deps, await getIntegration(metadata, site.id));
			return {
				status: "completed" as const,
				dataset_ref: refOf(row),
				tables_created: tablesOf(row),
				location: row.location,
				message: `${refOf(row)} has its ${tablesOf(row).length} tables`,
			};
		},
	});
	registerSyncs(app, deps, url);
	registerSyncJobs(deps);
}
