import { Type } from "typebox";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { limitAndOffset, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import type { OrganizationRow } from "../organizations/index.ts";
import { billedOrganization, readingBilling } from "./billed-organization.ts";
import type { BillingDeps } from "./deps.ts";
import { presentHistory, presentSubscription, presentUsageShortly } from "./present.ts";
import { Invoice, OrganizationQuery, Overview, org, Subscription } from "./schemas.ts";
import { findAccount, listHistory, liveOne, subscriptionsOf } from "./store.ts";
import { usageNow } from "./usage-now.ts";

const HistoryQuery = Type.Object({ ...org, ...limitAndOffset({ limit: 20, max: 100 }) });

const State = Nullable(Type.Record(Type.String(), Type.Unknown()), {
	description: "Fields of the subscription; null without one",
});

const History = Type.Array(
	Type.Object({
		id: Type.Integer(),
		subscription_id: Nullable(Type.String()),
		org_id: Type.String({ format: "uuid" }),
		user_id: Nullable(Type.Integer()),
		user_email: Nullable(Type.String()),
		user_name: Nullable(Type.String()),
		action: Type.String(),
		source: OneOf(["user", "provider", "system"]),
		previous_state: State,
		new_state: State,
		success: Type.Boolean(),
		error_message: Nullable(Type.String()),
		error_code: Nullable(Type.String()),
		ip_address: Nullable(Type.String()),
		created_at: Timestamp(),
	}),
);

const InvoicesQuery = Type.Object({
	...org,
	limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
	starting_after: Type.Optional(
		Type.String({ minLength: 1, maxLength: 255, pattern: "^[A-Za-z0-9_]+$", description: "Id of an invoice" }),
	),
});

const tags = ["Billing"];
const config = { guard: readingBilling };

/** Routes on what an organization has bought. */
export function registerSubscription(app: App, deps: BillingDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /billing/overview", {
		tags,
		summary: "Plan, subscription and usage of an organization",
		querystring: OrganizationQuery,
		...config,
		answer: Overview,
		errors: errorAnswers("bad_gateway"),
		handler: async (request) => {
			const organization = await billedOrganization(metadata, request.caller, request.query.org_id);
			return describeOverview(deps, organization);
		},
	});
	addRoute(app, "GET /billing/subscription", {
		tags,
		summary: "The subscription; null without one",
		querystring: OrganizationQuery,
		...config,
		answer: Nullable(Subscription),
		handler: async (request) => {
			const { id } = await billedOrganization(metadata, request.caller, request.query.org_id);
			const live = liveOne(await subscriptionsOf(metadata, [id]));
			return live === undefined ? null : presentSubscription(live);
		},
	});
	addRoute(app, "GET /billing/subscription/history", {
		tags,
		summary: "History of subscriptions, newest first",
		querystring: HistoryQuery,
		...config,
		answer: History,
		handler: async (request) => {
			const { org_id: named, limit, offset } = request.query;
			const { id } = await billedOrganization(metadata, request.caller, named);
			return (await listHistory(metadata, { organizationId: id, limit, offset })).map(presentHistory);
		},
	});
	addRoute(app, "GET /billing/invoices", {
		tags,
		summary: "Invoices, newest first",
		querystring: InvoicesQuery,
		...config,
		answer: Type.Array(Invoice),
		errors: errorAnswers("bad_gateway"),
		handler: async (request) => {
			const { org_id: named, limit, starting_after: startingAfter } = request.query;
			const { id } = await billedOrganization(metadata, request.caller, named);
			const { customer_id: customerId } = await findAccount(metadata, id);
			if (deps.payments === undefined || customerId === null) return [];
			return deps.payments.invoicesOf(customerId, { limit, startingAfter });
		},
	});
}

/** Subscription and usage of an organization, with the provider's next invoice and card. */
async function describeOverview(deps: BillingDeps, organization: OrganizationRow) {
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
		upcoming_invoice: upcoming ?? null,
		payment_method: card ?? null,
	};
}
