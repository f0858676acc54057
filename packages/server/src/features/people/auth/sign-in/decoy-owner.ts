import { sha256Hex } from "../../../../platform/lib/crypto.ts";

/**
 * Whose token it is when there is nobody to mail one to, and the work is done all the same: a quicker answer would tell that.
 * The 256 owners keep such tokens few, and requests at once out of each other's way.
 */
export const decoyOwner = (email: string): string => `nobody-${sha256Hex(email).slice(0, 2)}`;
