import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { deriveKey } from "../../../platform/lib/crypto.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** How a secret compares with the noted ones; `next`: it follows on the present one, which `SECRET_KEY_PREVIOUS` names. */
export type SecretMatch = "present" | "next" | "earlier" | "first" | "other";

/** Compares the secret of this process with those that were noted in the accounts. */
export async function compareSecret(metadata: Metadata, secrets: ServerSecrets): Promise<SecretMatch> {
	const noted = await selectFingerprints(metadata);
	const own = fingerprintOf(secrets.secretKey);
	if (noted.length === 0) return "first";
	if (noted[0] === own) return "present";
	const { secretKeyPrevious } = secrets;
	if (secretKeyPrevious !== undefined && noted[0] === fingerprintOf(secretKeyPrevious)) return "next";
	return noted.includes(own) ? "earlier" : "other";
}

/** Compares as `compareSecret` does, and notes a first secret and one that follows on the present one. */
export async function noteSecret(metadata: Metadata, secrets: ServerSecrets, nowMs: number): Promise<SecretMatch> {
	const match = await compareSecret(metadata, secrets);
	if (match !== "first" && match !== "next") return match;
	await acceptSecret(metadata, secrets.secretKey, nowMs);
	// Two processes may have found no secret at the same moment.
	return match === "first" ? compareSecret(metadata, secrets) : match;
}

/** Makes a secret the present one, whatever was noted before. */
export async function acceptSecret(metadata: Metadata, secretKey: string, nowMs: number): Promise<void> {
	await tables(metadata)
		.insertInto("server_secrets")
		.values({ fingerprint: fingerprintOf(secretKey), noted_at: nowMs })
		.onConflict((conflict) => conflict.column("fingerprint").doUpdateSet({ noted_at: nowMs }))
		.execute();
}

const fingerprintOf = (secretKey: string): string => deriveKey(secretKey, "fingerprint").toString("base64url");

/** Fingerprints that were noted, the present one first. */
async function selectFingerprints(metadata: Metadata): Promise<readonly string[]> {
	const rows = await tables(metadata)
		.selectFrom("server_secrets")
		.select("fingerprint")
		.orderBy("noted_at", "desc")
		.orderBy("fingerprint")
		.execute();
	return rows.map(({ fingerprint }) => fingerprint);
}
