import { deriveKey, seal, unseal } from "../../../platform/lib/crypto.ts";
import type { MailReportDeps } from "./deps.ts";

type Secrets = Pick<MailReportDeps, "secretKey" | "secretKeyPrevious">;

/** Who gets the reports of which site. */
export interface Subscription {
	readonly siteId: string;
	readonly email: string;
}

const keyOf = (secret: string): Buffer => deriveKey(secret, "mail-reports");

/** A token that ends a subscription; neither address nor site can be read from it, or changed. */
const unsubscribeToken = ({ secretKey }: Secrets, { siteId, email }: Subscription): string =>
	seal(keyOf(secretKey), JSON.stringify([siteId, email]));

/** The subscription that a token is for; undefined when this service did not make it. */
export function readUnsubscribeToken(
	{ secretKey, secretKeyPrevious }: Secrets,
	token: string,
): Subscription | undefined {
	for (const secret of [secretKey, secretKeyPrevious]) {
		const text = secret === undefined ? undefined : unseal(keyOf(secret), token);
		if (text === undefined) continue;
		const [siteId, email] = JSON.parse(text) as [string, string];
		return { siteId, email };
	}
	return undefined;
}

/** Where a subscription is ended. */
export const unsubscribeUrl = (deps: Secrets & Pick<MailReportDeps, "rootUrl">, subscription: Subscription): string =>
	`${deps.rootUrl}/mail-reports/unsubscribe?token=${unsubscribeToken(deps, subscription)}`;
