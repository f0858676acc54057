import { systemActor } from "../../auditing/audit-log/index.ts";
import { findAccountOfCustomer } from "./account-store.ts";
import type { SellingDeps } from "./deps.ts";
import { insertEvent, isEventKnown } from "./events-store.ts";
import type { ProviderEvent } from "./provider/payments.ts";
import { type Source, syncSubscriptions } from "./sync-subscriptions.ts";

const CONCERNED = ["customer.subscription.", "checkout.session.", "invoice."];

/** Source of changes that were made at the provider. */
export const byProvider: Source = { source: "provider", actor: systemActor };

/**
 * Handles an event once. It only names the customer whose subscriptions are synced; events of customers without an
 * organization here, as when the provider's account sells other things too, are ignored. Recorded last: a failed event
 * is sent again.
 */
export async function handleEvent(deps: SellingDeps, { id, type, customerId }: ProviderEvent): Promise<void> {
	const { metadata, clock } = deps;
	if (await isEventKnown(metadata, id)) return;
	const isConcerned = CONCERNED.some((kind) => type.startsWith(kind));
	const account =
		customerId !== undefined && isConcerned ? await findAccountOfCustomer(metadata, customerId) : undefined;
	if (account !== undefined && customerId !== undefined) {
		await syncSubscriptions(deps, { organizationId: account.organization_id, customerId }, byProvider);
	}
	await insertEvent(metadata, { id, type, received_at: clock.now() });
}
