import { sha256Hex } from "../../../../platform/lib/crypto.ts";

/**
 * Owner of a token when there is no account to mail it to. The work is done all the same, as a quicker answer would
 * reveal that. 256 owners keep such tokens few and avoid contention.
 */
export const decoyOwner = (email: string): string => `nobody-${sha256Hex(email).slice(0, 2)}`;
