import { type Caller, type Guard, roleReaches, type SiteRole } from "../../../access/index.ts";
import { actorOf } from "../../accounts/audit-log/index.ts";
import type { WebhookDeps } from "./deps.ts";
import type { EndpointChange } from "./endpoint-change.ts";
import type { Viewing } from "./present.ts";

const site = { kind: "site", siteFrom: "account" } as const;
export const reading: Guard = { ...site, keyScope: "accounts:read", role: "viewer", write: false };
export const writing: Guard = { ...site, keyScope: null, role: "editor", write: true };

interface Asking {
	readonly caller: Caller;
	readonly site: { readonly id: string; readonly organizationId: string; readonly role: SiteRole };
	readonly ip: string;
}

/** The change that a request makes. */
export const changeOf = (request: Asking): EndpointChange => ({
	siteId: request.site.id,
	organizationId: request.site.organizationId,
	actor: actorOf(request),
});

/** How endpoints look to who asks. */
export const viewingOf = (deps: WebhookDeps, { caller, site }: Asking): Viewing => ({
	secretKey: deps.secretKey,
	secretKeyPrevious: deps.secretKeyPrevious,
	nowMs: deps.clock.now(),
	mayChange: caller.kind === "session" && roleReaches(site.role, "editor"),
});

/** Lets a body be left out where every field has a default. */
export const withoutBody = async (request: { body: unknown }): Promise<void> => {
	request.body ??= {};
};
