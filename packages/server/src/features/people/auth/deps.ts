import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { Actor, ChangeDeps } from "../../auditing/audit-log/index.ts";

export interface AuthDeps extends ChangeDeps {
	readonly secretKey: string;
	/** False lets the cookies travel over plain HTTP. */
	readonly cookieSecure: boolean;
	/** Address under which browsers reach the service, when it is configured. */
	readonly publicUrl: string | undefined;
}

export interface MailingAuthDeps extends AuthDeps {
	readonly mailer: Mailer;
	/** Where links in mails lead, without a slash at the end. */
	readonly rootUrl: string;
}

/** Takes from apps what a user allowed them, within a transaction. */
export type GrantEnding = (
	trx: Metadata,
	ended: {
		readonly userId: number;
		readonly actor: Actor;
		readonly reason:
			| "the password was reset"
			| "the address was confirmed by another"
			| "the address was not confirmed"
			| "the account was deleted";
		readonly nowMs: number;
	},
) => Promise<void>;

export interface VerifyDeps extends AuthDeps {
	readonly endGrantsOf: GrantEnding;
}

/** Dependencies of resetting a password. */
export interface ResetDeps extends MailingAuthDeps, VerifyDeps {
	/** Brings back a site that was set up for a user who sets a first password late, within that transaction. */
	readonly wakeSiteOf: (trx: Metadata, userId: number, actor: Actor, nowMs: number) => Promise<void>;
	/** Refreshed when the password claims a site. */
	readonly sites: { refresh(): Promise<void> };
}
