import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { deriveKey } from "../../../platform/lib/crypto.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

const noted = tableOf("server_secrets");

/** How a secret compares with the noted ones; `next`: it follows on the present one, which `SECRET_KEY_PREVIOUS` names. */
export type SecretMatch = "present" | "next" | "earlier" | "first" | "other";

/** Compares the secret of this process with those that were noted in the accounts. */
export async function compareSecret(metadata: Metadata, secrets: ServerSecrets): Promise<SecretMatch> {
	const rows = await noted.list(metadata, {}, "noted_at desc", "fingerprint");
	const [present, ...earlier] = rows.map(({ fingerprint }) => fingerprint);
	const own = fingerprintOf(secrets.secretKey);
	if (present === undefined) return "first";
	if (present === own) return "present";
	const { secretKeyPrevious } = secrets;
	if (secretKeyPrevious !== undefined && present === fingerprintOf(secretKeyPrevious)) return "next";
	return earlier.includes(own) ? "earlier" : "other";
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
	const row = { fingerprint: fingerprintOf(secretKey), noted_at: nowMs };
	await noted.upsert(metadata, row, ["fingerprint"], { noted_at: nowMs });
}

const fingerprintOf = (secretKey: string): string => deriveKey(secretKey, "fingerprint").toString("base64url");
