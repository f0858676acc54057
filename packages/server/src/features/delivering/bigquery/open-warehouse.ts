import { ServiceError } from "../../../platform/errors/service-error.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import type { BigQueryDeps } from "./deps.ts";
import { type BigQueryAddress, openBigQuery } from "./google/big-query.ts";
import { GoogleError } from "./google/google-error.ts";
import { type ServiceAccount, unusableKey } from "./google/service-account.ts";
import { openKey } from "./sealed-key.ts";
import type { IntegrationRow } from "./store.ts";
import type { Warehouse } from "./warehouse/replace-rows.ts";

type OpeningDeps = Pick<BigQueryDeps, "clock" | "bigqueryUrl" | "secretKey" | "secretKeyPrevious">;

/** `project.dataset`, as statements name it. */
export const datasetRef = ({ project, dataset }: Pick<BigQueryAddress, "project" | "dataset">) =>
	`${project}.${dataset}`;

/** Where the tables of an integration are. */
export const addressOf = (
	row: Pick<IntegrationRow, "gcp_project_id" | "dataset_id" | "location">,
): BigQueryAddress => ({
	project: row.gcp_project_id,
	dataset: row.dataset_id,
	location: row.location,
});

/** A dataset, opened with a key. */
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
