import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { AuthDeps } from "../auth/index.ts";

/** What this slice needs. */
export interface TwoFactorDeps extends AuthDeps, ServerSecrets {
	readonly mailer: Mailer;
}
