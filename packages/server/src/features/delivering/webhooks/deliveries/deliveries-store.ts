import { type NewRow, tables } from "../../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../../tenancy/data-keeping/index.ts";
import type { DeliveryRow } from "../deps.ts";

export const webhookDeliveries = tableOf("webhook_deliveries");
export const webhookAttempts = tableOf("webhook_attempts");

/** Stores deliveries, but for those of an event that the endpoint was told of already; answers those that were stored. */
export const insertDeliveries = async (
	metadata: Metadata,
	rows: readonly NewRow<"webhook_deliveries">[],
): Promise<DeliveryRow[]> =>
	rows.length === 0
		? []
		: tables(metadata)
				.insertInto("webhook_deliveries")
				.values([...rows])
				.onConflict((conflict) => conflict.column("event_key").doNothing())
				.returningAll()
				.execute();

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

/** States of a delivery that waits for an attempt. */
export const waitingStates = ["pending", "retrying"] as const;

/** Ends a delivery that waits without another attempt; nothing when it has ended. */
export async function failWaiting(metadata: Metadata, id: number, message: string, nowMs: number): Promise<void> {
	const changes = { status: "failed", next_retry_at: null, error_message: message, completed_at: nowMs } as const;
	await webhookDeliveries.update(metadata, { id, status: waitingStates }, changes);
}

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

export const countDeliveries = (metadata: Metadata) =>
	tables(metadata)
		.selectFrom("webhook_deliveries")
		.select(["status as state", (query) => query.fn.countAll<number>().as("count")])
		.groupBy("status")
		.execute();
