import { tables } from "../../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { type PageRequest, pageOf } from "../../../../platform/metadata/page-of.ts";
import type { Forgetting } from "../../../tenancy/data-keeping/index.ts";
import type { AttemptRow, DeliveryRow, DeliveryStatus } from "../deps.ts";

const selectDeliveries = (metadata: Metadata) => tables(metadata).selectFrom("webhook_deliveries").selectAll();

type NewDelivery = Omit<DeliveryRow, "id">;

/** Stores deliveries, but for those of an event that the endpoint was told of already; answers those that were stored. */
export const insertDeliveries = async (metadata: Metadata, rows: readonly NewDelivery[]): Promise<DeliveryRow[]> =>
	rows.length === 0
		? []
		: tables(metadata)
				.insertInto("webhook_deliveries")
				.values([...rows])
				.onConflict((conflict) => conflict.column("event_key").doNothing())
				.returningAll()
				.execute();

export const selectDelivery = (metadata: Metadata, id: number): Promise<DeliveryRow | undefined> =>
	selectDeliveries(metadata).where("id", "=", id).executeTakeFirst();

export const findDelivery = (
	metadata: Metadata,
	endpointId: string,
	deliveryId: string,
): Promise<DeliveryRow | undefined> =>
	selectDeliveries(metadata)
		.where("endpoint_id", "=", endpointId)
		.where("delivery_id", "=", deliveryId)
		.executeTakeFirst();

/** Those of some deliveries that belong to a site, each with whether its endpoint is active. */
export const findDeliveriesOfSite = (metadata: Metadata, siteId: string, deliveryIds: readonly string[]) =>
	tables(metadata)
		.selectFrom("webhook_deliveries")
		.innerJoin("webhook_endpoints", "webhook_endpoints.id", "webhook_deliveries.endpoint_id")
		.selectAll("webhook_deliveries")
		.select("webhook_endpoints.is_active as isActive")
		.where("webhook_endpoints.site_id", "=", siteId)
		.where("webhook_deliveries.delivery_id", "in", deliveryIds)
		.execute();

/** Deletes completed deliveries of a site within deleted days, with their attempts; pending ones continue. */
export async function forgetDeliveries(
	{ metadata }: { readonly metadata: Metadata },
	{ site, period }: Pick<Forgetting, "site" | "period">,
): Promise<true> {
	await metadata.transaction().execute(async (trx) => {
		const ended = tables(trx)
			.selectFrom("webhook_deliveries")
			.select("webhook_deliveries.id")
			.where("endpoint_id", "in", (query) =>
				query.selectFrom("webhook_endpoints").select("webhook_endpoints.id").where("site_id", "=", site.id),
			)
			.where("status", "in", ["success", "failed"])
			.where("created_at", ">=", period.from)
			.where("created_at", "<=", period.until);
		await tables(trx).deleteFrom("webhook_attempts").where("delivery", "in", ended).execute();
		await tables(trx).deleteFrom("webhook_deliveries").where("id", "in", ended).execute();
	});
	return true;
}

/** Some deliveries of an endpoint, newest first, and how many there are in all. */
export async function listDeliveries(
	metadata: Metadata,
	endpointId: string,
	{ status, ...page }: PageRequest & { readonly status: DeliveryStatus | undefined },
) {
	let all = tables(metadata).selectFrom("webhook_deliveries").where("endpoint_id", "=", endpointId);
	if (status !== undefined) all = all.where("status", "=", status);
	return pageOf(all, (query) => query.selectAll().orderBy("id", "desc"), page);
}

type DeliveryEnd = Pick<
	DeliveryRow,
	| "status"
	| "first_attempt_at"
	| "next_retry_at"
	| "response_status_code"
	| "response_headers"
	| "response_body"
	| "response_time_ms"
	| "error_type"
	| "error_message"
	| "completed_at"
>;

/** Notes the n-th attempt; false when it was noted already, or the delivery has ended. */
export async function endAttempt(
	metadata: Metadata,
	id: number,
	attempt: number,
	changes: DeliveryEnd,
): Promise<boolean> {
	const rows = await tables(metadata)
		.updateTable("webhook_deliveries")
		.set({ ...changes, attempt_number: attempt })
		.where("id", "=", id)
		.where("attempt_number", "=", attempt - 1)
		.where("status", "in", ["pending", "retrying"])
		.returning("id")
		.execute();
	return rows.length > 0;
}

