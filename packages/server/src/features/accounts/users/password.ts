import { hash, verify } from "@node-rs/argon2";

/** Argon2id with 19 MiB, two passes and one lane: the OWASP minimum. Each hash records its own parameters. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const recorded = "$argon2id$v=19$m=19456,t=2,p=1$";

/** The stored form of a password, with its parameters (PHC string); blanks at both ends do not count. */
export const hashPassword = (password: string): Promise<string> => hash(password.trim(), parameters);

let decoy: Promise<string> | undefined;

/** True when the password is the stored one. Without a stored hash it costs the same time and is always false. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
	decoy ??= hashPassword("no account has this password");
	const matches = await verify(stored ?? (await decoy), password.trim());
	return matches && stored !== null && stored !== undefined;
}

/** True when a hash was made with other parameters than today's, so that the next sign-in should renew it. */
export const needsRehash = (stored: string): boolean => !stored.startsWith(recorded);
