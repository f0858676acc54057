import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { Registration, ResetDeps } from "../../people/auth/index.ts";
import type { ClaimDeps } from "../provisioning/index.ts";

/** What these pages need: they do what they do by the verbs of the API. */
export interface LinkPagesDeps extends ClaimDeps, ResetDeps {
	readonly mailer: Mailer;
	readonly registration: Registration;
	/** The secret before `secretKey`, while an operator changes it. */
	readonly secretKeyPrevious: string | undefined;
}
