import { systemActor } from "../features/auditing/audit-log/index.ts";
import { createToken, revokeToken } from "../features/people/api-tokens/index.ts";
import { ConfigError } from "../platform/config/config.ts";
import { systemClock } from "../platform/lib/clock.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { siteNamed, siteOwner } from "./arguments.ts";
import { askService } from "./ask-service.ts";
import { type Output, print } from "./print-records.ts";
import { serviceOn } from "./settle-settings.ts";
import type { Around } from "./with-metadata.ts";

const MINUTES = 1440;

/** `footfall sites check`: whether hits arrive, and why others were turned away. */
export async function checkSite({ metadata, config }: Around, id: string, options: Output): Promise<void> {
	const site = await siteNamed(metadata, id);
	const service = serviceOn(process.env, config.dataDir);
	if (service === undefined) {
		throw new ConfigError(`No service is running on ${config.dataDir}: start it, as it counts rejected hits`);
	}
	const [status, rejections] = await withKey(metadata, [id], "footfall sites check", async (key) => {
		const ask = <T>(path: string) => readAnswer<T>(`${service.address}/api/v1/sites/${id}/pixel/${path}`, key);
		return [await ask<PixelStatus>("status"), await ask<Rejections>(`rejections?minutes=${MINUTES}`)];
	});
	const text = describeArrivals(id, site.is_active === 1, status, rejections);
	print(options, { ...status, ...rejections }, text);
}

/** A key that lives as long as the questions that are asked with it. */
export async function withKey<T>(
	metadata: Metadata,
	siteIds: readonly string[],
	name: string,
	ask: (key: string) => Promise<T>,
): Promise<T> {
	const deps = { metadata, clock: systemClock };
	const owner = { userId: (await siteOwner(metadata)).id, actor: systemActor };
	const wanted = { name, scopes: ["sites:read"], siteIds: [...siteIds], expiresInDays: 1 } as const;
	const { row, value } = await createToken(deps, owner, wanted);
	try {
		return await ask(value);
	} finally {
		await revokeToken(deps, owner, row.id);
	}
}

async function readAnswer<T>(url: string, key: string): Promise<T> {
	const { status, body } = await askService(url, { headers: { "x-api-key": key } });
	const answer = Object(JSON.parse(body));
	if (status >= 400) throw new Error(`The service answered ${status}: ${answer.error?.message}`);
	return answer.data as T;
}

interface PixelStatus {
	readonly last_hit_at: string | null;
	readonly total_hits: number;
	readonly script_requests: number;
	readonly last_script_request_at: string | null;
}

interface Rejections {
	readonly available: boolean;
	readonly accepted: number;
	readonly rejected: number;
	readonly reasons: readonly {
		readonly reason: string;
		readonly count: number;
		readonly origins: readonly { readonly origin: string; readonly count: number }[];
	}[];
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

export function describeArrivals(id: string, isActive: boolean, status: PixelStatus, rejections: Rejections): string {
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
