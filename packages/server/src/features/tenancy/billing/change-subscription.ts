import { ServiceError } from "../../../platform/errors/service-error.ts";
import { findAccount } from "./account-store.ts";
import type { SellingDeps } from "./deps.ts";
import { noteAttempt } from "./note-attempt.ts";
import { liveOne, type SubscriptionRow, subscriptionsOf } from "./subscriptions-store.ts";
import { type Source, syncSubscriptions } from "./sync-subscriptions.ts";

/** Cancels the organization's subscription at the end of its period. Throws `not_found` without one, `conflict` when it was. */
export const cancelSubscription = (deps: SellingDeps, by: Source, organizationId: string): Promise<SubscriptionRow> =>
	change(deps, by, organizationId, "cancel_requested", async (live) => {
		if (live.cancel_at_period_end === 1) {
			throw new ServiceError("conflict", { message: "The subscription is cancelled already" });
		}
		await deps.payments.cancelAtEnd(live.id);
	});

/** Lets a cancelled subscription go on. Throws `not_found` without one, `conflict` when it is not cancelled. */
export const resumeSubscription = (deps: SellingDeps, by: Source, organizationId: string): Promise<SubscriptionRow> =>
	change(deps, by, organizationId, "resume_requested", async (live) => {
		if (live.cancel_at_period_end === 0) {
			throw new ServiceError("conflict", { message: "The subscription is not cancelled" });
		}
		await deps.payments.resume(live.id);
	});

async function change(
	deps: SellingDeps,
	by: Source,
	organizationId: string,
	action: string,
	work: (live: SubscriptionRow) => Promise<void>,
): Promise<SubscriptionRow> {
	const { metadata } = deps;
	const live = liveOne(await subscriptionsOf(metadata, [organizationId]));
	const { customer_id: customerId } = await findAccount(metadata, organizationId);
	if (live === undefined || customerId === null) {
		throw new ServiceError("not_found", { message: "The organization has no subscription" });
	}
	await noteAttempt(deps, by, { organizationId, action, subscriptionId: live.id }, async () => {
		await work(live);
		await syncSubscriptions(deps, { organizationId, customerId }, by);
	});
	const after = (await subscriptionsOf(metadata, [organizationId])).find(({ id }) => id === live.id);
	return after ?? live;
}
