import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";

export interface OAuthDeps extends ChangeDeps {
	/** The address of the service, which is the issuer's name too; without a slash at its end. */
	readonly rootUrl: string;
	readonly mailer: Mailer;
}

export interface OAuthClientDeps extends OAuthDeps {
	/** The way to the documents that apps are described by. */
	readonly guardedFetch: Pick<GuardedFetch, "urlFault" | "send">;
}
