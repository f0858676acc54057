import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { findSite } from "../sites/index.ts";
import { type AllowlistChange, changeAllowlist } from "./change-allowlist.ts";
import type { AllowlistDeps } from "./deps.ts";
import { findSettings, putSettings, type SettingsRow } from "./store.ts";

/** Editable settings of a list. */
export type SettingsFields = Pick<SettingsRow, "is_enabled" | "enforce_for_api_tokens" | "enforce_for_dashboard">;

/** The settings of a site; those of one that has never set any are as old as the site. */
export async function settingsOf(metadata: Metadata, siteId: string): Promise<SettingsRow> {
	const stored = await findSettings(metadata, siteId);
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

/** Changes the settings that are given; throws what `changeAllowlist` throws. */
export async function changeSettings(
	deps: AllowlistDeps,
	by: AllowlistChange,
	fields: Partial<SettingsFields>,
): Promise<SettingsRow> {
	const { siteId } = by;
	const now = deps.clock.now();
	return changeAllowlist(
		deps,
		by,
		async (metadata) => {
			const before = await settingsOf(metadata, siteId);
			const row = await putSettings(metadata, { ...before, ...fields, created_at: now, updated_at: now });
			const details = changedFields(auditedSettings(before), auditedSettings(row));
			await recordAudit(metadata, by.actor, { action: "ip_allowlist.settings_updated", siteId, details }, now);
			return row;
		},
		{ eases: fields.is_enabled === 0 },
	);
}

const auditedSettings = (row: SettingsRow) => ({
	is_enabled: row.is_enabled === 1,
	enforce_for_api_tokens: row.enforce_for_api_tokens === 1,
	enforce_for_dashboard: row.enforce_for_dashboard === 1,
});
