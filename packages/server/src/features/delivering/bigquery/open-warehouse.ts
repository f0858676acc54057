import { ServiceError } from "../../../platform/errors/service-error.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { createSealer, resealRows, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { BigQueryDeps } from "./deps.ts";
import { type ServiceAccount, unusableKey } from "./google/authorized.ts";
import { type BigQueryAddress, openBigQuery } from "./google/big-query.ts";
import { GoogleError } from "./google/send.ts";
import { type IntegrationRow, integrations } from "./store.ts";
import { ensureTables, type Warehouse } from "./warehouse/replace-rows.ts";
import { tablesFor } from "./warehouse/warehouse-tables.ts";

/** Keys are those of sites, so that one copied to another site stays shut. */
const sealerOf = (secrets: ServerSecrets) => createSealer(secrets, "bigquery");

export const sealKey = (secrets: ServerSecrets, siteId: string, account: ServiceAccount): string =>
	sealerOf(secrets).seal(siteId, JSON.stringify(account));

/** The key that was sealed; undefined when neither of the server's secrets opens it. */
export function openKey(
	secrets: ServerSecrets,
	{ site_id: siteId, sealed_key: sealed }: Pick<IntegrationRow, "site_id" | "sealed_key">,
): ServiceAccount | undefined {
	const text = sealerOf(secrets).open(siteId, sealed);
	return text === undefined ? undefined : (JSON.parse(text) as ServiceAccount);
}

export const resealKeys = async (deps: ServerSecrets & { readonly metadata: Metadata }): Promise<number> =>
	resealRows(
		await integrations.list(deps.metadata, {}, "id"),
		({ site_id: siteId, sealed_key: key }) => ({ sealed_key: sealerOf(deps).reseal(siteId, key) }),
		// A key that was changed meanwhile stays.
		({ id, sealed_key }, sealed) => integrations.update(deps.metadata, { id, sealed_key }, sealed),
	);

type OpeningDeps = Pick<BigQueryDeps, "clock" | "bigqueryUrl" | "secretKey" | "secretKeyPrevious">;

export const datasetRef = ({ project, dataset }: Pick<BigQueryAddress, "project" | "dataset">) =>
	`${project}.${dataset}`;

export const addressOf = (
	row: Pick<IntegrationRow, "gcp_project_id" | "dataset_id" | "location">,
): BigQueryAddress => ({
	project: row.gcp_project_id,
	dataset: row.dataset_id,
	location: row.location,
});

export const openWarehouse = (
	{ clock, bigqueryUrl: baseUrl }: Pick<OpeningDeps, "clock" | "bigqueryUrl">,
	account: ServiceAccount,
	address: BigQueryAddress,
	signal?: AbortSignal,
): Warehouse => ({
	bigQuery: openBigQuery({ clock, baseUrl, signal }, account, address),
	dataset: datasetRef(address),
	now: () => clock.now(),
});

const LOST_KEY = "The service account key was sealed with another SECRET_KEY: connect BigQuery again";

/** The warehouse of an integration; throws a final `JobFailure` when its key cannot be opened. */
export function warehouseOf(deps: OpeningDeps, row: IntegrationRow, signal?: AbortSignal): Warehouse {
	const account = openKey(deps, row);
	if (account === undefined) throw new JobFailure(LOST_KEY, { isFinal: true });
	return openWarehouse(deps, account, addressOf(row), signal);
}

/** Does something with Google on behalf of a request: 400 for a key of no use, 502 for all else that does not go well. */
export async function answering<T>(work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (error instanceof JobFailure) throw new ServiceError("bad_gateway", { message: error.message, cause: error });
		if (!(error instanceof GoogleError)) throw error;
		if (error.fault === "key") throw unusableKey(error.detail, error);
		throw badGateway(error.detail, error);
	}
}

/** BigQuery is at fault, or those who gave the key its rights: no operator is called. */
export const badGateway = (why: string, cause?: unknown) =>
	new ServiceError("bad_gateway", { message: `BigQuery: ${why}`, isOurs: false, cause });

/** Creates the dataset, where there is none, and the tables that go with some kinds of data; the names of these. */
export async function createTables(warehouse: Warehouse, location: string, dataTypes: readonly string[]) {
	const { bigQuery } = warehouse;
	const found = await bigQuery.findDataset();
	if (found === undefined) await bigQuery.createDataset("Web analytics");
	else if (found.toLowerCase() !== location.toLowerCase()) {
		throw new ServiceError(
			"bad_request",
			`The dataset already exists in ${found}: use this location or another dataset`,
		);
	}
	const tables = tablesFor(dataTypes);
	await ensureTables(warehouse, tables);
	return tables.map(({ name }) => name);
}

/** Sets an integration up again: creates missing parts in BigQuery and keeps existing ones. */
export async function setUpAgain(deps: BigQueryDeps, row: IntegrationRow): Promise<IntegrationRow> {
	const names = await answering(() =>
		createTables(warehouseOf(deps, row), addressOf(row).location, JSON.parse(row.data_types)),
	);
	const changes = { tables_created: JSON.stringify(names), setup_completed_at: deps.clock.now() };
	return (await integrations.update(deps.metadata, { id: row.id }, changes)) ?? notConnected();
}

/** The integration of a site; throws `not_found`. */
export const getIntegration = async (metadata: Metadata, siteId: string): Promise<IntegrationRow> =>
	(await integrations.find(metadata, { site_id: siteId })) ?? notConnected();

function notConnected(): never {
	const message = "BigQuery is not connected; POST /integrations/bigquery connects it";
	throw new ServiceError("not_found", message);
}
