import type { SiteAddressPolicy, SiteVisit } from "../../../access/index.ts";
import { DAY_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { canonicalIp } from "../../../platform/lib/ip-address.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import { type SettingsWatch, watchSettings } from "../../../platform/metadata/watch-settings.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { compileAddressList, type Decision, decide, type SiteAllowlist } from "./address-list.ts";
import { allowlistSettings, attempts, type PatternRow, patterns, type SettingsRow } from "./store.ts";

export const ALLOWLIST_TOPIC = "ip_allowlist";

interface AllowlistDirectory extends SettingsWatch {
	/** The list of a site; undefined where it is switched off. Never waits. */
	get(siteId: string): SiteAllowlist | undefined;
}

interface OpeningDeps extends ChangeDeps {
	/** Told when a later read fails, or an entry cannot be stored: a full disk must not shut people out, nor let them in. */
	readonly onError?: (error: unknown) => void;
}

/** Reads the lists that are switched on, and keeps them fresh. */
async function createAllowlistDirectory({ metadata, clock, onError }: OpeningDeps): Promise<AllowlistDirectory> {
	let lists = new Map<string, SiteAllowlist>();

	async function read(siteIds: readonly string[] | undefined): Promise<void> {
		const next = siteIds === undefined ? new Map<string, SiteAllowlist>() : new Map(lists);
		for (const siteId of siteIds ?? []) next.delete(siteId);
		const site_id = siteIds ?? { "!=": undefined };
		const settings = siteIds?.length === 0 ? [] : await allowlistSettings.list(metadata, { is_enabled: 1, site_id });
		const enabled = settings.map((row) => row.site_id);
		const rows = await inChunks(enabled, (site_id) => patterns.list(metadata, { site_id, is_active: 1 }, "id"));
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

const DAYS_KEPT = 90;

export interface AllowlistDeps extends ChangeDeps {
	readonly allowlists: AllowlistDirectory;
}

/** The IP allowlists of all sites, in use. */
export interface IpAllowlists extends AllowlistDeps {
	/** The rule on addresses for the access layer. */
	readonly policy: SiteAddressPolicy;
	/** Forgets visits that are older than 90 days. */
	dropOldAttempts(): Promise<void>;
	/** Ends the look for changes that other processes make. */
	stop(): void;
}

/** Reads the lists. */
export async function openIpAllowlists(deps: OpeningDeps): Promise<IpAllowlists> {
	const { metadata, clock } = deps;
	const allowlists = await createAllowlistDirectory(deps);
	const noteAttempt = attemptLog(deps);
	return {
		metadata,
		clock,
		allowlists,
		policy: {
			hasRules: (siteId) => allowlists.get(siteId) !== undefined,
			admit: async (siteId, visit) => {
				const list = allowlists.get(siteId);
				if (list === undefined) return true;
				const decision = decide(list, visit);
				await noteAttempt(siteId, visit, decision);
				return decision.isGranted;
			},
			opens: (siteId, visit) => {
				const list = allowlists.get(siteId);
				return list === undefined || decide(list, visit).isGranted;
			},
		},
		dropOldAttempts: () => attempts.drop(metadata, { created_at: { "<": clock.now() - DAYS_KEPT * DAY_MS } }),
		stop: () => allowlists.stop(),
	};
}

/** Most entries a site and minute, counted apart for granted and denied ones: a flood of either hides none of the other. */
const MAX_A_MINUTE = 60;
const MAX_USER_AGENT = 300;

const authTypes = { session: "jwt", key: "api_key", oauth: "oauth", share: "share" } as const satisfies Record<
	SiteVisit["credential"],
	string
>;

/** Records decisions, each once a minute for a user, kind of credential, address and outcome. Never throws. */
function attemptLog({ metadata, clock, onError }: OpeningDeps) {
	let minute = 0;
	let noted = new Map<string, Set<string>>();

	function isNew(siteId: string, visit: SiteVisit, isGranted: boolean, now: number): boolean {
		const current = Math.floor(now / MINUTE_MS);
		if (current !== minute) {
			minute = current;
			noted = new Map();
		}
		const group = `${siteId} ${isGranted}`;
		const entries = noted.get(group) ?? new Set();
		noted.set(group, entries);
		const entry = `${visit.credential} ${visit.userId} ${visit.ip}`;
		if (entries.has(entry) || entries.size >= MAX_A_MINUTE) return false;
		entries.add(entry);
		return true;
	}
	return async (siteId: string, visit: SiteVisit, { isGranted, pattern }: Decision): Promise<void> => {
		const now = clock.now();
		if (!isNew(siteId, visit, isGranted, now)) return;
		await attempts
			.insert(metadata, {
				site_id: siteId,
				user_id: visit.userId,
				ip_address: canonicalIp(visit.ip) ?? "unknown",
				auth_type: authTypes[visit.credential],
				access_granted: isGranted ? 1 : 0,
				matched_pattern_id: pattern?.id ?? null,
				matched_pattern: pattern?.pattern ?? null,
				user_agent: visit.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
				created_at: now,
			})
			.catch((error: unknown) => onError?.(error));
	};
}
