import { type Static, Type } from "typebox";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { limitAndOffset, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { type Actor, actorOf, changedFields } from "../../auditing/audit-log/index.ts";
import {
	lockOrganization,
	type OrganizationRow,
	planFeatures,
	planOf,
	planTiers,
	recordOrganization,
} from "../organizations/index.ts";
import { billedOrganization, org, readingBilling, writingBilling } from "./billed-organization.ts";
import type { BillingDeps, UsageDeps } from "./deps.ts";
import { priceList } from "./price-list.ts";
import { Card, Invoice, Subscription, UpcomingInvoice } from "./schemas.ts";
import {
	changeAccount,
	findAccount,
	judgedPeriods,
	listHistory,
	liveOne,
	subscriptionsOf,
	type UsagePeriodRow,
	wasForgivenIn,
} from "./store.ts";
import { boundsOf, percentOf, type UsageNow, usageHistory, usageNow } from "./usage-now.ts";

const Plans = Type.Array(
	Type.Object({
		tier: OneOf(planTiers),
		name: Type.String(),
		description: Type.String(),
		price_monthly: Nullable(Type.Integer({ description: "EUR cents a month; null: on request" })),
		price_yearly: Nullable(Type.Integer({ description: "EUR cents a year; null: on request" })),
		seats: Nullable(Type.Integer()),
		accounts: Nullable(Type.Integer({ description: "Active sites" })),
		monthly_events: Nullable(Type.Integer({ description: "Collection continues beyond it" })),
		lifetime_events: Nullable(Type.Integer({ description: "Collection stops at it" })),
		data_retention_days: Nullable(Type.Integer()),
		api_requests_per_minute: Type.Integer(),
		concurrent_exports: Type.Integer(),
		export_rows: Nullable(Type.Integer()),
		features: Type.Array(OneOf(planFeatures)),
		is_popular: Type.Boolean(),
	}),
	{ description: "Null: no limit" },
);
const AccountingEmail = Type.Object({ accounting_email: Nullable(Type.String()) });
const AccountingEmailBody = Type.Object({
	email: Nullable(Type.String({ format: "email", maxLength: 254, pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" })),
});

export function registerAccount(app: App, deps: BillingDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /billing/plans", {
		tags: readingBilling.tags,
		summary: "Plans, smallest first",
		guard: { kind: "public" },
		answer: Plans,
		handler: () => plans,
	});
	addRoute(app, "GET /billing/accounting-email", {
		...readingBilling,
		summary: "Invoice address, if it is not that of the paying owner",
		answer: AccountingEmail,
		handler: async (request) => {
			const { id } = await billedOrganization(metadata, request);
			return { accounting_email: (await findAccount(metadata, id)).accounting_email };
		},
	});
	addRoute(app, "PUT /billing/accounting-email", {
		...writingBilling,
		summary: "Set the invoice address; null: the address of the paying owner",
		body: AccountingEmailBody,
		answer: AccountingEmail,
		handler: async (request) => {
			const { id } = await billedOrganization(metadata, request);
			const { email } = request.body;
			await changeAccountingEmail(deps, actorOf(request), id, email);
			return { accounting_email: email };
		},
	});
}

const plans = planTiers.map((tier) => {
	const { seats, sites, monthlyEvents, lifetimeEvents, requestsPerMinute, exports, features } = planOf(tier);
	return {
		tier,
		...priceList[tier],
		seats,
		accounts: sites,
		monthly_events: monthlyEvents,
		lifetime_events: lifetimeEvents,
		// Each site says itself how long its data are kept.
		data_retention_days: null,
		api_requests_per_minute: requestsPerMinute,
		concurrent_exports: exports.concurrent,
		export_rows: exports.rows,
		features: [...features],
	};
});

/** Tells the payment provider where invoices go. */
export const CUSTOMER_JOB = "billing-customer";

async function changeAccountingEmail(
	{ metadata, clock, jobs }: BillingDeps,
	actor: Actor,
	organizationId: string,
	email: string | null,
): Promise<void> {
	await metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, organizationId);
		const { accounting_email: before, customer_id: customerId } = await findAccount(trx, organizationId);
		if (before === email) return;
		await changeAccount(trx, organizationId, { accounting_email: email });
		const details = changedFields({ accounting_email: before }, { accounting_email: email });
		await recordOrganization(trx, actor, { action: "organization.updated", id: organizationId, details }, clock.now());
		if (customerId !== null) await jobs.enqueue(trx, { kind: CUSTOMER_JOB, payload: { organizationId } });
	});
}

const period = { period_start: Timestamp(), period_end: Timestamp() };
const counts = { human_events: Type.Integer(), agent_events: Type.Integer() };

