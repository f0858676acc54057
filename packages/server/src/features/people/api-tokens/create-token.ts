import { type KeyScope, reachableSites } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { randomAlphanumeric } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { lockUser } from "../users/index.ts";
import { insertToken, listTokens, type TokenRow } from "./store.ts";

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

/** Owner of API keys, and the author of a change. */
export interface TokenOwner {
	readonly userId: number;
	readonly actor: Actor;
}

/**
 * Makes a key; `value` is the only time that it can be seen.
 * Throws `forbidden` for a site out of the owner's reach and `conflict` beyond 50 active keys.
 */
export async function createToken(
	deps: { metadata: Metadata; clock: Clock },
	owner: TokenOwner,
	input: NewToken,
): Promise<{ row: TokenRow; value: string }> {
	return deps.metadata.transaction().execute((metadata) => addToken({ ...deps, metadata }, owner, input));
}

/** The same within a transaction of the caller. */
export async function addToken(
	{ metadata, clock }: { metadata: Metadata; clock: Clock },
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
