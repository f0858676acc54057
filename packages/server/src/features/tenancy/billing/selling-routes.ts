import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import type { OrganizationRow } from "../organizations/index.ts";
import { beginCheckout } from "./begin-checkout.ts";
import { billedOrganization, writingBilling } from "./billed-organization.ts";
import { type BillingDeps, type SellingDeps, selling } from "./deps.ts";
import { noteAttempt } from "./note-attempt.ts";
import { presentSubscription } from "./present.ts";
import {
	Cancelled,
	Checkout,
	CheckoutBody,
	CouponAnswer,
	CouponBody,
	OrganizationQuery,
	Portal,
	PortalBody,
	Resumed,
} from "./schemas.ts";
import { findAccount, liveOne, type SubscriptionRow, subscriptionsOf } from "./store.ts";
import { type Source, syncSubscriptions } from "./sync-subscriptions.ts";
import { validateCoupon } from "./validate-coupon.ts";

/** Cancels the organization's subscription at the end of its period. Throws `not_found` without one, `conflict` when it was. */
const cancelSubscription = (deps: SellingDeps, by: Source, organizationId: string): Promise<SubscriptionRow> =>
	change(deps, by, organizationId, "cancel_requested", async (live) => {
		if (live.cancel_at_period_end === 1) {
			throw new ServiceError("conflict", { message: "The subscription is already cancelled" });
		}
		await deps.payments.cancelAtEnd(live.id);
	});

/** Lets a cancelled subscription go on. Throws `not_found` without one, `conflict` when it is not cancelled. */
const resumeSubscription = (deps: SellingDeps, by: Source, organizationId: string): Promise<SubscriptionRow> =>
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

const tags = ["Billing"];
const config = { guard: writingBilling };
const failures = errorAnswers("bad_gateway", "service_unavailable");

const byUser = (request: Parameters<typeof actorOf>[0]): Source => ({ source: "user", actor: actorOf(request) });

/** Where the provider leads back to, unless the request says so. */
const backTo = ({ rootUrl }: BillingDeps, { slug }: OrganizationRow): string =>
	`${rootUrl}/organizations/${slug}/billing`;

/** Routes on what is bought. Without a payment provider they answer 503. */
export function registerSelling(app: App, deps: BillingDeps): void {
	registerCheckout(app, deps);
	registerChanges(app, deps);
	registerCoupons(app, deps);
}

function registerCheckout(app: App, deps: BillingDeps): void {
	addRoute(app, "POST /billing/checkout", {
		tags,
		summary: "Start the purchase of a plan, on pages of the payment provider",
		body: CheckoutBody,
		...config,
		answer: Checkout,
		errors: { ...failures, ...errorAnswers("bad_request", "conflict", "not_found") },
		handler: async (request) => {
			const organization = await billedOrganization(deps.metadata, request.caller, request.body.org_id);
			const { principal } = request;
			const email = principal.kind === "session" ? principal.email : "";
			const wish = { ...request.body, back: backTo(deps, organization), email };
			const { id, url } = await beginCheckout(selling(deps), byUser(request), organization, wish);
			return { checkout_url: url, session_id: id };
		},
	});
	addRoute(app, "POST /billing/portal", {
		tags,
		summary: "Open the payment provider's pages for cards, invoices and changes",
		body: PortalBody,
		...config,
		answer: Portal,
		errors: { ...failures, ...errorAnswers("not_found") },
		handler: async (request) => {
			const organization = await billedOrganization(deps.metadata, request.caller, request.body.org_id);
			const { payments, metadata } = selling(deps);
			const { customer_id: customerId } = await findAccount(metadata, organization.id);
			if (customerId === null) {
				throw new ServiceError("not_found", { message: "The organization has bought nothing yet" });
			}
			const url = await payments.portalUrl(customerId, request.body.return_url ?? backTo(deps, organization));
			return { portal_url: url };
		},
	});
}

function registerChanges(app: App, deps: BillingDeps): void {
	addRoute(app, "POST /billing/subscription/cancel", {
		tags,
		summary: "Cancel the subscription at the end of its period",
		querystring: OrganizationQuery,
		...config,
		answer: Cancelled,
		errors: { ...failures, ...errorAnswers("conflict") },
		handler: async (request) => {
			const { id } = await billedOrganization(deps.metadata, request.caller, request.query.org_id);
			const row = await cancelSubscription(selling(deps), byUser(request), id);
			return {
				success: true,
				message: "The subscription ends with the current period",
				subscription: presentSubscription(row),
				cancels_at: timestamp(row.current_period_end),
			};
		},
	});
	addRoute(app, "POST /billing/subscription/resume", {
		tags,
		summary: "Resume a cancelled subscription",
		querystring: OrganizationQuery,
		...config,
		answer: Resumed,
		errors: { ...failures, ...errorAnswers("conflict") },
		handler: async (request) => {
			const { id } = await billedOrganization(deps.metadata, request.caller, request.query.org_id);
			const row = await resumeSubscription(selling(deps), byUser(request), id);
			return { success: true, message: "The subscription was resumed", subscription: presentSubscription(row) };
		},
	});
}

function registerCoupons(app: App, deps: BillingDeps): void {
	addRoute(app, "POST /billing/coupons/validate", {
		tags,
		summary: "Validate a coupon, and calculate the price with it",
		querystring: OrganizationQuery,
		body: CouponBody,
		...config,
		answer: CouponAnswer,
		errors: failures,
		handler: async (request) => {
			await billedOrganization(deps.metadata, request.caller, request.query.org_id);
			return validateCoupon(selling(deps).payments, request.body);
		},
	});
}
