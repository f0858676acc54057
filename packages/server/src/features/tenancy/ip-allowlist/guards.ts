import type { Caller, Guard, SiteVisit } from "../../../access/index.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import type { AllowlistChange } from "./change-allowlist.ts";

const admins = { kind: "site", siteFrom: "account", keyScope: null, role: "admin" } as const;
export const reading: Guard = { ...admins, write: false };
export const writing: Guard = { ...admins, write: true };

/** The change that a request makes. */
export const changeOf = (request: {
	readonly site: { readonly id: string; readonly organizationId: string };
	readonly visit: SiteVisit;
	readonly caller: Caller;
	readonly ip: string;
}): AllowlistChange => ({
	siteId: request.site.id,
	organizationId: request.site.organizationId,
	visit: request.visit,
	actor: actorOf(request),
});
