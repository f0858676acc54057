import { Type } from "typebox";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { Nullable, OneOf } from "../../../platform/http/schemas.ts";
import { type Actor, actorOf, changedFields } from "../../auditing/audit-log/index.ts";
import { lockOrganization, planFeatures, planOf, planTiers, recordOrganization } from "../organizations/index.ts";
import { billedOrganization, OrganizationQuery, readingBilling, writingBilling } from "./billed-organization.ts";
import type { BillingDeps } from "./deps.ts";
import { priceList } from "./price-list.ts";
import { changeAccount, findAccount } from "./store.ts";

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

const tags = ["Billing"];

export function registerAccount(app: App, deps: BillingDeps): void {
	const { metadata } = deps;
	addRoute(app, "GET /billing/plans", {
		tags,
		summary: "Plans, smallest first",
		guard: { kind: "public" },
		answer: Plans,
		handler: () => plans,
	});
	addRoute(app, "GET /billing/accounting-email", {
		tags,
		summary: "Invoice address, if it is not that of the paying owner",
		querystring: OrganizationQuery,
		guard: readingBilling,
		answer: AccountingEmail,
		handler: async (request) => {
			const { id } = await billedOrganization(metadata, request);
			return { accounting_email: (await findAccount(metadata, id)).accounting_email };
		},
	});
	addRoute(app, "PUT /billing/accounting-email", {
		tags,
		summary: "Set the invoice address; null: the address of the paying owner",
		querystring: OrganizationQuery,
		body: AccountingEmailBody,
		guard: writingBilling,
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
	const { name, description, priceMonthly, priceYearly, isPopular } = priceList[tier];
	const { seats, sites, monthlyEvents, lifetimeEvents, requestsPerMinute, exports, features } = planOf(tier);
	return {
		tier,
		name,
		description,
		price_monthly: priceMonthly,
		price_yearly: priceYearly,
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
		is_popular: isPopular,
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
