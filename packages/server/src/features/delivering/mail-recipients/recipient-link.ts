import { createValueSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { LinkDeps } from "./deps.ts";

/** Whom a link is for, and which question it belongs to. */
export interface Recipient {
	readonly siteId: string;
	readonly email: string;
	readonly askedAt: number;
}

/** Neither address nor site can be read from a token, or changed. */
const sealerOf = (secrets: ServerSecrets) =>
	createValueSealer<[siteId: string, email: string, askedAt: number]>(secrets, "mail-recipients");

/** Where somebody says whether they want mails about a site. */
export const recipientLink = (deps: LinkDeps, { siteId, email, askedAt }: Recipient): string =>
	`${deps.rootUrl}/mail-recipients?token=${sealerOf(deps).seal([siteId, email, askedAt])}`;

/** Whom a token is for; undefined when this service did not make it. */
export function readRecipientToken(secrets: ServerSecrets, token: string): Recipient | undefined {
	const opened = sealerOf(secrets).open(token);
	if (opened === undefined) return undefined;
	const [siteId, email, askedAt] = opened;
	return { siteId, email, askedAt };
}
