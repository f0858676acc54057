import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import type { AuthDeps, Registration } from "../../people/auth/index.ts";

export interface InvitationDeps extends ChangeDeps {
	readonly mailer: Mailer;
	/** Where links in mails lead; without a slash at its end. */
	readonly rootUrl: string;
	/** Keys the hashes by which invitations to an address are counted. */
	readonly secretKey: string;
}

export interface InvitationRouteDeps extends InvitationDeps, AuthDeps {
	readonly registration: Registration;
}
