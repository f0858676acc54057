import { type Caller, readingAccount, type SiteVisit, writingAccount } from "../../../access/index.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import type { AllowlistChange } from "./change-allowlist.ts";

export const reading = readingAccount("admin");
export const writing = writingAccount("admin");

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
