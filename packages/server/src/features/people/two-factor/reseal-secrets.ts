import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { TwoFactorDeps } from "./deps.ts";
import { resealed } from "./sealed-secret.ts";
import { listTwoFactor, resealSecret } from "./store.ts";

/**
 * Seals every secret with the server's present secret, so that the one before it can be forgotten.
 * Answers how many cannot be opened with either.
 */
export async function resealSecrets(deps: ServerSecrets & Pick<TwoFactorDeps, "metadata">): Promise<number> {
	let lost = 0;
	for (const row of await listTwoFactor(deps.metadata)) {
		const sealedSecret = resealed(deps, row);
		if (sealedSecret === undefined) lost++;
		else if (sealedSecret !== row.sealed_secret) await resealSecret(deps.metadata, row, sealedSecret);
	}
	return lost;
}
