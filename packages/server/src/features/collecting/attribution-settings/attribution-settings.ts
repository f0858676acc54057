import {
	type CompiledSiteRules,
	compileSiteRules,
	noSiteRules,
	type SiteRules,
} from "../../../analytics/attribution/site-rules.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countSettingChange } from "../../../platform/metadata/setting-versions.ts";
import { type SettingsWatch, watchSettings } from "../../../platform/metadata/watch-settings.ts";
import { type Actor, type Change, changeAudited } from "../../auditing/audit-log/index.ts";

const ATTRIBUTION_TOPIC = "attribution";

const defaults = compileSiteRules(noSiteRules);

/** Reads one list of rules, of the sites named or of all; sites without any are left out. */
type SettingsLoader<Part extends keyof SiteRules> = (
	metadata: Metadata,
	siteIds: readonly string[] | undefined,
) => Promise<ReadonlyMap<string, SiteRules[Part]>>;

interface RuleTable<Stored> {
	list(
		metadata: Metadata,
		where: { readonly is_active: 1; readonly site_id?: readonly string[] },
		order: "id",
	): Promise<Stored[]>;
}

/** A loader of the active rules in a table, the oldest first. */
export const activeRules =
	<Stored extends { readonly site_id: string }, Rule>({ list }: RuleTable<Stored>, toRule: (row: Stored) => Rule) =>
	async (metadata: Metadata, siteIds: readonly string[] | undefined): Promise<ReadonlyMap<string, Rule[]>> => {
		const rows = await list(metadata, { is_active: 1, ...(siteIds !== undefined && { site_id: siteIds }) }, "id");
		const bySite = Map.groupBy(rows, (row) => row.site_id);
		return new Map([...bySite].map(([siteId, some]) => [siteId, some.map(toRule)]));
	};

/** The rules of all sites in memory, for the path of a hit. */
export interface AttributionDirectory {
	/** The compiled rules of a site. Never waits. */
	get(siteId: string): CompiledSiteRules;
	/** The rules of a site as plain data, for another process. Never waits. */
	rules(siteId: string): SiteRules;
	/** Reads what has changed since; called after a change in this process and by a timer for changes in others. */
	refresh(): Promise<void>;
}

interface AttributionDirectoryDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** One for each list, from the slice that owns it; without one the list is empty. */
	readonly loaders: { readonly [Part in keyof SiteRules]?: SettingsLoader<Part> };
	/** Called when a check fails; the settings read before stay in use. */
	readonly onError?: (error: unknown) => void;
}

/** Reads the settings of all sites, and keeps them fresh. */
export async function createAttributionDirectory(
	deps: AttributionDirectoryDeps,
): Promise<AttributionDirectory & SettingsWatch> {
	const { metadata, clock, onError, loaders } = deps;
	const rules = new Map<string, SiteRules>();
	/** Rules are compiled when a hit first needs them, so that a start does not wait for expressions that no hit uses. */
	const compiled = new Map<string, CompiledSiteRules>();
	const rulesOf = (siteId: string): SiteRules => rules.get(siteId) ?? noSiteRules;
	const watch = await watchSettings({
		metadata,
		clock,
		topic: ATTRIBUTION_TOPIC,
		read: async (siteIds) => {
			const channelRules = await loaders.channelRules?.(metadata, siteIds);
			const passthroughRules = await loaders.passthroughRules?.(metadata, siteIds);
			const referrerMappings = await loaders.referrerMappings?.(metadata, siteIds);
			for (const siteId of siteIds ?? [...rules.keys()]) {
				rules.delete(siteId);
				compiled.delete(siteId);
			}
			for (const list of [channelRules, passthroughRules, referrerMappings]) {
				for (const siteId of list?.keys() ?? []) {
					rules.set(siteId, {
						channelRules: channelRules?.get(siteId) ?? [],
						passthroughRules: passthroughRules?.get(siteId) ?? [],
						referrerMappings: referrerMappings?.get(siteId) ?? [],
					});
				}
			}
		},
		...(onError !== undefined && { onError }),
	});
	return {
		get: (siteId) => {
			if (!rules.has(siteId)) return defaults;
			const known = compiled.get(siteId) ?? compileSiteRules(rulesOf(siteId));
			compiled.set(siteId, known);
			return known;
		},
		rules: rulesOf,
		...watch,
	};
}

export interface AttributionChangeDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly attribution: Pick<AttributionDirectory, "refresh">;
}

export interface AttributionChange {
	readonly siteId: string;
	readonly actor: Actor;
}

/**
 * Runs a change to one site's settings in one transaction, counts it, records it, and refreshes the directory of this process before
 * it answers. Changes to the settings of any site run one after the other, so a limit that `change` checks holds.
 * `change` must use the store that it is given.
 */
export async function changeAttributionSettings<T>(
	deps: AttributionChangeDeps,
	{ siteId, actor }: AttributionChange,
	change: Change<T>,
): Promise<T> {
	const nowMs = deps.clock.now();
	const result = await deps.metadata.transaction().execute(async (trx) => {
		await countSettingChange(trx, ATTRIBUTION_TOPIC, [siteId]);
		return changeAudited(trx, { siteId, actor, nowMs }, change);
	});
	await deps.attribution.refresh();
	return result;
}
