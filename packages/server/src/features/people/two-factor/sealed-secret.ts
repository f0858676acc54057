import { createSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";

interface SealedRow {
	readonly user_id: number;
	readonly sealed_secret: string;
}

const sealerOf = (secrets: ServerSecrets) => createSealer(secrets, "two-factor");

/** A user's secret as it is stored. */
export const sealSecret = (secrets: ServerSecrets, userId: number, secret: string): string =>
	sealerOf(secrets).seal(userId, secret);

/** The secret that was stored, be it with the server's present secret or the one before. */
export function openSecret(secrets: ServerSecrets, row: SealedRow): string {
	const secret = sealerOf(secrets).open(row.user_id, row.sealed_secret);
	if (secret === undefined) throw new Error("A second factor was sealed with another SECRET_KEY");
	return secret;
}

/** The same secret encrypted with the server's current secret; undefined when it cannot be decrypted. */
export const resealed = (secrets: ServerSecrets, row: SealedRow): string | undefined =>
	sealerOf(secrets).reseal(row.user_id, row.sealed_secret);
