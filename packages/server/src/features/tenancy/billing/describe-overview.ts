import type { OrganizationRow } from "../organizations/index.ts";
import type { BillingDeps } from "./deps.ts";
import { presentCard, presentSubscription, presentUpcoming, presentUsageShortly } from "./present.ts";
import { liveOne, subscriptionsOf } from "./subscriptions-store.ts";
import { usageNow } from "./usage-now.ts";

/** Subscription and usage of an organization, with the provider's next invoice and card. */
export async function describeOverview(deps: BillingDeps, organization: OrganizationRow) {
	const live = liveOne(await subscriptionsOf(deps.metadata, [organization.id]));
	const payments = live === undefined ? undefined : deps.payments;
	const [usage, upcoming, card] = await Promise.all([
		usageNow(deps, organization),
		live?.cancel_at_period_end === 0 ? payments?.upcomingInvoice(live.id) : undefined,
		live && payments?.cardOf(live.id),
	]);
	return {
		subscription: live === undefined ? null : presentSubscription(live),
		usage: presentUsageShortly(usage),
		upcoming_invoice: upcoming === undefined ? null : presentUpcoming(upcoming),
		payment_method: card === undefined ? null : presentCard(card),
	};
}
