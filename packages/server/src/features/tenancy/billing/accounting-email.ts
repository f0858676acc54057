import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { lockOrganization } from "../organizations/index.ts";
import { changeAccount, findAccount } from "./account-store.ts";

/** Changes the address to which invoices go; null = to the owner who paid. */
export async function changeAccountingEmail(
	{ metadata, clock }: { readonly metadata: Metadata; readonly clock: Clock },
	actor: Actor,
	{ organizationId, email }: { readonly organizationId: string; readonly email: string | null },
): Promise<void> {
	await metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, organizationId);
		const { accounting_email: before } = await findAccount(trx, organizationId);
		if (before === email) return;
		await changeAccount(trx, organizationId, { accounting_email: email });
		const details = changedFields({ accounting_email: before }, { accounting_email: email });
		const entry = { action: "organization.updated", resourceId: organizationId, organizationId, details } as const;
		await recordAudit(trx, actor, entry, clock.now());
	});
}
