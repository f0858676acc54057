import { createSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ServiceAccount } from "./google/service-account.ts";
import { type IntegrationRow, replaceSealedKey, selectSealedKeys } from "./store.ts";

/** Keys are those of sites, so that one copied to another site stays shut. */
const sealerOf = (secrets: ServerSecrets) => createSealer(secrets, "bigquery");

/** A service account's key as it is stored. */
export const sealKey = (secrets: ServerSecrets, siteId: string, account: ServiceAccount): string =>
	sealerOf(secrets).seal(siteId, JSON.stringify(account));

/** The key that was sealed; undefined when neither of the server's secrets opens it. */
export function openKey(
	secrets: ServerSecrets,
	{ site_id: siteId, sealed_key: sealed }: Pick<IntegrationRow, "site_id" | "sealed_key">,
): ServiceAccount | undefined {
	const text = sealerOf(secrets).open(siteId, sealed);
	return text === undefined ? undefined : (JSON.parse(text) as ServiceAccount);
}

/**
 * Seals all keys with the server's present secret, so that the one before it can be forgotten. Answers how many cannot be
 * opened with either.
 */
export async function resealKeys(deps: ServerSecrets & { readonly metadata: Metadata }): Promise<number> {
	let lost = 0;
	for (const row of await selectSealedKeys(deps.metadata)) {
		const sealed = sealerOf(deps).reseal(row.site_id, row.sealed_key);
		if (sealed === undefined) lost++;
		else if (sealed !== row.sealed_key) await replaceSealedKey(deps.metadata, row, sealed);
	}
	return lost;
}
