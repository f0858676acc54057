import { Type } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { minutelyAlone } from "../../../platform/http/rate-limit/route-limit.ts";
import { Timestamp } from "../../../platform/http/schemas.ts";
import { actorOf, systemActor } from "../../auditing/audit-log/index.ts";
import type { OrganizationRow } from "../organizations/index.ts";
import { beginCheckout, noteAttempt, validateCoupon } from "./begin-checkout.ts";
import { billedOrganization, org, writingBilling } from "./billed-organization.ts";
import { type BillingDeps, notConfigured, type SellingDeps, selling } from "./deps.ts";
import type { Payments } from "./provider/stripe-payments.ts";
import { CheckoutBody, CouponAnswer, CouponBody, Subscription, Url } from "./schemas.ts";
import { accounts, events, findAccount, liveOne, subscriptionsOf } from "./store.ts";
import { type Source, syncSubscriptions } from "./sync-subscriptions.ts";

const Changed = Type.Object({ success: Type.Boolean(), message: Type.String(), subscription: Subscription });

/** The body names the organization. */
const { querystring: _, ...config } = writingBilling;
const failures = ["bad_gateway", "service_unavailable"] as const;

const byUser = (request: Parameters<typeof actorOf>[0]): Source => ({ source: "user", actor: actorOf(request) });

/** Where the provider leads back to, unless the request says so. */
const backTo = ({ rootUrl }: BillingDeps, { slug }: OrganizationRow): string =>
	`${rootUrl}/organizations/${slug}/billing`;

/** Routes on what is bought. Without a payment provider they answer 503. */
export function registerSelling(app: App, deps: BillingDeps): void {
	addRoute(app, "POST /billing/checkout", {
		...config,
		summary: "Start the purchase of a plan, on pages of the payment provider",
		body: CheckoutBody,
		answer: Type.Object({ checkout_url: Type.String(), session_id: Type.String() }),
		errors: [...failures, "bad_request", "conflict", "not_found"],
		handler: async (request) => {
			const organization = await billedOrganization(deps.metadata, { caller: request.caller, query: request.body });
			const { principal } = request;
			const email = principal.kind === "session" ? principal.email : "";
			const wish = { ...request.body, back: backTo(deps, organization), email };
			const { id, url } = await beginCheckout(selling(deps), byUser(request), organization, wish);
			return { checkout_url: url, session_id: id };
		},
	});
	addRoute(app, "POST /billing/portal", {
		...config,
		summary: "Open the payment provider's pages for cards, invoices and changes",
		body: Type.Object({ ...org, return_url: Type.Optional(Url()) }),
		answer: Type.Object({ portal_url: Type.String() }),
		errors: [...failures, "not_found"],
		handler: async (request) => {
			const organization = await billedOrganization(deps.metadata, { caller: request.caller, query: request.body });
			const { payments, metadata } = selling(deps);
			const { customer_id: customerId } = await findAccount(metadata, organization.id);
			if (customerId === null) throw new ServiceError("not_found", "The organization has bought nothing yet");
			const url = await payments.portalUrl(customerId, request.body.return_url ?? backTo(deps, organization));
			return { portal_url: url };
		},
	});
	addRoute(app, "POST /billing/subscription/cancel", {
		...writingBilling,
		summary: "Cancel the subscription at the end of its period",
		answer: Type.Object({ ...Changed.properties, cancels_at: Timestamp() }),
		errors: [...failures, "conflict"],
		handler: async (request) => {
			const { id } = await billedOrganization(deps.metadata, request);
			const changed = await cancelAtEnd(selling(deps), byUser(request), id, true);
			return { ...changed, cancels_at: changed.subscription.current_period_end };
		},
	});
	addRoute(app, "POST /billing/subscription/resume", {
		...writingBilling,
		summary: "Resume a cancelled subscription",
		answer: Changed,
		errors: [...failures, "conflict"],
		handler: async (request) => {
			const { id } = await billedOrganization(deps.metadata, request);
			return cancelAtEnd(selling(deps), byUser(request), id, false);
		},
	});
	addRoute(app, "POST /billing/coupons/validate", {
		...writingBilling,
		summary: "Validate a coupon, and calculate the price with it",
		body: CouponBody,
		answer: CouponAnswer,
		errors: failures,
		handler: async (request) => {
			await billedOrganization(deps.metadata, request);
			return validateCoupon(selling(deps).payments, request.body);
		},
	});
}

/** Cancels the subscription at the end of its period, or resumes it. Throws `not_found` without one, `conflict` where nothing changes. */
async function cancelAtEnd(deps: SellingDeps, by: Source, organizationId: string, isCancelled: boolean) {
	const { metadata, payments } = deps;
	const live = liveOne(await subscriptionsOf(metadata, organizationId));
	const { customer_id: customerId } = await findAccount(metadata, organizationId);
	if (live === undefined || customerId === null) {
		throw new ServiceError("not_found", "The organization has no subscription");
	}
	const action = isCancelled ? "cancel_requested" : "resume_requested";
	await noteAttempt(deps, by, { organizationId, action, subscriptionId: live.id }, async () => {
		if (isCancelled === (live.cancel_at_period_end === 1))
			throw new ServiceError("conflict", `The subscription is ${isCancelled ? "already" : "not"} cancelled`);
		await payments.cancelAtEnd(live.id, isCancelled);
		await syncSubscriptions(deps, { organizationId, customerId }, by);
	});
	const row = (await subscriptionsOf(metadata, organizationId)).find(({ id }) => id === live.id) ?? live;
	const message = isCancelled ? "The subscription ends with the current period" : "The subscription was resumed";
	return { success: true, message, subscription: presentRow(Subscription, row) };
}

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
				headers: Type.Object({ "stripe-signature": Type.Optional(Type.String({ maxLength: 4096 })) }),
				response: {
					200: Type.Object({ received: Type.Boolean() }),
					...errorAnswers("bad_request", "bad_gateway", "service_unavailable"),
				},
			},
			config: { guard: { kind: "public" }, limit: [minutelyAlone("provider-webhook", EVENTS_A_MINUTE)] },
			handler: async (request) => {
				const selled = selling(deps);
				if (!deps.takesEvents) throw notConfigured("STRIPE_WEBHOOK_SECRET");
				const body: unknown = request.body;
				const signature = request.headers["stripe-signature"] ?? "";
				const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
				const event = await selled.payments.readEvent(bytes, signature, selled.clock.now());
				if (event === undefined) throw new ServiceError("bad_request", "The signature is not valid");
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
async function handleEvent(
	deps: SellingDeps,
	{ id, type, customerId }: NonNullable<Awaited<ReturnType<Payments["readEvent"]>>>,
): Promise<void> {
	const { metadata, clock } = deps;
	if ((await events.find(metadata, { id })) !== undefined) return;
	if (customerId !== undefined && CONCERNED.some((kind) => type.startsWith(kind))) {
		const account = await accounts.find(metadata, { customer_id: customerId });
		if (account !== undefined) {
			await syncSubscriptions(deps, { organizationId: account.organization_id, customerId }, byProvider);
		}
	}
	await events.insertUnlessTaken(metadata, { id, type, received_at: clock.now() });
}
