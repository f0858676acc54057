import { hasSuperadmin } from "../../features/people/users/index.ts";
import { listSites } from "../../features/tenancy/sites/index.ts";
import { askService } from "../ask-service.ts";
import { withKey } from "../sites-check.ts";
import { type Finding, findingsOf } from "./finding.ts";
import type { Examine } from "./patient.ts";

const MOST_SITES = 100;
const DAY_MS = 86_400_000;
const QUIET_MS = 3 * DAY_MS;
const sites = findingsOf("sites");

/** When each active site was hit last, as the service knows it. */
export const examineSites: Examine = async ({ metadata, service, clock, asksSites, answerMs: timeoutMs }) => {
	if (!asksSites || metadata === undefined || service === undefined) return [];
	const active = (await listSites(metadata, { ids: null, includeInactive: false })).slice(0, MOST_SITES);
	if (active.length === 0) return [sites.note("There is no active site yet", "footfall sites create")];
	if (!(await hasSuperadmin(metadata)))
		return [sites.note("There is no superadmin to ask for", "footfall users create --superadmin")];
	const ids = active.map(({ id }) => id);
	return withKey(metadata, ids, "footfall doctor", async (key) => {
		const found: Finding[] = [];
		for (const id of ids) {
			const { status, body } = await askService(`${service.address}/api/v1/sites/${id}/pixel/status`, {
				headers: { "x-api-key": key },
				timeoutMs,
			});
			if (status === 200) found.push(describe(id, Object(JSON.parse(body)).data?.last_hit_at, clock.now()));
		}
		return found;
	});
};

function describe(id: string, lastHitAt: unknown, now: number): Finding {
	const fix = `footfall sites check ${id} says whether hits are turned away`;
	if (typeof lastHitAt !== "string") return sites.note(`${id}: no hit was ever stored`, fix);
	const ago = now - Date.parse(lastHitAt);
	const message = `${id}: the last hit was stored ${describeAgo(ago)} ago`;
	return ago > QUIET_MS ? sites.warning(message, fix) : sites.ok(message);
}

function describeAgo(ms: number): string {
	if (ms < 2 * 3_600_000) return `${Math.max(0, Math.round(ms / 60_000))} minutes`;
	return ms < 2 * DAY_MS ? `${Math.round(ms / 3_600_000)} hours` : `${Math.round(ms / DAY_MS)} days`;
}
