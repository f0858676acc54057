import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { AuthDeps } from "../auth/index.ts";

/** What this slice needs. */
export interface TwoFactorDeps extends AuthDeps {
	/** The secret before `secretKey`, while an operator changes it. */
	readonly secretKeyPrevious: string | undefined;
	readonly mailer: Mailer;
}
