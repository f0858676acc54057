import { type Row, tables } from "../../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";

/** How often a site is looked at. */
export const analysisFrequencies = ["daily", "weekly", "manual"] as const;
export type AnalysisFrequency = (typeof analysisFrequencies)[number];

type SettingsRow = Row<"lens_settings">;

/** Insight settings of a site: on or off, frequency, recipients. */
export interface Settings {
	readonly isEnabled: boolean;
	readonly notifyEmail: boolean;
	readonly notifyOnRed: boolean;
	readonly notifyOnYellow: boolean;
	readonly notifyOnGreen: boolean;
	readonly emailRecipients: readonly string[];
	readonly analysisFrequency: AnalysisFrequency;
}

/** Settings with their last change; null where they were never changed. */
export interface StoredSettings extends Settings {
	readonly createdAt: number | null;
	readonly updatedAt: number | null;
}

const usual: StoredSettings = {
	isEnabled: true,
	notifyEmail: true,
	notifyOnRed: true,
	notifyOnYellow: false,
	notifyOnGreen: false,
	emailRecipients: [],
	analysisFrequency: "daily",
	createdAt: null,
	updatedAt: null,
};

const settingsOf = (row: SettingsRow): StoredSettings => ({
	isEnabled: row.is_enabled === 1,
	notifyEmail: row.notify_email === 1,
	notifyOnRed: row.notify_on_red === 1,
	notifyOnYellow: row.notify_on_yellow === 1,
	notifyOnGreen: row.notify_on_green === 1,
	emailRecipients: JSON.parse(row.email_recipients) as string[],
	analysisFrequency: row.analysis_frequency,
	createdAt: row.created_at,
	updatedAt: row.updated_at,
});

/** The settings of a site; the defaults where they were never changed. */
export async function findSettings(metadata: Metadata, siteId: string): Promise<StoredSettings> {
	const row = await tables(metadata)
		.selectFrom("lens_settings")
		.selectAll()
		.where("site_id", "=", siteId)
		.executeTakeFirst();
	return row === undefined ? usual : settingsOf(row);
}

/** Those that somebody has changed, by site. */
export async function listSettings(metadata: Metadata): Promise<ReadonlyMap<string, StoredSettings>> {
	const rows = await tables(metadata).selectFrom("lens_settings").selectAll().execute();
	return new Map(rows.map((row) => [row.site_id, settingsOf(row)]));
}

/** Default settings of a site. */
export const usualSettings = (): StoredSettings => usual;

/** Puts settings in the place of those before. */
export async function storeSettings(
	metadata: Metadata,
	siteId: string,
	settings: Settings,
	nowMs: number,
): Promise<void> {
	const row = {
		is_enabled: settings.isEnabled ? 1 : 0,
		notify_email: settings.notifyEmail ? 1 : 0,
		notify_on_red: settings.notifyOnRed ? 1 : 0,
		notify_on_yellow: settings.notifyOnYellow ? 1 : 0,
		notify_on_green: settings.notifyOnGreen ? 1 : 0,
		email_recipients: JSON.stringify(settings.emailRecipients),
		analysis_frequency: settings.analysisFrequency,
		updated_at: nowMs,
	};
	await tables(metadata)
		.insertInto("lens_settings")
		.values({ site_id: siteId, created_at: nowMs, ...row })
		.onConflict((conflict) => conflict.column("site_id").doUpdateSet(row))
		.execute();
}
