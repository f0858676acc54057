import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { utcDay } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Term } from "./periods.ts";

/** A subscription as stored. */
export type SubscriptionRow = Row<"billing_subscriptions">;

/** The subscriptions of some organizations, ended ones too, oldest first. */
export const subscriptionsOf = (metadata: Metadata, organizationIds: readonly string[]): Promise<SubscriptionRow[]> =>
	organizationIds.length === 0
		? Promise.resolve([])
		: tables(metadata)
				.selectFrom("billing_subscriptions")
				.selectAll()
				.where("organization_id", "in", organizationIds)
				.orderBy("started_at")
				.orderBy("id")
				.execute();

/** The one that goes on; of several the latest. */
export const liveOne = (subscriptions: readonly SubscriptionRow[]): SubscriptionRow | undefined =>
	subscriptions.findLast(({ status }) => status !== "canceled");

/** Their lives in days. */
export const termsOf = (subscriptions: readonly SubscriptionRow[]): Term[] =>
	subscriptions.map((one) => ({
		start: utcDay(one.started_at),
		end: one.ended_at === null ? null : utcDay(one.ended_at),
		anchor: utcDay(one.anchor_at),
	}));
