import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { createLane } from "../../../platform/lib/lane.ts";

/** Argon2id with 19 MiB, two passes and one lane: the OWASP minimum. Each hash records its own parameters. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const recorded = "$argon2id$v=19$m=19456,t=2,p=1$";

// Hashing keeps a processor busy: concurrent sign-ins take at most half of them and queue for the rest.
const processors = createLane(Math.max(1, Math.floor(availableParallelism() / 2)));

/** The stored form of a password, with its parameters (PHC string); blanks at both ends do not count. */
export const hashPassword = (password: string): Promise<string> =>
	processors.run(() => hash(password.trim(), parameters));

let decoy: Promise<string> | undefined;

/** True when the password is the stored one. Without a stored hash it costs the same time and is always false. */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
	decoy ??= hashPassword("no account has this password");
	const against = stored ?? (await decoy);
	const matches = await processors.run(() => verify(against, password.trim()));
	return matches && stored !== null && stored !== undefined;
}

/** True when a hash was made with other parameters than today's, so that the next sign-in should renew it. */
export const needsRehash = (stored: string): boolean => !stored.startsWith(recorded);
