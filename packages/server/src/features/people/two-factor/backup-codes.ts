import { hmacHex } from "../../../platform/lib/crypto.ts";
import { randomLowerAlphanumeric } from "../../../platform/lib/ids.ts";

const COUNT = 10;
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** New codes for the case that the phone is lost: `xxxx-xxxx-xxxx`. */
export const newBackupCodes = (): string[] =>
	Array.from({ length: COUNT }, () =>
		Array.from({ length: GROUPS }, () => randomLowerAlphanumeric(GROUP_LENGTH)).join("-"),
	);

/**
 * The stored form of a code. It is keyed with the user's own secret, which is sealed at rest, so that stolen tables do not
 * let anybody try codes. Case, blanks and dashes do not count.
 */
export const hashBackupCode = (secret: string, code: string): string =>
	hmacHex(secret, code.toLowerCase().replace(/[\s-]/g, ""));
