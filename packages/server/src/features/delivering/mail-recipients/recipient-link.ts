import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { createValueSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";

export interface LinkDeps extends ServerSecrets {
	/** The address that links in mails lead to. */
	readonly rootUrl: string;
}

export interface SiteMailDeps extends LinkDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly jobs: Jobs;
	readonly mailer: Mailer;
	readonly sites: Pick<SiteDirectory, "get">;
}

/** The receiver of a link, and the time of the question that it answers. */
export interface Recipient {
	readonly siteId: string;
	readonly email: string;
	readonly askedAt: number;
}

/** Neither address nor site can be read from a token, or changed. */
const sealerOf = (secrets: ServerSecrets) =>
	createValueSealer<[siteId: string, email: string, askedAt: number]>(secrets, "mail-recipients");

export const recipientLink = (deps: LinkDeps, { siteId, email, askedAt }: Recipient): string =>
	`${deps.rootUrl}/mail-recipients?token=${sealerOf(deps).seal([siteId, email, askedAt])}`;

/** Undefined for a token that this service did not make. */
export function readRecipientToken(secrets: ServerSecrets, token: string): Recipient | undefined {
	const opened = sealerOf(secrets).open(token);
	if (opened === undefined) return undefined;
	const [siteId, email, askedAt] = opened;
	return { siteId, email, askedAt };
}
