import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { lockOrganization } from "../organizations/index.ts";
import { changeAccount, findAccount } from "./account-store.ts";

interface EmailDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly jobs: Pick<Jobs, "enqueue">;
}

/** Tells the payment provider where invoices go. */
export const CUSTOMER_JOB = "billing-customer";

/** Changes the address to which invoices go; null = to the owner who paid. */
export async function changeAccountingEmail(
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
