import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { AuthDeps, Registration } from "../../people/auth/index.ts";

export interface InvitationDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly mailer: Mailer;
	/** Where links in mails lead; without a slash at its end. */
	readonly rootUrl: string;
	/** Keys the hashes by which invitations to an address are counted. */
	readonly secretKey: string;
}

/** Additional dependencies of the routes: accepting signs in. */
export interface InvitationRouteDeps extends InvitationDeps, AuthDeps {
	readonly registration: Registration;
}
