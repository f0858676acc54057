import type { App } from "../../../platform/http/app.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { findAccount } from "./account-store.ts";
import { changeAccountingEmail } from "./accounting-email.ts";
import { billedOrganization } from "./billed-organization.ts";
import type { BillingDeps } from "./deps.ts";
import { readingBilling, writingBilling } from "./guards.ts";
import { presentPlans } from "./present.ts";
import { AccountingEmail, AccountingEmailBody, OrganizationQuery, Plans } from "./schemas.ts";

const tags = ["Billing"];

/** Routes on plans, and on where invoices go. */
export function registerAccount(app: App, deps: BillingDeps): void {
	const { metadata } = deps;
	app.route({
		method: "GET",
		url: "/billing/plans",
		schema: { tags, summary: "The plans, smallest first", response: { 200: Plans } },
		config: { guard: { kind: "public" } },
		handler: async () => presentPlans(),
	});
	app.route({
		method: "GET",
		url: "/billing/accounting-email",
		schema: {
			tags,
			summary: "Where invoices go, when not to the owner who paid",
			querystring: OrganizationQuery,
			response: { 200: AccountingEmail },
		},
		config: { guard: readingBilling },
		handler: async (request) => {
			const { id } = await billedOrganization(metadata, request.caller, request.query.org_id);
			return { accounting_email: (await findAccount(metadata, id)).accounting_email };
		},
	});
	app.route({
		method: "PUT",
		url: "/billing/accounting-email",
		schema: {
			tags,
			summary: "Say where invoices go; null: to the owner who pays",
			querystring: OrganizationQuery,
			body: AccountingEmailBody,
			response: { 200: AccountingEmail },
		},
		config: { guard: writingBilling },
		handler: async (request) => {
			const { id } = await billedOrganization(metadata, request.caller, request.query.org_id);
			const { email } = request.body;
			await changeAccountingEmail(deps, actorOf(request), { organizationId: id, email });
			return { accounting_email: email };
		},
	});
}
