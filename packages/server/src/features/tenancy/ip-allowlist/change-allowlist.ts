import type { SiteVisit } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countSettingChange } from "../../../platform/metadata/setting-versions.ts";
import { changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import {
	findOrganization,
	type Requester,
	requireFeature,
	type SiteChange,
	siteChangeOf,
} from "../organizations/index.ts";
import { findSite } from "../sites/index.ts";
import { decide } from "./address-list.ts";
import { ALLOWLIST_TOPIC, type AllowlistDeps, siteAllowlist } from "./open-ip-allowlists.ts";
import type { SettingsChanges } from "./schemas.ts";
import { allowlistSettings, patterns, type SettingsRow } from "./store.ts";

export interface AllowlistChange extends SiteChange {
	readonly visit: SiteVisit;
}

/**
 * Runs a change to a site's list in one transaction and refreshes the directory of this process before it answers.
 * Changes run one after the other. `change` must use the store that it is given.
 * Throws `forbidden` when the plan has no allowlist, unless the change is one that eases a list, and `conflict` when the list as it would be shuts its changer out.
 */
export async function changeAllowlist<T>(
	deps: Pick<AllowlistDeps, "metadata" | "allowlists">,
	{ site, visit }: AllowlistChange,
	change: (metadata: Metadata) => Promise<T>,
	{ eases = false }: { readonly eases?: boolean } = {},
): Promise<T> {
	const result = await deps.metadata.transaction().execute(async (metadata) => {
		await countSettingChange(metadata, ALLOWLIST_TOPIC, [site.id]);
		if (!eases) {
			const organization = await findOrganization(metadata, site.organizationId);
			requireFeature(organization?.plan_tier ?? "free", "ip_allowlist");
		}
		const changed = await change(metadata);
		await refuseLockOut(metadata, site.id, visit);
		return changed;
	});
	await deps.allowlists.refresh();
	return result;
}

async function refuseLockOut(metadata: Metadata, siteId: string, visit: SiteVisit): Promise<void> {
	const settings = await allowlistSettings.find(metadata, { site_id: siteId });
	if (settings === undefined || settings.is_enabled === 0) return;
	const active = await patterns.list(metadata, { site_id: siteId, is_active: 1 }, "id");
	if (decide(siteAllowlist(settings, active), visit).isGranted) return;
	throw new ServiceError("conflict", { message: "The rule would lock out your own address" });
}

/** The settings of a site; those of one that has never set any are as old as the site. */
export async function settingsOf(metadata: Metadata, siteId: string): Promise<SettingsRow> {
	const stored = await allowlistSettings.find(metadata, { site_id: siteId });
	if (stored !== undefined) return stored;
	const created = (await findSite(metadata, siteId))?.created_at ?? 0;
	return {
		site_id: siteId,
		is_enabled: 0,
		enforce_for_api_tokens: 1,
		enforce_for_dashboard: 1,
		created_at: created,
		updated_at: created,
	};
}

export function changeSettings(
	deps: AllowlistDeps,
	by: AllowlistChange,
	changes: SettingsChanges,
): Promise<SettingsRow> {
	const siteId = by.site.id;
	const now = deps.clock.now();
	const change = async (metadata: Metadata) => {
		const before = await settingsOf(metadata, siteId);
		const fields = settingNames.flatMap((name) => (changes[name] === undefined ? [] : [[name, Number(changes[name])]]));
		const after = { ...Object.fromEntries(fields), updated_at: now };
		const row =
			(await allowlistSettings.update(metadata, { site_id: siteId }, after)) ??
			(await allowlistSettings.insert(metadata, { ...before, ...after, created_at: now }));
		const details = changedFields(auditedSettings(before), auditedSettings(row));
		await recordAudit(metadata, by.actor, { action: "ip_allowlist.settings_updated", siteId, details }, now);
		return row;
	};
	return changeAllowlist(deps, by, change, { eases: changes.is_enabled === false });
}

const settingNames = ["is_enabled", "enforce_for_api_tokens", "enforce_for_dashboard"] as const;

const auditedSettings = (row: SettingsRow) => Object.fromEntries(settingNames.map((name) => [name, row[name] === 1]));

export const changeOf = (request: Requester & Pick<AllowlistChange, "site" | "visit">): AllowlistChange => ({
	...siteChangeOf(request),
	visit: request.visit,
});
