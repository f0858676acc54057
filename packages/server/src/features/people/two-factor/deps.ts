import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { AuthDeps } from "../auth/index.ts";

/** Dependencies of this slice. */
export interface TwoFactorDeps extends AuthDeps, ServerSecrets {
	readonly mailer: Mailer;
}
