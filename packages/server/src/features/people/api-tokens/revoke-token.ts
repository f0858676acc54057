import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { recordAudit } from "../../auditing/audit-log/index.ts";
import type { TokenOwner } from "./create-token.ts";
import { findToken, revokeTokenRow, type TokenRow } from "./store.ts";

/** Revokes a key of the owner; a second time it changes nothing. Throws `not_found`. */
export async function revokeToken(
	deps: { metadata: Metadata; clock: Clock },
	{ userId, actor }: TokenOwner,
	tokenId: number,
): Promise<TokenRow> {
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
