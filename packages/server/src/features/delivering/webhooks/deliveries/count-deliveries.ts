import { tables } from "../../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { DeliveryStatus } from "../webhook-tables.ts";

/** How many deliveries there are in each state; they are known for thirty days. */
export function countDeliveries(metadata: Metadata): Promise<{ state: DeliveryStatus; count: number }[]> {
	return tables(metadata)
		.selectFrom("webhook_deliveries")
		.select(["status as state", (query) => query.fn.countAll<number>().as("count")])
		.groupBy("status")
		.execute();
}
