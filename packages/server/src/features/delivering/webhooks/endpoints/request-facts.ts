import { type Caller, type Guard, roleReaches, type SiteRole, writingAccount } from "../../../../access/index.ts";
import { actorOf } from "../../../auditing/audit-log/index.ts";
import type { SiteChange } from "../../../tenancy/organizations/index.ts";
import type { WebhookDeps } from "../deps.ts";
import type { Reading, Viewing } from "./present.ts";

const site = { kind: "site", siteFrom: "account" } as const;
export const reader: Guard = { ...site, keyScope: "accounts:read", role: "viewer", write: false };
export const writer = writingAccount("editor");

interface Asking {
	readonly caller: Caller;
	readonly site: { readonly id: string; readonly organizationId: string; readonly role: SiteRole };
	readonly ip: string;
}

export const changeOf = (request: Asking): SiteChange => ({ site: request.site, actor: actorOf(request) });

/** Parts that the caller may see; exports are open to all readers of a site, and to keys with `stats:read`. */
export const readingOf = ({ caller, site }: Pick<Asking, "caller" | "site">): Reading => ({
	mayChange: caller.kind === "session" && roleReaches(site.role, "editor"),
	mayExport: caller.kind === "session" || (caller.kind === "key" && caller.scopes.includes("stats:read")),
});

export const viewingOf = (deps: WebhookDeps, asking: Asking): Viewing => ({
	secretKey: deps.secretKey,
	secretKeyPrevious: deps.secretKeyPrevious,
	nowMs: deps.clock.now(),
	...readingOf(asking),
});
