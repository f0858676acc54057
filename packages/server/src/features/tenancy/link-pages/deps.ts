import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { Registration, ResetDeps } from "../../people/auth/index.ts";
import type { ClaimDeps } from "../provisioning/index.ts";

/** Dependencies of these pages: they use the functions of the API. */
export interface LinkPagesDeps extends ClaimDeps, ResetDeps, ServerSecrets {
	readonly mailer: Mailer;
	readonly registration: Registration;
	/** True when the application follows. */
	readonly hasDashboard: boolean;
}
