import { type Row, tables } from "../../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";

export const analysisFrequencies = ["daily", "weekly", "manual"] as const;

type SettingsRow = Row<"lens_settings">;
type Flag = "is_enabled" | "notify_email" | "notify_on_red" | "notify_on_yellow" | "notify_on_green";

export interface Settings extends Readonly<Record<Flag, boolean>>, Pick<SettingsRow, "analysis_frequency"> {
	readonly email_recipients: readonly string[];
}

/** Settings with their last change; null where they were never changed. */
export interface StoredSettings extends Settings {
	readonly created_at: number | null;
	readonly updated_at: number | null;
}

export const usualSettings: StoredSettings = {
	is_enabled: true,
	notify_email: true,
	notify_on_red: true,
	notify_on_yellow: false,
	notify_on_green: false,
	email_recipients: [],
	analysis_frequency: "daily",
	created_at: null,
	updated_at: null,
};

const settingsOf = ({ site_id: _, ...row }: SettingsRow): StoredSettings => ({
	...row,
	is_enabled: row.is_enabled === 1,
	notify_email: row.notify_email === 1,
	notify_on_red: row.notify_on_red === 1,
	notify_on_yellow: row.notify_on_yellow === 1,
	notify_on_green: row.notify_on_green === 1,
	email_recipients: JSON.parse(row.email_recipients),
});

/** The settings of a site; the defaults where they were never changed. */
export async function findSettings(metadata: Metadata, siteId: string): Promise<StoredSettings> {
	const row = await tables(metadata)
		.selectFrom("lens_settings")
		.selectAll()
		.where("site_id", "=", siteId)
		.executeTakeFirst();
	return row === undefined ? usualSettings : settingsOf(row);
}

/** Those that somebody has changed, by site. */
export async function listSettings(metadata: Metadata): Promise<ReadonlyMap<string, StoredSettings>> {
	const rows = await tables(metadata).selectFrom("lens_settings").selectAll().execute();
	return new Map(rows.map((row) => [row.site_id, settingsOf(row)]));
}

/** Puts settings in the place of those before. */
export async function storeSettings(
	metadata: Metadata,
	siteId: string,
	settings: Settings,
	nowMs: number,
): Promise<void> {
	const row = {
		is_enabled: settings.is_enabled ? 1 : 0,
		notify_email: settings.notify_email ? 1 : 0,
		notify_on_red: settings.notify_on_red ? 1 : 0,
		notify_on_yellow: settings.notify_on_yellow ? 1 : 0,
		notify_on_green: settings.notify_on_green ? 1 : 0,
		email_recipients: JSON.stringify(settings.email_recipients),
		analysis_frequency: settings.analysis_frequency,
		updated_at: nowMs,
	};
	await tables(metadata)
		.insertInto("lens_settings")
		.values({ site_id: siteId, created_at: nowMs, ...row })
		.onConflict((conflict) => conflict.column("site_id").doUpdateSet(row))
		.execute();
}
