import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { AuthDeps } from "../../people/auth/index.ts";
import type { SiteChangeDeps } from "../sites/index.ts";

export interface ChannelKey {
	readonly key: string;
	readonly channel: string;
}

/** Dependencies of claiming a site. */
export interface ClaimDeps extends AuthDeps, SiteChangeDeps {
	readonly mailer: Pick<Mailer, "queue">;
	/** Address that links lead to, without a slash at its end. */
	readonly rootUrl: string;
}

export interface ProvisioningDeps extends ClaimDeps {
	/** Whether sites may be provisioned at all. */
	readonly provisioningEnabled: boolean;
	/** Keys from the configuration, beside the stored ones. */
	readonly provisionKeys: readonly ChannelKey[];
}
