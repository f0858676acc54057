import { noPassthroughRules } from "../../../analytics/attribution/passthrough-rules.ts";
import { noReferrerMappings } from "../../../analytics/attribution/referrer-mappings.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { AttributionDirectory, AttributionLoaders, AttributionSettings } from "./attribution-settings.ts";
import { changedSince } from "./store.ts";

const CHECK_INTERVAL_MS = 5000;
/** From here on, reading every site is one query instead of one long list of sites. */
const MANY_SITES = 200;

const defaults: AttributionSettings = {
	channelRules: undefined,
	passthroughRules: noPassthroughRules,
	referrerMappings: noReferrerMappings,
};

/** An attribution directory with its lifetime. */
export interface RunningAttributionDirectory extends AttributionDirectory {
	/** Ends the timer. */
	stop(): void;
}

interface AttributionDirectoryDeps {
	readonly metadata: Metadata;
	readonly loaders: AttributionLoaders;
	/** Told when a check fails; the settings read before stay in use. */
	readonly onError?: (error: unknown) => void;
}

/**
 * Reads the settings of all sites and keeps them fresh: at once after `refresh`, within five seconds after a change in
 * another process. Only sites whose settings have changed are read again.
 */
export async function createAttributionDirectory(deps: AttributionDirectoryDeps): Promise<RunningAttributionDirectory> {
	const parts = [
		createPart("channelRules", deps.loaders.channelRules),
		createPart("passthroughRules", deps.loaders.passthroughRules),
		createPart("referrerMappings", deps.loaders.referrerMappings),
	] as const;
	const [channelRules, passthroughRules, referrerMappings] = parts;
	let seen = 0;
	let tail: Promise<void> = Promise.resolve();

	async function read(): Promise<void> {
		const changes = await changedSince(deps.metadata, seen);
		if (changes.version === seen) return;
		const siteIds = changes.siteIds.length > MANY_SITES ? undefined : changes.siteIds;
		for (const part of parts) await part.read(deps.metadata, siteIds);
		seen = changes.version;
	}
	/** One reading at a time; each begins after the change that asked for it. */
	function refresh(): Promise<void> {
		const next = tail.then(read);
		tail = next.catch(() => undefined);
		return next;
	}

	await refresh();
	const timer = setInterval(() => refresh().catch((error: unknown) => deps.onError?.(error)), CHECK_INTERVAL_MS);
	timer.unref();
	return {
		get: (siteId) => ({
			channelRules: channelRules.get(siteId),
			passthroughRules: passthroughRules.get(siteId),
			referrerMappings: referrerMappings.get(siteId),
		}),
		refresh,
		stop: () => clearInterval(timer),
	};
}

/** One part of the settings of every site that has any. */
function createPart<Name extends keyof AttributionSettings>(name: Name, load: AttributionLoaders[Name]) {
	let bySite = new Map<string, () => AttributionSettings[Name]>();
	return {
		get: (siteId: string): AttributionSettings[Name] => bySite.get(siteId)?.() ?? defaults[name],
		read: async (metadata: Metadata, siteIds: readonly string[] | undefined): Promise<void> => {
			const loaded = (await load?.(metadata, siteIds)) ?? new Map<string, () => AttributionSettings[Name]>();
			const next = siteIds === undefined ? new Map<string, () => AttributionSettings[Name]>() : new Map(bySite);
			for (const siteId of siteIds ?? []) next.delete(siteId);
			for (const [siteId, prepare] of loaded) next.set(siteId, once(prepare));
			bySite = next;
		},
	};
}

function once<T>(prepare: () => T): () => T {
	let prepared: { readonly value: T } | undefined;
	return () => {
		prepared ??= { value: prepare() };
		return prepared.value;
	};
}
