import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { Registration, ResetDeps } from "../../people/auth/index.ts";
import type { ClaimDeps } from "../provisioning/index.ts";

/** What these pages need: they do what they do by the verbs of the API. */
export interface LinkPagesDeps extends ClaimDeps, ResetDeps, ServerSecrets {
	readonly mailer: Mailer;
	readonly registration: Registration;
	/** True when whoever is done here goes on in the application. */
	readonly hasDashboard: boolean;
}
