import { type KeyScope, reachableSites } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { randomAlphanumeric } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, type ChangeDeps, recordAudit } from "../../auditing/audit-log/index.ts";
import { lockUser } from "../users/index.ts";
import {
	belongsSomewhere,
	findToken,
	insertToken,
	listActiveTokens,
	listTokens,
	peopleOf,
	revokeTokenRow,
	siteIdsOf,
	type TokenRow,
} from "./store.ts";

const PREFIX = "svc_";
const RANDOM_LENGTH = 60;
const SHOWN_LENGTH = 8;
const MAX_ACTIVE = 50;

interface NewToken {
	readonly name: string;
	readonly scopes: readonly KeyScope[];
	/** Slugs; null = every site that the owner reaches, now and later. */
	readonly siteIds: readonly string[] | null;
	/** Null = never. */
	readonly expiresInDays: number | null;
}

interface TokenOwner {
	readonly userId: number;
	readonly actor: Actor;
}

/**
 * Makes a key; `value` is the only time that it can be seen.
 * Throws `forbidden` for a site out of the owner's reach and `conflict` beyond 50 active keys.
 */
export async function createToken(
	deps: ChangeDeps,
	owner: TokenOwner,
	input: NewToken,
): Promise<{ row: TokenRow; value: string }> {
	return deps.metadata.transaction().execute((metadata) => addToken({ ...deps, metadata }, owner, input));
}

/** The same within a transaction of the caller. */
export async function addToken(
	{ metadata, clock }: ChangeDeps,
	{ userId, actor }: TokenOwner,
	input: NewToken,
): Promise<{ row: TokenRow; value: string }> {
	// Of two at once, the second counts the first.
	await lockUser(metadata, userId);
	const now = clock.now();
	const value = PREFIX + randomAlphanumeric(RANDOM_LENGTH);
	const siteIds = input.siteIds === null ? null : [...new Set(input.siteIds)];
	await checkReach(metadata, userId, siteIds ?? []);
	const row = await insertToken(metadata, {
		user_id: userId,
		name: input.name,
		token_hash: sha256Hex(value),
		token_prefix: value.slice(0, SHOWN_LENGTH),
		scopes: JSON.stringify([...new Set(input.scopes)]),
		site_ids: siteIds === null ? null : JSON.stringify(siteIds),
		expires_at: input.expiresInDays === null ? null : now + input.expiresInDays * DAY_MS,
		last_used_at: null,
		revoked_at: null,
		created_at: now,
	});
	const active = await listTokens(metadata, userId, { includeInactive: false, nowMs: now });
	if (active.length > MAX_ACTIVE) {
		throw new ServiceError("conflict", { message: `At most ${MAX_ACTIVE} active tokens` });
	}
	const { name, expires_at: expiresAt } = row;
	const details = { name, scopes: input.scopes, all_sites: siteIds === null, expires_at: expiresAt };
	await recordAudit(metadata, actor, { action: "token.created", resourceId: row.id, details }, now);
	return { row, value };
}

async function checkReach(metadata: Metadata, userId: number, siteIds: readonly string[]): Promise<void> {
	if (siteIds.length === 0) return;
	const reach = new Set((await reachableSites(metadata, userId)).map(({ id }) => id));
	const outside = siteIds.find((id) => !reach.has(id));
	if (outside !== undefined) throw new ServiceError("forbidden", { message: `Access denied to account: ${outside}` });
}

/** Revokes a key of the owner; a second time it changes nothing. Throws `not_found`. */
export async function revokeToken(deps: ChangeDeps, { userId, actor }: TokenOwner, tokenId: number): Promise<TokenRow> {
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		const isRevoked = await revokeTokenRow(metadata, userId, tokenId, now);
		const row = await findToken(metadata, userId, tokenId);
		if (row === undefined) throw new ServiceError("not_found", { message: "API token not found" });
		const entry = { action: "token.revoked", resourceId: tokenId, details: { name: row.name } } as const;
		if (isRevoked) await recordAudit(metadata, actor, entry, now);
		return row;
	});
}

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

export async function revokeTokensOf(metadata: Metadata, userId: number, nowMs: number): Promise<void> {
	for (const { id } of await listActiveTokens(metadata, userId)) await revokeTokenRow(metadata, userId, id, nowMs);
}
