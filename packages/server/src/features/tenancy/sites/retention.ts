import { type Caller, refuseImpersonator, roleRequired, type SiteRole } from "../../../access/index.ts";
import { fieldError } from "../../../platform/errors/service-error.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { withoutLinks } from "../../../platform/outbound/mail/plain-text.ts";
import type { SiteRouteDeps } from "./deps.ts";
import { listSiteUsers } from "./site-users.ts";
import type { SiteRow } from "./store.ts";

/** A shorter period takes effect so long after it was set, so that owners can withdraw it. */
const WITHDRAWABLE_MS = 7 * DAY_MS;

/** A period to set; null = for ever. */
export interface RetentionChange {
	readonly months: number | null;
	/** Runs in the transaction that shortens the period: what it throws prevents the change. */
	readonly onShortening: (metadata: Metadata, site: SiteRow, appliesAt: number) => Promise<void>;
}

type RetentionColumns = Pick<SiteRow, "data_retention_months" | "retention_pending_months" | "retention_pending_at">;

/** The columns that a new period changes: a shorter one becomes pending, any other one applies at once and withdraws a pending one. */
export async function changeRetention(
	metadata: Metadata,
	site: SiteRow,
	{ months, onShortening }: RetentionChange,
	nowMs: number,
): Promise<Partial<RetentionColumns>> {
	const { data_retention_months: current } = site;
	if (months === null || (current !== null && months >= current)) {
		return { data_retention_months: months, retention_pending_months: null, retention_pending_at: null };
	}
	if (months === site.retention_pending_months) return {};
	const appliesAt = nowMs + WITHDRAWABLE_MS;
	await onShortening(metadata, site, appliesAt);
	return { retention_pending_months: months, retention_pending_at: appliesAt };
}

interface Shortening {
	readonly caller: Caller;
	readonly role: SiteRole;
	readonly months: number | null;
	readonly confirm: string | undefined;
}

/** A period that a user sets: to shorten it takes an owner in person and the site's id once more, and all owners get a mail. */
export const retentionSetBy = (
	deps: Pick<SiteRouteDeps, "mailer" | "rootUrl">,
	{ caller, role, months, confirm }: Shortening,
): RetentionChange => ({
	months,
	onShortening: async (metadata, site, appliesAt) => {
		if (role !== "owner") throw roleRequired("owner");
		refuseImpersonator(caller);
		if (confirm !== site.id) throw fieldError("body.confirm", "must be the id of the site", "confirm");
		const users = await listSiteUsers(metadata, { id: site.id, organizationId: site.organization_id });
		const by = withoutLinks(users.find(({ userId }) => userId === caller.userId)?.name ?? "An administrator");
		const siteName = withoutLinks(site.name);
		for (const { name, email } of users.filter((user) => user.role === "owner" && user.isActive === 1)) {
			await deps.mailer.queue(metadata, {
				to: email,
				subject: `${siteName}: data retention will be shortened`,
				body: [
					`Hello ${name},`,
					`${by} changed the data retention of ${siteName} from ${periodText(site.data_retention_months)} to ${periodText(months)}.`,
					`From ${timestamp(appliesAt).slice(0, 10)} on, older data is deleted permanently. Until then you can cancel the change:`,
					{ link: `${deps.rootUrl}/sites/${site.id}/settings/data`, label: "Data retention" },
				],
			});
		}
	},
});

const periodText = (months: number | null) =>
	months === null ? "unlimited" : `${months} ${months === 1 ? "month" : "months"}`;
