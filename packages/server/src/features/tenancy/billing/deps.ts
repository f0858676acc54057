import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import type { SiteChangeDeps, SiteDirectory } from "../sites/index.ts";
import type { Payments } from "./provider/stripe-payments.ts";

export interface UsageDeps extends ChangeDeps {
	readonly eventStore: Pick<EventStore, "query">;
	readonly sites: Pick<SiteDirectory, "ofOrganization" | "refresh">;
}

/** A subscription that is to be put on another plan. */
export interface Move {
	readonly organizationId: string;
	readonly subscriptionId: string;
}

export interface SellingDeps extends SiteChangeDeps {
	readonly payments: Payments;
}

export interface BillingDeps extends UsageDeps {
	/** Undefined where nothing is sold. */
	readonly payments: Payments | undefined;
	/** Whether the signature of events can be checked. */
	readonly takesEvents: boolean;
	readonly jobs: Jobs;
	readonly mailer: Pick<Mailer, "queue">;
	/** The address that links in mails lead to. */
	readonly rootUrl: string;
}

/** The same where something is sold; else throws `service_unavailable`. */
export function selling(deps: BillingDeps): SellingDeps {
	const { metadata, clock, sites, payments } = deps;
	if (payments === undefined) throw notConfigured("STRIPE_SECRET_KEY");
	return { metadata, clock, sites, payments };
}

/** Says which setting is missing. */
export const notConfigured = (variable: string): ServiceError =>
	new ServiceError("service_unavailable", {
		message: `Plans are not sold on this server: ${variable} is not set`,
		isOurs: false,
	});
