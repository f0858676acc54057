import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { type Actor, actorOf, type ChangeDeps, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { lockOrganization } from "../organizations/index.ts";
import { billedOrganization, readingBilling, writingBilling } from "./billed-organization.ts";
import type { BillingDeps } from "./deps.ts";
import { presentPlans } from "./present.ts";
import { AccountingEmail, AccountingEmailBody, OrganizationQuery, Plans } from "./schemas.ts";
import { changeAccount, findAccount } from "./store.ts";

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

interface EmailDeps extends ChangeDeps {
	readonly jobs: Pick<Jobs, "enqueue">;
}

/** Tells the payment provider where invoices go. */
export const CUSTOMER_JOB = "billing-customer";

/** Changes the address to which invoices go; null = to the owner who paid. */
async function changeAccountingEmail(
	{ metadata, clock, jobs }: EmailDeps,
	actor: Actor,
	{ organizationId, email }: { readonly organizationId: string; readonly email: string | null },
): Promise<void> {
	await metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, organizationId);
		const { accounting_email: before, customer_id: customerId } = await findAccount(trx, organizationId);
		if (before === email) return;
		await changeAccount(trx, organizationId, { accounting_email: email });
		const details = changedFields({ accounting_email: before }, { accounting_email: email });
		const entry = { action: "organization.updated", resourceId: organizationId, organizationId, details } as const;
		await recordAudit(trx, actor, entry, clock.now());
		if (customerId !== null) await jobs.enqueue(trx, { kind: CUSTOMER_JOB, payload: { organizationId } });
	});
}
