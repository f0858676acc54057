import { reachableSites } from "../../../access/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { belongsSomewhere, listActiveTokens, peopleOf, revokeTokenRow, siteIdsOf } from "./store.ts";

/** Revokes the keys that opened nothing but a deleted organization, which is inactive by now. */
export async function endTokensOf(metadata: Metadata, organizationId: string, nowMs: number): Promise<void> {
	const gone = new Set(await siteIdsOf(metadata, organizationId));
	for (const userId of await peopleOf(metadata, organizationId)) {
		const isElsewhere = await reachesMore(metadata, userId);
		const useless = (await listActiveTokens(metadata, userId)).filter(({ site_ids: json }) => {
			if (json === null) return !isElsewhere;
			return (JSON.parse(json) as string[]).every((id) => gone.has(id));
		});
		for (const { id } of useless) await revokeTokenRow(metadata, userId, id, nowMs);
	}
}

const reachesMore = async (metadata: Metadata, userId: number): Promise<boolean> =>
	(await belongsSomewhere(metadata, userId)) || (await reachableSites(metadata, userId)).length > 0;

/** Revokes every key of a user. */
export async function revokeTokensOf(metadata: Metadata, userId: number, nowMs: number): Promise<void> {
	for (const { id } of await listActiveTokens(metadata, userId)) await revokeTokenRow(metadata, userId, id, nowMs);
}
