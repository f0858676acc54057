import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { recordAudit, systemActor } from "../../../auditing/audit-log/index.ts";
import { findUser } from "../../../people/users/index.ts";
import { leadersOf } from "../../../tenancy/organizations/index.ts";
import { findSite } from "../../../tenancy/sites/index.ts";
import type { WebhookDeps } from "../deps.ts";
import { deactivateEndpoint } from "../endpoints/endpoints-store.ts";
import type { EndpointRow } from "../webhook-tables.ts";

const reasons = {
	gone: "Its receiver answered 410 Gone.",
	failing: "All deliveries of the last 3 days failed.",
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
			subject: `Webhook ${endpoint.name} was disabled`,
			body: [
				`Hello ${user.name},`,
				`The webhook ${endpoint.name} of ${site.name} no longer receives events. ${reasons[reason]}`,
				"Its delivery log shows each request and response. Once the receiver works again, enable the webhook and replay failed deliveries.",
			],
		});
	}
}
