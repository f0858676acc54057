import { findClickIds } from "../../../analytics/attribution/click-ids.ts";
import { parseQuery } from "../../../analytics/attribution/page-address.ts";
import { after, all } from "./after.ts";
import type { CollectContext, Outcome } from "./collect-context.ts";
import type { Hit } from "./hit.ts";

/** Finds the click ids of the address, and which of them the site has seen lately. */
export function recallClickIds(hit: Hit, { sessions }: CollectContext): Outcome | Promise<Outcome> {
	if (hit.page.query === "") return undefined;
	const clickIds = findClickIds(parseQuery(hit.page.query)).map(({ value }) => value);
	if (clickIds.length === 0) return undefined;
	hit.clickIds = clickIds;
	const answers = clickIds.map((id) => sessions.isClickIdSeen(hit.site.id, id, hit.request.receivedAt));
	return after(all(answers), (seen): Outcome => {
		hit.seenClickIds = new Set(clickIds.filter((_, index) => seen[index]));
		return undefined;
	});
}

/** Notes the click ids as seen now. */
export function rememberClickIds(hit: Hit, { sessions }: CollectContext): Outcome | Promise<Outcome> {
	const { clickIds } = hit;
	if (clickIds.length === 0) return undefined;
	const answers = clickIds.map((id) => sessions.rememberClickId(hit.site.id, id, hit.request.receivedAt));
	return after(all(answers), (noted): Outcome => {
		hit.notedClickIds = clickIds.filter((_, index) => noted[index]);
		return undefined;
	});
}