/** Ends a delivery that waits without another attempt; nothing when it has ended. */
export async function failWaiting(
	metadata: Metadata,
	id: number,
	{ message, nowMs }: { message: string; nowMs: number },
): Promise<void> {
	await tables(metadata)
		.updateTable("webhook_deliveries")
		.set({ status: "failed", next_retry_at: null, error_message: message, completed_at: nowMs })
		.where("id", "=", id)
		.where("status", "in", ["pending", "retrying"])
		.execute();
}

export async function insertAttempt(metadata: Metadata, row: Omit<AttemptRow, "id">): Promise<void> {
	await tables(metadata).insertInto("webhook_attempts").values(row).execute();
}

export const listAttempts = (metadata: Metadata, delivery: number): Promise<AttemptRow[]> =>
	tables(metadata)
		.selectFrom("webhook_attempts")
		.selectAll()
		.where("delivery", "=", delivery)
		.orderBy("attempt_number", "desc")
		.execute();

export async function deliveryFigures(metadata: Metadata, endpointId: string, sinceMs: number) {
	const row = await tables(metadata)
		.selectFrom("webhook_deliveries")
		.select(({ fn }) => [
			fn.countAll().as("total"),
			fn.countAll().filterWhere("status", "=", "success").as("successful"),
			fn.countAll().filterWhere("status", "=", "failed").as("failed"),
			fn.avg("response_time_ms").as("averageMs"),
		])
		.where("endpoint_id", "=", endpointId)
		.where("created_at", ">", sinceMs)
		.executeTakeFirstOrThrow();
	const figures = { total: Number(row.total), successful: Number(row.successful), failed: Number(row.failed) };
	return { ...figures, averageMs: Number(row.averageMs ?? 0) };
}

/** The latest deliveries of an endpoint that were given up since a moment. */
export const latestFailures = (
	metadata: Metadata,
	endpointId: string,
	{ sinceMs, limit }: { sinceMs: number; limit: number },
): Promise<DeliveryRow[]> =>
	selectDeliveries(metadata)
		.where("endpoint_id", "=", endpointId)
		.where("status", "=", "failed")
		.where("created_at", ">", sinceMs)
		.orderBy("id", "desc")
		.limit(limit)
		.execute();

/** Removes some of the deliveries that began before a moment; answers how many. */
export async function deleteSomeDeliveries(metadata: Metadata, beforeMs: number, limit: number): Promise<number> {
	const rows = await tables(metadata)
		.deleteFrom("webhook_deliveries")
		.where("id", "in", (query) =>
			query.selectFrom("webhook_deliveries").select("id").where("created_at", "<", beforeMs).limit(limit),
		)
		.returning("id")
		.execute();
	return rows.length;
}

/** Removes some of the deliveries that have ended, of endpoints with more than `keep` of them, the oldest; answers how many. */
export async function deleteSurplusDeliveries(metadata: Metadata, keep: number, limit: number): Promise<number> {
	const ended = tables(metadata).selectFrom("webhook_deliveries").where("status", "in", ["success", "failed"]);
	const full = await ended
		.select("endpoint_id as id")
		.groupBy("endpoint_id")
		.having((query) => query.fn.countAll(), ">", keep)
		.execute();
	let removed = 0;
	for (const { id } of full) {
		const ofEndpoint = ended.select("id").where("endpoint_id", "=", id).orderBy("id", "desc");
		const surplus = (await ofEndpoint.limit(limit).offset(keep).execute()).map((row) => row.id);
		if (surplus.length === 0) continue;
		await tables(metadata).deleteFrom("webhook_deliveries").where("id", "in", surplus).execute();
		removed += surplus.length;
	}
	return removed;
}

/** How many deliveries there are in each state; they are known for thirty days. */
export const countDeliveries = (metadata: Metadata): Promise<{ state: DeliveryStatus; count: number }[]> =>
	tables(metadata)
		.selectFrom("webhook_deliveries")
		.select(["status as state", (query) => query.fn.countAll<number>().as("count")])
		.groupBy("status")
		.execute();
