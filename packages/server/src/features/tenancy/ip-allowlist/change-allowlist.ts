import type { SiteVisit } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countSettingChange } from "../../../platform/metadata/setting-versions.ts";
import type { Actor } from "../../auditing/audit-log/index.ts";
import { findOrganization, requireFeature } from "../organizations/index.ts";
import { ALLOWLIST_TOPIC, siteAllowlist } from "./allowlist-directory.ts";
import { decide } from "./decide.ts";
import type { AllowlistDeps } from "./deps.ts";
import { findSettings, listPatterns } from "./store.ts";

/** Site of a changed list, and the author of the change. */
export interface AllowlistChange {
	readonly siteId: string;
	readonly organizationId: string;
	readonly visit: SiteVisit;
	readonly actor: Actor;
}

/**
 * Runs a change to a site's list in one transaction and refreshes the directory of this process before it answers.
 * Changes run one after the other. `change` must use the store that it is given.
 * Throws `forbidden` when the plan has no allowlist, unless the change is one that eases a list, and `conflict` when the list as it would be shuts its changer out.
 */
export async function changeAllowlist<T>(
	deps: Pick<AllowlistDeps, "metadata" | "allowlists">,
	{ siteId, organizationId, visit }: AllowlistChange,
	change: (metadata: Metadata) => Promise<T>,
	{ eases = false }: { readonly eases?: boolean } = {},
): Promise<T> {
	const result = await deps.metadata.transaction().execute(async (metadata) => {
		await countSettingChange(metadata, ALLOWLIST_TOPIC, [siteId]);
		if (!eases) {
			const organization = await findOrganization(metadata, organizationId);
			requireFeature(organization?.plan_tier ?? "free", "ip_allowlist");
		}
		const changed = await change(metadata);
		await refuseLockOut(metadata, siteId, visit);
		return changed;
	});
	await deps.allowlists.refresh();
	return result;
}

async function refuseLockOut(metadata: Metadata, siteId: string, visit: SiteVisit): Promise<void> {
	const settings = await findSettings(metadata, siteId);
	if (settings === undefined || settings.is_enabled === 0) return;
	const active = (await listPatterns(metadata, siteId)).filter((row) => row.is_active === 1);
	if (decide(siteAllowlist(settings, active), visit).isGranted) return;
	throw new ServiceError("conflict", { message: "The rule would lock out your own address" });
}
