import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { recordAudit, systemActor } from "../../../auditing/audit-log/index.ts";
import { findUser } from "../../../people/users/index.ts";
import { leadersOf } from "../../../tenancy/organizations/index.ts";
import { findSite } from "../../../tenancy/sites/index.ts";
import type { WebhookDeps } from "../deps.ts";
import { deactivateEndpoint } from "../endpoints/endpoints-store.ts";
import type { EndpointRow } from "../webhook-tables.ts";

const reasons = {
	gone: "Its receiver answered that it is gone for good (410).",
	failing: "Nothing that was sent to it in the last 3 days arrived.",
} as const;

/** Switches an endpoint off and tells the owners of its organization; nothing when it is off already. */
export async function switchOff(
	deps: Pick<WebhookDeps, "clock" | "mailer">,
	trx: Metadata,
	endpoint: EndpointRow,
	reason: keyof typeof reasons,
): Promise<void> {
	const now = deps.clock.now();
	if (!(await deactivateEndpoint(trx, endpoint.id, reason, now))) return;
	const details = { is_active: [true, false], disabled_reason: [null, reason] };
	const entry = { resourceId: endpoint.id, siteId: endpoint.site_id, details };
	await recordAudit(trx, systemActor, { action: "webhook.updated", ...entry }, now);
	const site = await findSite(trx, endpoint.site_id);
	if (site === undefined) return;
	for (const { userId, role } of await leadersOf(trx, site.organization_id)) {
		const user = role === "owner" ? await findUser(trx, userId) : undefined;
		if (user === undefined || user.is_active === 0) continue;
		await deps.mailer.queue(trx, {
			to: user.email,
			subject: `The webhook ${endpoint.name} was switched off`,
			body: [
				`Hello ${user.name},`,
				`The webhook ${endpoint.name} of ${site.name} gets no more events. ${reasons[reason]}`,
				"What was sent and what came back is in its delivery log. Once the receiver works again, switch the webhook on and replay what it missed.",
			],
		});
	}
}
