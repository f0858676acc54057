import type { Answer } from "../../api/client.ts";

type Status = Pick<Answer<"GET /sites/{id}/pixel/status">, "last_hit_at" | "last_script_request_at">;
type Rejections = Pick<
	Answer<"GET /sites/{id}/pixel/rejections">,
	"accepted" | "rejected" | "reasons" | "window_minutes"
>;

/** How far hits come. A step that nothing is known of is as good as one that waits. */
export interface Diagnosis {
	readonly script: boolean;
	readonly received: boolean;
	readonly accepted: boolean;
	readonly causes: readonly Cause[];
}

/** Why hits are rejected, or lose a part. */
export interface Cause {
	readonly reason: string;
	readonly count: number;
	/** True for accepted hits, of which a part does not count. */
	readonly isCounted?: true;
	/** Hosts whose pages sent them, and that are not allowed yet; the most frequent first. */
	readonly hosts: readonly string[];
}

/** True for a moment within the last minutes. */
const isWithin = (moment: string | null | undefined, minutes: number, now: number): boolean =>
	moment !== null && moment !== undefined && now - Date.parse(moment) < minutes * 60_000;

/**
 * Derives the state of the installation from the collector's counts. Rejected domains that are allowed by now are
 * skipped.
 */
export function diagnose(
	status: Status,
	{ accepted: counted, rejected, reasons, window_minutes: minutes }: Rejections,
	{ domains, now }: { readonly domains: readonly string[]; readonly now: number },
): Diagnosis {
	const accepted = counted > 0 || isWithin(status.last_hit_at, minutes, now);
	const received = accepted || rejected > 0;
	const script = received || isWithin(status.last_script_request_at, minutes, now);
	return { script, received, accepted, causes: reasons.flatMap((reason) => causeOf(reason, domains)) };
}

function causeOf(
	{ reason, count, counted, origins }: Rejections["reasons"][number],
	domains: readonly string[],
): Cause[] {
	if (reason !== "invalid_domain") return [{ reason, count, ...(counted && { isCounted: true }), hosts: [] }];
	const hosts = [...new Set(origins.flatMap(({ origin }) => hostOf(origin)))];
	const open = hosts.filter((host) => !isAllowed(host, domains));
	return hosts.length > 0 && open.length === 0 ? [] : [{ reason, count, hosts: open }];
}

const hostOf = (origin: string): string[] => (URL.canParse(origin) ? [new URL(origin).hostname] : []).filter(Boolean);

/** True for a domain of the list and what lies below it; without a list every domain is allowed. */
export function isAllowed(host: string, domains: readonly string[]): boolean {
	const plain = host.replace(/^www\./, "");
	return domains.length === 0 || domains.some((domain) => plain === domain || plain.endsWith(`.${domain}`));
}
