import { addRoute } from "../../../platform/http/add-route.ts";
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
	addRoute(app, "GET /billing/plans", {
		tags,
		summary: "Plans, smallest first",
		guard: { kind: "public" },
		answer: Plans,
		handler: async () => presentPlans(),
	});
	addRoute(app, "GET /billing/accounting-email", {
		tags,
		summary: "Invoice address, if it is not that of the paying owner",
		querystring: OrganizationQuery,
		guard: readingBilling,
		answer: AccountingEmail,
		handler: async (request) => {
			const { id } = await billedOrganization(metadata, request.caller, request.query.org_id);
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
			const { id } = await billedOrganization(metadata, request.caller, request.query.org_id);
			const { email } = request.body;
			await changeAccountingEmail(deps, actorOf(request), { organizationId: id, email });
			return { accounting_email: email };
		},
	});
}
