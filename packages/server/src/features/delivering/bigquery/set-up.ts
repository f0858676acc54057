import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { BigQueryDeps } from "./deps.ts";
import { addressOf, answering, warehouseOf } from "./open-warehouse.ts";
import { type IntegrationRow, updateIntegration } from "./store.ts";
import { ensureTables, type Warehouse } from "./warehouse/replace-rows.ts";
import { tablesFor } from "./warehouse/warehouse-tables.ts";

/** Creates the dataset, where there is none, and the tables that go with some kinds of data; the names of these. */
export async function createTables(
	warehouse: Warehouse,
	location: string,
	dataTypes: readonly string[],
): Promise<string[]> {
	const { bigQuery } = warehouse;
	const found = await bigQuery.findDataset();
	if (found === undefined) await bigQuery.createDataset("Web analytics");
	else if (found.toLowerCase() !== location.toLowerCase()) {
		throw new ServiceError("bad_request", {
			message: `The dataset already exists in ${found}: use this location or another dataset`,
		});
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
	const changed = await updateIntegration(deps.metadata, row.id, changes);
	if (changed === undefined) throw integrationNotFound();
	return changed;
}

/** None is set up for the site. */
export const integrationNotFound = () =>
	new ServiceError("not_found", { message: "BigQuery is not connected; POST /integrations/bigquery connects it" });
