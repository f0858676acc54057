import { ServiceError } from "../../../platform/errors/service-error.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Actor } from "../../auditing/audit-log/index.ts";
import { putOnPlan } from "../organization-plan/index.ts";
import { findOrganization, lockOrganization, type PlanTier } from "../organizations/index.ts";
import type { SellingDeps } from "./deps.ts";
import type { ProviderSubscription } from "./provider/read-stripe.ts";
import {
	changeAccount,
	findAccount,
	history,
	liveOne,
	type SubscriptionRow,
	subscriptions,
	subscriptionsOf,
} from "./store.ts";

const stateOf = (row: SubscriptionRow) => ({
	status: row.status,
	plan_tier: row.plan_tier,
	billing_interval: row.billing_interval,
	current_period_end: timestamp(row.current_period_end),
	cancel_at_period_end: row.cancel_at_period_end === 1,
});

const differs = (before: SubscriptionRow, told: ProviderSubscription): boolean =>
	Object.entries(told).some(([field, value]) => before[field as keyof ProviderSubscription] !== value);

const byState = {
	trialing: "trial_started",
	active: "activated",
	past_due: "payment_failed",
	canceled: "canceled",
} as const satisfies Record<SubscriptionRow["status"], string>;

function actionOf(before: SubscriptionRow | undefined, after: SubscriptionRow): string {
	if (before === undefined) return "created";
	if (before.status !== after.status) return byState[after.status];
	if (before.plan_tier !== after.plan_tier || before.billing_interval !== after.billing_interval) return "plan_changed";
	if (before.cancel_at_period_end !== after.cancel_at_period_end) {
		return after.cancel_at_period_end === 1 ? "cancel_scheduled" : "resumed";
	}
	return before.current_period_end === after.current_period_end ? "updated" : "renewed";
}

export interface Customer {
	readonly organizationId: string;
	readonly customerId: string;
}

export interface Source {
	readonly source: "user" | "provider" | "system";
	readonly actor: Actor;
}

/** Nothing changes so often at the provider. */
const MOST_LOOKS = 6;

/**
 * Syncs the stored subscriptions with the provider's present state, whatever the trigger: events arrive late, twice and
 * in any order, so none of their content is used. After a change the sync repeats until nothing differs, so that a
 * slower process cannot leave an older state. Answers the number of changes.
 */
export async function syncSubscriptions(deps: SellingDeps, customer: Customer, by: Source): Promise<number> {
	let changes = 0;
	for (let look = 0; look < MOST_LOOKS; look++) {
		const told = await deps.payments.subscriptionsOf(customer.customerId);
		const changed = await deps.metadata
			.transaction()
			.execute((trx) => apply(trx, customer.organizationId, told, by, deps.clock.now()));
		if (changed === 0) {
			if (changes > 0) await deps.sites.refresh();
			await closeOpenCheckout(deps, customer.organizationId);
			return changes;
		}
		changes += changed;
	}
	throw new ServiceError("bad_gateway", "The payment provider keeps changing the subscription");
}

async function apply(
	trx: Metadata,
	organizationId: string,
	told: readonly ProviderSubscription[],
	by: Source,
	nowMs: number,
): Promise<number> {
	await lockOrganization(trx, organizationId);
	const known = await subscriptionsOf(trx, organizationId);
	const changed = told.flatMap((one) => {
		const before = known.find(({ id }) => id === one.id);
		const after = rowOf(organizationId, one, before, nowMs);
		return before !== undefined && !differs(before, one) ? [] : [{ before, after }];
	});
	if (changed.length === 0) return 0;
	for (const { before, after } of changed) {
		const { organization_id: _, ...state } = after;
		await subscriptions.upsert(trx, after, ["id"], state);
		await history.insert(trx, {
			organization_id: organizationId,
			subscription_id: after.id,
			user_id: by.actor.userId,
			action: actionOf(before, after),
			source: by.source,
			previous_state: before === undefined ? null : JSON.stringify(stateOf(before)),
			new_state: JSON.stringify(stateOf(after)),
			success: 1,
			ip_address: by.actor.ip,
			created_at: nowMs,
		});
	}
	await followPlan(trx, organizationId, { known, actor: by.actor, nowMs });
	return changed.length;
}

const rowOf = (
	organizationId: string,
	told: ProviderSubscription,
	before: SubscriptionRow | undefined,
	nowMs: number,
): SubscriptionRow => ({
	...told,
	organization_id: organizationId,
	past_due_since: told.status === "past_due" ? (before?.past_due_since ?? nowMs) : null,
	updated_at: nowMs,
});

/** Moves the organization where its subscriptions give it another plan than before; one that somebody set by hand stays till then. */
async function followPlan(
	trx: Metadata,
	organizationId: string,
	{ known, actor, nowMs }: { known: readonly SubscriptionRow[]; actor: Actor; nowMs: number },
): Promise<void> {
	const before = entitledPlan(known, nowMs);
	const plan = entitledPlan(await subscriptionsOf(trx, organizationId), nowMs);
	if (plan === undefined || plan === before || (before === undefined && plan === "free")) return;
	const organization = await findOrganization(trx, organizationId);
	if (organization?.is_active === 1) await putOnPlan(trx, actor, { organizationId, plan }, nowMs);
}

/** An open checkout form must not lead to a second subscription. */
async function closeOpenCheckout({ metadata, payments }: SellingDeps, organizationId: string): Promise<void> {
	const { checkout_id: open } = await findAccount(metadata, organizationId);
	if (open === null || liveOne(await subscriptionsOf(metadata, organizationId)) === undefined) return;
	await payments.closeCheckout(open);
	await changeAccount(metadata, organizationId, { checkout_id: null });
}

/** So long a subscription whose money does not come keeps its plan. */
const PAST_DUE_MS = 14 * DAY_MS;

/** The plan that an organization's subscriptions give it; undefined when it never had one. */
function entitledPlan(rows: readonly SubscriptionRow[], nowMs: number): PlanTier | undefined {
	if (rows.length === 0) return undefined;
	const live = liveOne(rows);
	return live === undefined || hasLapsed(live, nowMs) ? "free" : live.plan_tier;
}

/** True when the money has not come for fourteen days. */
export const hasLapsed = ({ status, past_due_since: since }: SubscriptionRow, nowMs: number): boolean =>
	status === "past_due" && since !== null && since + PAST_DUE_MS <= nowMs;
