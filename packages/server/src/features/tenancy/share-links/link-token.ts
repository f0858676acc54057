import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { randomToken } from "../../../platform/lib/ids.ts";
import { createSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { LinkRow } from "./store.ts";

/** Characters of the token by which people tell their links apart. */
const SHOWN_LENGTH = 6;

const sealerOf = (secrets: ServerSecrets) => createSealer(secrets, "share link");

/** The columns of a new token: it is looked up by its hash, and read again from what is sealed. */
export function newToken(secrets: ServerSecrets, id: string) {
	const token = randomToken();
	return {
		token_hash: sha256Hex(token),
		token_prefix: token.slice(0, SHOWN_LENGTH),
		sealed_token: sealerOf(secrets).seal(id, token),
	};
}

/** The address of a link; null where it was made before addresses were kept, or sealed with a secret that is gone. */
export function addressOf(deps: ServerSecrets & { readonly rootUrl: string }, row: LinkRow): string | null {
	const token = row.sealed_token === null ? undefined : sealerOf(deps).open(row.id, row.sealed_token);
	return token === undefined ? null : `${deps.rootUrl}/share/${token}`;
}
