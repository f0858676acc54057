import type { SiteVisit } from "../../../access/index.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { canonicalIp } from "../../../platform/lib/ip-address.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Decision } from "./address-list.ts";
import { insertAttempt } from "./store.ts";

/** Most entries a site and minute, counted apart for granted and denied ones: a flood of either hides none of the other. */
const MAX_A_MINUTE = 60;
const MAX_USER_AGENT = 300;

const authTypes = { session: "jwt", key: "api_key", oauth: "oauth", share: "share" } as const satisfies Record<
	SiteVisit["credential"],
	string
>;

/** Records who came to sites with a list. */
export interface AttemptLog {
	/** Records a decision, once a minute for each user, kind of credential, address and outcome. Never throws. */
	note(siteId: string, visit: SiteVisit, decision: Decision): Promise<void>;
}

interface AttemptLogDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** Told when an entry could not be stored: a full disk must not shut people out, nor let them in. */
	readonly onError?: (error: unknown) => void;
}

/** An attempt log that remembers the entries of the present minute. */
export function createAttemptLog({ metadata, clock, onError }: AttemptLogDeps): AttemptLog {
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
	return {
		note: async (siteId, visit, { isGranted, pattern }) => {
			const now = clock.now();
			if (!isNew(siteId, visit, isGranted, now)) return;
			await insertAttempt(metadata, {
				site_id: siteId,
				user_id: visit.userId,
				ip_address: canonicalIp(visit.ip) ?? "unknown",
				auth_type: authTypes[visit.credential],
				access_granted: isGranted ? 1 : 0,
				matched_pattern_id: pattern?.id ?? null,
				matched_pattern: pattern?.pattern ?? null,
				user_agent: visit.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
				created_at: now,
			}).catch((error: unknown) => onError?.(error));
		},
	};
}
