import { ApiError } from "../../../platform/http/api-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findToken, revokeTokenRow, type TokenRow } from "./store.ts";

/** Revokes a key of the owner; a second time it changes nothing. Throws `not_found`. */
export async function revokeToken(
	deps: { metadata: Metadata; clock: Clock },
	userId: number,
	tokenId: number,
): Promise<TokenRow> {
	await revokeTokenRow(deps.metadata, userId, tokenId, deps.clock.now());
	const row = await findToken(deps.metadata, userId, tokenId);
	if (row === undefined) throw new ApiError("not_found", { message: "API token not found" });
	return row;
}
