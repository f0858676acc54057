import { Type } from "typebox";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { limitAndOffset, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import type { OrganizationRow } from "../organizations/index.ts";
import { billedOrganization, OrganizationQuery, org, readingBilling } from "./billed-organization.ts";
import type { BillingDeps } from "./deps.ts";
import { Card, Invoice, Subscription, UpcomingInvoice } from "./schemas.ts";
import { findAccount, listHistory, liveOne, subscriptionsOf } from "./store.ts";
import { usageNow } from "./usage-now.ts";
import { usageShare } from "./usage-routes.ts";

const Overview = Type.Object({
	subscription: Nullable(Subscription),
	usage: Type.Object({
		...usageShare,
		days_remaining: Nullable(Type.Integer({ description: "Null where the limit is never reset" })),
	}),
	upcoming_invoice: Nullable(UpcomingInvoice),
	payment_method: Nullable(Card),
});

const State = Nullable(Type.Record(Type.String(), Type.Unknown()), {
	description: "Fields of the subscription; null without one",
});

const HistoryEntry = Type.Object({
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
});

const InvoicesQuery = Type.Object({
	...org,
	limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
	starting_after: Type.Optional(
		Type.String({ minLength: 1, maxLength: 255, pattern: "^[A-Za-z0-9_]+$", description: "Id of an invoice" }),
	),
});

const config = { tags: ["Billing"], guard: readingBilling };

export function registerSubscription(app: App, deps: BillingDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /billing/overview", {
		...config,
		summary: "Plan, subscription and usage of an organization",
		querystring: OrganizationQuery,
		answer: Overview,
		errors: errorAnswers("bad_gateway"),
		handler: async (request) => describeOverview(deps, await billedOrganization(metadata, request)),
	});
	addRoute(app, "GET /billing/subscription", {
		...config,
		summary: "The subscription; null without one",
		querystring: OrganizationQuery,
		answer: Nullable(Subscription),
		handler: async (request) => {
			const { id } = await billedOrganization(metadata, request);
			const live = liveOne(await subscriptionsOf(metadata, id));
			return live === undefined ? null : presentRow(Subscription, live);
		},
	});
	addRoute(app, "GET /billing/subscription/history", {
		...config,
		summary: "History of subscriptions, newest first",
		querystring: Type.Object({ ...org, ...limitAndOffset({ limit: 20, max: 100 }) }),
		answer: Type.Array(HistoryEntry),
		handler: async (request) => {
			const { limit, offset } = request.query;
			const { id } = await billedOrganization(metadata, request);
			const rows = await listHistory(metadata, { organizationId: id, limit, offset });
			return rows.map((row) => ({
				...presentRow(HistoryEntry, row),
				org_id: id,
				previous_state: stateOf(row.previous_state),
				new_state: stateOf(row.new_state),
			}));
		},
	});
	addRoute(app, "GET /billing/invoices", {
		...config,
		summary: "Invoices, newest first",
		querystring: InvoicesQuery,
		answer: Type.Array(Invoice),
		errors: errorAnswers("bad_gateway"),
		handler: async (request) => {
			const { limit, starting_after: startingAfter } = request.query;
			const { id } = await billedOrganization(metadata, request);
			const { customer_id: customerId } = await findAccount(metadata, id);
			if (deps.payments === undefined || customerId === null) return [];
			return deps.payments.invoicesOf(customerId, limit, startingAfter);
		},
	});
}

const stateOf = (json: string | null): Record<string, unknown> | null => (json === null ? null : JSON.parse(json));

async function describeOverview(deps: BillingDeps, organization: OrganizationRow) {
	const live = liveOne(await subscriptionsOf(deps.metadata, organization.id));
	const payments = live === undefined ? undefined : deps.payments;
	const [usage, upcoming, card] = await Promise.all([
		usageNow(deps, organization),
		live?.cancel_at_period_end === 0 ? payments?.upcomingInvoice(live.id) : undefined,
		live && payments?.cardOf(live.id),
	]);
	return {
		subscription: live === undefined ? null : presentRow(Subscription, live),
		usage: { ...usage.share, days_remaining: usage.isForEver ? null : usage.daysRemaining },
		upcoming_invoice: upcoming ?? null,
		payment_method: card ?? null,
	};
}
