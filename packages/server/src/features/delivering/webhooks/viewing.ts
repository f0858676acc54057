import { type Caller, type Guard, roleReaches, type SiteRole, writingAccount } from "../../../access/index.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";

const site = { kind: "site", siteFrom: "account" } as const;
export const reader: Guard = { ...site, keyScope: "accounts:read", role: "viewer", write: false };
export const writer = writingAccount("editor");

export const limitOfSite = (name: string, max: number, windowMs: number): RouteLimit => ({
	...{ name, max, windowMs },
	by: (request) => request.site.id,
});

export interface Asking {
	readonly caller: Caller;
	readonly site: { readonly role: SiteRole };
}

/** Whether the caller may change an endpoint, and so sees where it leads and what it sends along. */
export const mayChange = ({ caller, site }: Asking): boolean =>
	caller.kind === "session" && roleReaches(site.role, "editor");

/** Stands where a reader does not get to see something. */
export const HIDDEN = "[hidden]";

/** An address without what follows its path, which is often a credential. */
export function withoutQuery(url: string): string {
	const end = url.search(/[?#]/);
	return end === -1 ? url : `${url.slice(0, end)}?${HIDDEN}`;
}

export const shownUrl = (url: string, asking: Asking): string => (mayChange(asking) ? url : withoutQuery(url));
