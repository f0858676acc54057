import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { planOf } from "../organizations/index.ts";
import { presentPixel } from "../sites/index.ts";
import { PROVISIONED_PLAN, type Provisioned } from "./provision-site.ts";
import type { ProvisionKeyRow } from "./store.ts";

/** The provisioned site, on the wire; `pixelUrl` is the address of the tracker script. */
export function presentProvisioned(
	{ site, apiKey, resendToken }: Provisioned,
	{ rootUrl, pixelUrl }: { rootUrl: string; pixelUrl: string },
) {
	return {
		success: true as const,
		account_id: site.id,
		snippet: presentPixel(site.id, pixelUrl).script_tag,
		api_key: apiKey,
		dashboard_url: `${rootUrl}/sites/${site.id}`,
		claim_url: `${rootUrl}/claim?resend=${resendToken}`,
		free_quota: { events_total: planOf(PROVISIONED_PLAN).lifetimeEvents ?? 0 },
		next_steps: [
			"Put the snippet into the <head> of every page.",
			"Open the mail that was sent to the address and choose a password.",
			`Ask for reports with the header X-API-Key, for example GET ${rootUrl}/api/v1/stats/overview?site_id=${site.id}`,
		],
	};
}

/** A provision key as operators see it. */
export const presentProvisionKey = (row: ProvisionKeyRow) => ({
	id: row.id,
	channel: row.channel,
	key_prefix: row.key_prefix,
	is_active: row.revoked_at === null,
	created_at: timestamp(row.created_at),
	revoked_at: timestampOrNull(row.revoked_at),
});
