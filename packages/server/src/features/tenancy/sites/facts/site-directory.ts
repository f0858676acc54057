import { setImmediate as pause } from "node:timers/promises";
import type { Clock } from "../../../../platform/lib/clock.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { type SettingsWatch, watchSettings } from "../../../../platform/metadata/watch-settings.ts";
import { SITES_TOPIC } from "../store.ts";
import { nextSiteIds } from "./facts-store.ts";
import { readSiteFacts, type SiteDirectory, type SiteFacts } from "./site-facts.ts";

/** SQLite reads on the thread that takes hits: so many sites at a time take about a millisecond. */
const PORTION = 100;

interface SiteDirectoryDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** Told when a check fails; the sites read before stay in use. */
	readonly onError?: (error: unknown) => void;
}

/**
 * Reads all sites and keeps them fresh: at once after `refresh`, within five seconds after a change in another process. Only
 * the sites that changed are read again, and long lists in portions.
 */
export async function createSiteDirectory({
	metadata,
	clock,
	onError,
}: SiteDirectoryDeps): Promise<SiteDirectory & SettingsWatch> {
	const sites = new Map<string, SiteFacts>();
	const byOrganization = new Map<string, Map<string, SiteFacts>>();

	function put(id: string, site: SiteFacts | undefined): void {
		const before = sites.get(id);
		if (before !== undefined && before.organizationId !== site?.organizationId) {
			byOrganization.get(before.organizationId)?.delete(id);
		}
		if (site === undefined) {
			sites.delete(id);
			return;
		}
		sites.set(id, site);
		const ofOne = byOrganization.get(site.organizationId);
		if (ofOne === undefined) byOrganization.set(site.organizationId, new Map([[id, site]]));
		else ofOne.set(id, site);
	}
	async function readSome(ids: readonly string[]): Promise<void> {
		const found = await readSiteFacts(metadata, ids);
		for (const id of ids) put(id, found.get(id));
	}
	async function readAll(): Promise<void> {
		const gone = new Set(sites.keys());
		for (let ids = await nextSiteIds(metadata, "", PORTION); ids.length > 0; ) {
			await readSome(ids);
			for (const id of ids) gone.delete(id);
			await pause();
			ids = await nextSiteIds(metadata, ids.at(-1) ?? "", PORTION);
		}
		for (const id of gone) put(id, undefined);
	}
	async function read(ids: readonly string[] | undefined): Promise<void> {
		if (ids === undefined) return readAll();
		for (let from = 0; from < ids.length; from += PORTION) {
			if (from > 0) await pause();
			await readSome(ids.slice(from, from + PORTION));
		}
	}
	const watched = { metadata, clock, topic: SITES_TOPIC, read, ...(onError !== undefined && { onError }) };
	return {
		get: (id) => sites.get(id),
		ofOrganization: (organizationId) => [...(byOrganization.get(organizationId)?.values() ?? [])],
		...(await watchSettings(watched)),
	};
}
