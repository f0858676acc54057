import { createValueSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";

/** Recipient and site of reports. */
export interface Subscription {
	readonly siteId: string;
	readonly email: string;
}

/** Neither address nor site can be read from a token, or changed. */
const sealerOf = (secrets: ServerSecrets) =>
	createValueSealer<[siteId: string, email: string]>(secrets, "mail-reports");

/** The subscription that a token is for; undefined when this service did not make it. */
export function readUnsubscribeToken(secrets: ServerSecrets, token: string): Subscription | undefined {
	const opened = sealerOf(secrets).open(token);
	if (opened === undefined) return undefined;
	const [siteId, email] = opened;
	return { siteId, email };
}

/** Where a subscription is ended. */
export const unsubscribeUrl = (
	deps: ServerSecrets & { readonly rootUrl: string },
	{ siteId, email }: Subscription,
): string => `${deps.rootUrl}/mail-reports/unsubscribe?token=${sealerOf(deps).seal([siteId, email])}`;
