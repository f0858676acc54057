import { deriveKey, seal, unseal } from "../../../platform/lib/crypto.ts";
import type { TwoFactorDeps } from "./deps.ts";

type Secrets = Pick<TwoFactorDeps, "secretKey" | "secretKeyPrevious">;

interface SealedRow {
	readonly user_id: number;
	readonly sealed_secret: string;
}

/** A key for each user, so that a sealed secret copied to another user's row stays shut. */
const keyFor = (secretKey: string, userId: number): Uint8Array => deriveKey(secretKey, `two-factor ${userId}`);

/** A user's secret as it is stored. */
export const sealSecret = ({ secretKey }: Secrets, userId: number, secret: string): string =>
	seal(keyFor(secretKey, userId), secret);

/** The secret that was stored, be it with the server's present secret or the one before. */
export function openSecret(deps: Secrets, row: SealedRow): string {
	const secret = unsealedWith(deps.secretKey, row) ?? unsealedWith(deps.secretKeyPrevious, row);
	if (secret === undefined) throw new Error("A second factor was sealed with another SECRET_KEY");
	return secret;
}

/** The same secret sealed with the server's present secret: null = it is already, undefined = nobody can open it. */
export function resealed(deps: Secrets, row: SealedRow): string | null | undefined {
	if (unsealedWith(deps.secretKey, row) !== undefined) return null;
	const secret = unsealedWith(deps.secretKeyPrevious, row);
	return secret === undefined ? undefined : sealSecret(deps, row.user_id, secret);
}

const unsealedWith = (secretKey: string | undefined, row: SealedRow): string | undefined =>
	secretKey === undefined ? undefined : unseal(keyFor(secretKey, row.user_id), row.sealed_secret);
