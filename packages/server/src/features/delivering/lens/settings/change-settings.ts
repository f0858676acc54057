import { changedFields } from "../../../auditing/audit-log/index.ts";
import { normalizeEmail } from "../../../people/users/index.ts";
import { changeInTurn, type SiteChange } from "../../../tenancy/organizations/index.ts";
import { askStrangers } from "../../mail-recipients/index.ts";
import type { LensDeps } from "../deps.ts";
import { findSettings, type Settings, type StoredSettings, storeSettings } from "./settings-store.ts";

const audited = (settings: Settings) => ({
	is_enabled: settings.isEnabled,
	notify_email: settings.notifyEmail,
	notify_on_red: settings.notifyOnRed,
	notify_on_yellow: settings.notifyOnYellow,
	notify_on_green: settings.notifyOnGreen,
	email_recipients: [...settings.emailRecipients],
	analysis_frequency: settings.analysisFrequency,
});

/** Changes the settings given. Recipients who have nothing to do with the site are asked first. */
export function changeSettings(deps: LensDeps, by: SiteChange, changes: Partial<Settings>): Promise<StoredSettings> {
	return changeInTurn(deps, by, async (trx, now) => {
		const siteId = by.site.id;
		const before = await findSettings(trx, siteId);
		const { emailRecipients: addresses } = changes;
		const emails = addresses && [...new Set(addresses.map(normalizeEmail))];
		const settings = { ...before, ...changes, ...(emails && { emailRecipients: emails }) };
		await storeSettings(trx, siteId, settings, now);
		if (emails !== undefined) await askStrangers(deps, trx, { siteId, emails });
		const details = changedFields(audited(before), audited(settings));
		const answer = await findSettings(trx, siteId);
		return { answer, entry: { action: "lens.settings_updated", resourceId: siteId, details } };
	});
}
