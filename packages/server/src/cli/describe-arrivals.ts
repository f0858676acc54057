/** The answer of `GET /sites/{id}/pixel/status`, as far as it is shown. */
export interface PixelStatus {
	readonly last_hit_at: string | null;
	readonly total_hits: number;
	readonly script_requests: number;
	readonly last_script_request_at: string | null;
}

/** The answer of `GET /sites/{id}/pixel/rejections`, as far as it is shown. */
export interface Rejections {
	readonly available: boolean;
	readonly accepted: number;
	readonly rejected: number;
	readonly reasons: readonly {
		readonly reason: string;
		readonly count: number;
		readonly origins: readonly { readonly origin: string; readonly count: number }[];
	}[];
}

interface Arrivals {
	readonly id: string;
	readonly isActive: boolean;
	readonly status: PixelStatus;
	readonly rejections: Rejections;
}

/** Remedy of an operator for each reason; `SITE` stands for the site's id. */
const meanings: Readonly<Record<string, string>> = {
	invalid_json: "the body is not a hit: another program, or a damaged request",
	invalid_account: "no active site has the id of the script tag",
	invalid_domain:
		"the page's host is not one of the site's domains: add it with `footfall sites domains SITE --add HOST`; pages opened as files have no host",
	invalid_token: "the script was older than an hour and a day, or was copied: load /t.js from this service",
	blocklist_ip: "the sender's address is on the site's blocklist",
	rate_limit: "too many hits from one address: if the service is behind a proxy, TRUST_PROXY is missing or wrong",
	quota_exceeded: "the organization's plan has no events left",
	invalid_amount: "accepted, but the amount of the conversion cannot be read and counts as 0",
	other_currency: "the currency of the conversion is not that of the site",
};

/** Whether hits arrive and why others do not, for people. */
export function describeArrivals({ id, isActive, status, rejections }: Arrivals): string {
	return [
		...(isActive ? [] : [`The site is inactive and does not collect: \`footfall sites activate ${id}\``]),
		status.last_hit_at === null
			? "No hits stored yet."
			: `Stored in the last 14 days: ${status.total_hits}; last hit at ${status.last_hit_at}`,
		...lastDay(id, status, rejections),
	].join("\n");
}

function lastDay(id: string, status: PixelStatus, { available, accepted, rejected, reasons }: Rejections): string[] {
	if (!available) return ["This process does not collect hits: ask a collector about rejected hits."];
	const counts = `Since the service started, or in the last day: ${accepted} accepted, ${rejected} rejected`;
	if (accepted + rejected === 0) {
		return [counts, whyNothing(status)];
	}
	return [counts, ...reasons.flatMap((entry) => describeReason(id, entry))];
}

const whyNothing = ({ script_requests: count, last_script_request_at: last }: PixelStatus): string =>
	count === 0
		? "No hits and no requests for the script (/t.js): is the tag in the page?"
		: `No hits, but ${count} requests for the script, last at ${last}: does the page's content security policy or your browser block it?`;

function describeReason(id: string, { reason, count, origins }: Rejections["reasons"][number]): string[] {
	const meaning = meanings[reason]?.replace("SITE", id);
	const from = origins.map(({ origin, count: hits }) => `${origin} (${hits})`).join(", ");
	return [
		`  ${count} ${reason}${meaning === undefined ? "" : `: ${meaning}`}`,
		...(from === "" ? [] : [`    from ${from}`]),
	];
}
