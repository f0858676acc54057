import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { AuthDeps } from "../../people/auth/index.ts";
import type { SiteDeps } from "../sites/index.ts";

/** A key and the channel that hands it out. */
export interface ChannelKey {
	readonly key: string;
	readonly channel: string;
}

/** Dependencies of claiming a site. */
export interface ClaimDeps extends AuthDeps {
	readonly mailer: Pick<Mailer, "queue">;
	/** Refreshed after each change. */
	readonly sites: SiteDeps["sites"];
	/** Address that links lead to, without a slash at its end. */
	readonly rootUrl: string;
}

export interface ProvisioningDeps extends ClaimDeps {
	/** Whether sites may be provisioned at all. */
	readonly provisioningEnabled: boolean;
	/** Keys from the configuration, beside the stored ones. */
	readonly provisionKeys: readonly ChannelKey[];
}
