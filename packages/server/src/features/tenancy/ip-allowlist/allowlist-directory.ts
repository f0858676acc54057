import { type SettingsWatch, watchSettings } from "../../../platform/metadata/watch-settings.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { compileAddressList, type SiteAllowlist } from "./address-list.ts";
import { enabledSettings, type PatternRow, patterns, type SettingsRow } from "./store.ts";

export const ALLOWLIST_TOPIC = "ip_allowlist";

export interface AllowlistDirectory extends SettingsWatch {
	/** The list of a site; undefined where it is switched off. Never waits. */
	get(siteId: string): SiteAllowlist | undefined;
}

export interface OpeningDeps extends ChangeDeps {
	/** Told when a later read fails, or an entry cannot be stored: a full disk must not shut people out, nor let them in. */
	readonly onError?: (error: unknown) => void;
}

/** Reads the lists that are switched on, and keeps them fresh. */
export async function createAllowlistDirectory({ metadata, clock, onError }: OpeningDeps): Promise<AllowlistDirectory> {
	let lists = new Map<string, SiteAllowlist>();

	async function read(siteIds: readonly string[] | undefined): Promise<void> {
		const next = siteIds === undefined ? new Map<string, SiteAllowlist>() : new Map(lists);
		for (const siteId of siteIds ?? []) next.delete(siteId);
		const settings = await enabledSettings(metadata, siteIds);
		const rows = await patterns.listActive(
			metadata,
			settings.map((row) => row.site_id),
		);
		const bySite = Map.groupBy(rows, (row) => row.site_id);
		for (const row of settings) next.set(row.site_id, siteAllowlist(row, bySite.get(row.site_id) ?? []));
		lists = next;
	}
	const watched = { metadata, clock, topic: ALLOWLIST_TOPIC, read, ...(onError !== undefined && { onError }) };
	return { get: (siteId) => lists.get(siteId), ...(await watchSettings(watched)) };
}

/** A list as its settings and active patterns make it. */
export const siteAllowlist = (settings: SettingsRow, patterns: readonly PatternRow[]): SiteAllowlist => ({
	enforcedFor: {
		session: settings.enforce_for_dashboard === 1,
		key: settings.enforce_for_api_tokens === 1,
		oauth: settings.enforce_for_api_tokens === 1,
		// Readers of a link are anonymous.
		share: true,
	},
	patterns: compileAddressList(patterns),
});