const usageShare = {
	...counts,
	event_limit: Nullable(Type.Integer()),
	percentage: Type.Number({ description: "Percentage of the limit; over 100 when exceeded" }),
	is_unlimited: Type.Boolean(),
};

const CurrentUsage = Type.Object({
	org_id: Type.String({ format: "uuid" }),
	plan_tier: OneOf(planTiers),
	status: OneOf(["ok", "warning", "exceeded", "stopped"], {
		description: "`warning`: 80 % or more; `exceeded`: collection continues; `stopped`: nothing is collected any more",
	}),
	...period,
	...usageShare,
	days_remaining: Type.Integer(),
	last_synced_at: Timestamp(),
});

const Overage = Type.Object({
	...period,
	plan_tier: OneOf(planTiers),
	event_limit: Type.Integer(),
	total_events: Type.Integer(),
	overage_percent: Type.Number(),
	is_forgiven: Type.Boolean(),
	action_taken: OneOf(["none", "forgiven", "notified", "upgraded"]),
});

const SHOWN_PERIODS = 12;

export function registerUsage(app: App, deps: UsageDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /billing/usage/current", {
		...readingBilling,
		summary: "Events of the current period, of all sites of the organization",
		answer: CurrentUsage,
		handler: async (request) => presentUsage(await usageNow(deps, await billedOrganization(metadata, request))),
	});
	addRoute(app, "GET /billing/usage/history", {
		...readingBilling,
		summary: "Events by period, newest first",
		querystring: Type.Object({ ...org, limit: Type.Integer({ minimum: 1, maximum: 36, default: 12 }) }),
		answer: Type.Array(Type.Object({ ...period, ...counts })),
		handler: async (request) => {
			const organization = await billedOrganization(metadata, request);
			return usageHistory(deps, organization, request.query.limit);
		},
	});
	addRoute(app, "GET /billing/overage-status", {
		...readingBilling,
		summary: "Past periods, and the consequences of exceeding the plan",
		answer: Type.Object({
			org_id: Type.String({ format: "uuid" }),
			history: Type.Array(Overage),
			forgiveness_available: Type.Boolean(),
			forgiveness_year: Type.Integer(),
		}),
		handler: async (request) => {
			const organization = await billedOrganization(metadata, request);
			const { id, plan_tier: plan } = organization;
			const { period } = await usageNow(deps, organization);
			const year = period.start.slice(0, 4);
			const isLimited = planOf(plan).monthlyEvents !== null;
			return {
				org_id: id,
				history: (await judgedPeriods(metadata, id, SHOWN_PERIODS)).map(presentOverage),
				forgiveness_available: isLimited && !(await wasForgivenIn(metadata, id, year)),
				forgiveness_year: Number(year),
			};
		},
	});
}

function statusOf({ share, isForEver }: UsageNow): Static<typeof CurrentUsage>["status"] {
	if (share.event_limit === null) return "ok";
	if (share.human_events >= share.event_limit) return isForEver ? "stopped" : "exceeded";
	return share.percentage >= 80 ? "warning" : "ok";
}

const presentUsage = (usage: UsageNow) => ({
	org_id: usage.organizationId,
	plan_tier: usage.plan,
	status: statusOf(usage),
	...boundsOf(usage.period.start, usage.period.end),
	...usage.share,
	days_remaining: usage.daysRemaining,
	last_synced_at: timestamp(usage.countedAt),
});

function presentOverage(row: UsagePeriodRow): Static<typeof Overage> {
	const excess = Math.max(row.total_events - row.event_limit, 0);
	const bounds = boundsOf(row.period_start, row.period_end);
	return { ...presentRow(Overage, row), ...bounds, overage_percent: percentOf(excess, row.event_limit) };
}

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

export function registerSubscription(app: App, deps: BillingDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /billing/overview", {
		...readingBilling,
		summary: "Plan, subscription and usage of an organization",
		answer: Overview,
		errors: ["bad_gateway"],
		handler: async (request) => describeOverview(deps, await billedOrganization(metadata, request)),
	});
	addRoute(app, "GET /billing/subscription", {
		...readingBilling,
		summary: "The subscription; null without one",
		answer: Nullable(Subscription),
		handler: async (request) => {
			const { id } = await billedOrganization(metadata, request);
			const live = liveOne(await subscriptionsOf(metadata, id));
			return live === undefined ? null : presentRow(Subscription, live);
		},
	});
	addRoute(app, "GET /billing/subscription/history", {
		...readingBilling,
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
		...readingBilling,
		summary: "Invoices, newest first",
		querystring: InvoicesQuery,
		answer: Type.Array(Invoice),
		errors: ["bad_gateway"],
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
