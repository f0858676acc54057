import { deriveKey, seal, unseal } from "../../../platform/lib/crypto.ts";
import type { LinkDeps } from "./deps.ts";

/** Whom a link is for, and which question it belongs to. */
export interface Recipient {
	readonly siteId: string;
	readonly email: string;
	readonly askedAt: number;
}

const keyOf = (secret: string): Buffer => deriveKey(secret, "mail-recipients");

/** Where somebody says whether they want mails about a site; neither address nor site can be read from it, or changed. */
export function recipientLink({ rootUrl, secretKey }: LinkDeps, { siteId, email, askedAt }: Recipient): string {
	const token = seal(keyOf(secretKey), JSON.stringify([siteId, email, askedAt]));
	return `${rootUrl}/mail-recipients?token=${token}`;
}

/** Whom a token is for; undefined when this service did not make it. */
export function readRecipientToken(
	{ secretKey, secretKeyPrevious }: Pick<LinkDeps, "secretKey" | "secretKeyPrevious">,
	token: string,
): Recipient | undefined {
	for (const secret of [secretKey, secretKeyPrevious]) {
		const text = secret === undefined ? undefined : unseal(keyOf(secret), token);
		if (text === undefined) continue;
		const [siteId, email, askedAt] = JSON.parse(text) as [string, string, number];
		return { siteId, email, askedAt };
	}
	return undefined;
}
