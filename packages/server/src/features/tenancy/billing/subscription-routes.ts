import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Nullable } from "../../../platform/http/schemas.ts";
import { findAccount } from "./account-store.ts";
import { billedOrganization } from "./billed-organization.ts";
import type { BillingDeps } from "./deps.ts";
import { describeOverview } from "./describe-overview.ts";
import { readingBilling } from "./guards.ts";
import { History, HistoryQuery, Invoices, InvoicesQuery } from "./history-schemas.ts";
import { listHistory } from "./history-store.ts";
import { presentHistory, presentInvoice, presentSubscription } from "./present.ts";
import { OrganizationQuery, Overview, Subscription } from "./schemas.ts";
import { liveOne, subscriptionsOf } from "./subscriptions-store.ts";

const tags = ["Billing"];
const config = { guard: readingBilling };

/** Routes on what an organization has bought. */
export function registerSubscription(app: App, deps: BillingDeps): void {
	const { metadata } = deps;
	app.route({
		method: "GET",
		url: "/billing/overview",
		schema: {
			tags,
			summary: "What an organization has bought and uses",
			querystring: OrganizationQuery,
			response: { 200: Overview, ...errorAnswers("bad_gateway") },
		},
		config,
		handler: async (request) => {
			const organization = await billedOrganization(metadata, request.caller, request.query.org_id);
			return describeOverview(deps, organization);
		},
	});
	app.route({
		method: "GET",
		url: "/billing/subscription",
		schema: {
			tags,
			summary: "The subscription; null when there is none",
			querystring: OrganizationQuery,
			response: { 200: Nullable(Subscription) },
		},
		config,
		handler: async (request) => {
			const { id } = await billedOrganization(metadata, request.caller, request.query.org_id);
			const live = liveOne(await subscriptionsOf(metadata, [id]));
			return live === undefined ? null : presentSubscription(live);
		},
	});
	app.route({
		method: "GET",
		url: "/billing/subscription/history",
		schema: {
			tags,
			summary: "What happened to subscriptions, newest first",
			querystring: HistoryQuery,
			response: { 200: History },
		},
		config,
		handler: async (request) => {
			const { org_id: named, limit, offset } = request.query;
			const { id } = await billedOrganization(metadata, request.caller, named);
			return (await listHistory(metadata, { organizationId: id, limit, offset })).map(presentHistory);
		},
	});
	app.route({
		method: "GET",
		url: "/billing/invoices",
		schema: {
			tags,
			summary: "Invoices, newest first",
			querystring: InvoicesQuery,
			response: { 200: Invoices, ...errorAnswers("bad_gateway") },
		},
		config,
		handler: async (request) => {
			const { org_id: named, limit, starting_after: startingAfter } = request.query;
			const { id } = await billedOrganization(metadata, request.caller, named);
			const { customer_id: customerId } = await findAccount(metadata, id);
			if (deps.payments === undefined || customerId === null) return [];
			return (await deps.payments.invoicesOf(customerId, { limit, startingAfter })).map(presentInvoice);
		},
	});
}
