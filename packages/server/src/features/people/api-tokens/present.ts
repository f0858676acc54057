import { keyScopes, type ReachableSite } from "../../../access/index.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { TokenRow } from "./store.ts";

function parseTexts(json: string): readonly unknown[] {
	const value: unknown = JSON.parse(json);
	return Array.isArray(value) ? value : [];
}

/** A key on the wire; `reach` holds the sites that its owner reaches now. */
export function presentToken(row: TokenRow, reach: readonly ReachableSite[], nowMs: number) {
	const scopes = parseTexts(row.scopes);
	const restricted = row.site_ids === null ? null : new Set(parseTexts(row.site_ids));
	const isExpired = row.expires_at !== null && row.expires_at <= nowMs;
	return {
		id: row.id,
		name: row.name,
		token_prefix: row.token_prefix,
		scopes: keyScopes.filter((scope) => scopes.includes(scope)),
		account_ids: reach.map(({ id }) => id).filter((id) => restricted === null || restricted.has(id)),
		all_sites: restricted === null,
		expires_at: timestampOrNull(row.expires_at),
		last_used_at: timestampOrNull(row.last_used_at),
		is_active: row.revoked_at === null && !isExpired,
		revoked_at: timestampOrNull(row.revoked_at),
		created_at: timestamp(row.created_at),
	};
}
