import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { minutelyAlone } from "../../../platform/http/rate-limit/route-limit.ts";
import { systemActor } from "../../auditing/audit-log/index.ts";
import { type BillingDeps, notConfigured, type SellingDeps, selling } from "./deps.ts";
import type { ProviderEvent } from "./provider/payments.ts";
import { Received, SignatureHeaders } from "./schemas.ts";
import { findAccountOfCustomer, insertEvent, isEventKnown } from "./store.ts";
import { type Source, syncSubscriptions } from "./sync-subscriptions.ts";

/** The provider sends from few addresses, and many events when many pay on the same day. */
const EVENTS_A_MINUTE = 1200;

/** The route for events of the provider. The signature covers the bytes of the body, so no parser may run before. */
export function registerProviderWebhook(app: App, deps: BillingDeps): void {
	app.register(async (scope) => {
		scope.removeAllContentTypeParsers();
		scope.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
		(scope as App).route({
			method: "POST",
			url: "/billing/provider-webhook",
			schema: {
				tags: ["Billing"],
				summary: "Receive an event of the payment provider",
				headers: SignatureHeaders,
				response: { 200: Received, ...errorAnswers("bad_request", "bad_gateway", "service_unavailable") },
			},
			config: { guard: { kind: "public" }, limit: [minutelyAlone("provider-webhook", EVENTS_A_MINUTE)] },
			handler: async (request) => {
				const selled = selling(deps);
				if (!deps.takesEvents) throw notConfigured("STRIPE_WEBHOOK_SECRET");
				const body: unknown = request.body;
				const signature = request.headers["stripe-signature"] ?? "";
				const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
				const event = await selled.payments.readEvent(bytes, signature, selled.clock.now());
				if (event === undefined) throw new ServiceError("bad_request", { message: "The signature is not valid" });
				await handleEvent(selled, event);
				return { received: true };
			},
		});
	});
}

const CONCERNED = ["customer.subscription.", "checkout.session.", "invoice."];

/** Source of changes that were made at the provider. */
export const byProvider: Source = { source: "provider", actor: systemActor };

/**
 * Handles an event once. It only names the customer whose subscriptions are synced; events of customers without an
 * organization here, as when the provider's account sells other things too, are ignored. Recorded last: a failed event
 * is sent again.
 */
async function handleEvent(deps: SellingDeps, { id, type, customerId }: ProviderEvent): Promise<void> {
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
