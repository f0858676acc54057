import type { FastifyRequest } from "fastify";
import { ServiceError } from "../platform/errors/service-error.ts";
import type { App } from "../platform/http/app.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { findSiteFor } from "./site-store.ts";

/** A request, as far as rules on addresses look at it. */
export interface SiteVisit {
	readonly credential: "session" | "key" | "oauth" | "share";
	/** The signed-in user, the owner of the key, or the user who approved the app; null = a reader of a shared link. */
	readonly userId: number | null;
	/** True for a superadmin's session, which no rule refuses; false for keys and apps of any owner. */
	readonly isSuperadmin: boolean;
	/** Client address, as trusted proxies tell it. */
	readonly ip: string;
	readonly userAgent: string | undefined;
}

export interface SiteAddressPolicy {
	/** False for a site that every address may open. Never waits. */
	hasRules(siteId: string): boolean;
	/** Decides on a visit that names the site; the decision is recorded. */
	admit(siteId: string, visit: SiteVisit): Promise<boolean>;
	/** The same without a record, for lists of several sites, which leave the others out. Never waits. */
	opens(siteId: string, visit: SiteVisit): boolean;
}

declare module "fastify" {
	interface FastifyRequest {
		/** The request as rules on addresses see it; reading it on a public route throws. */
		readonly visit: SiteVisit;
		/** False when the caller's address shuts a site: lists of several sites leave it out. */
		isSiteOpenHere(siteId: string): boolean;
		/** Throws `forbidden` when the caller's address shuts a site that is in the caller's reach, as guards of kind `site` do. */
		refuseShutSite(siteId: string): Promise<void>;
		/**
		 * The same for routes that name sites in another place. Sites out of the caller's reach are left to the route:
		 * others must not learn whether it has a list.
		 */
		refuseShutSites(siteIds: readonly string[]): Promise<void>;
		/** Those of some sites that this address shuts to a user who signs in; on public routes too. */
		sitesShutTo(user: Pick<SiteVisit, "userId" | "isSuperadmin">, siteIds: readonly string[]): Promise<string[]>;
		/** Throws `forbidden` when a reader of a link may not open the site from this address; on public routes too. */
		refuseShutLink(siteId: string): Promise<void>;
	}
}

/** Gives requests the questions that can be asked of the rules on addresses. */
export function decorateSiteVisit(app: App, policy: SiteAddressPolicy, metadata: Metadata): void {
	app.decorateRequest("visit", {
		getter(this: FastifyRequest): SiteVisit {
			if (this.access?.principal.kind === "share") return linkVisit(this);
			const { kind, userId } = this.caller;
			const isSuperadmin = this.caller.kind === "session" && this.caller.role === "superadmin";
			return { credential: kind, userId, isSuperadmin, ...cameFrom(this) };
		},
	});
	app.decorateRequest("isSiteOpenHere", function (this: FastifyRequest, siteId: string): boolean {
		return policy.opens(siteId, this.visit);
	});
	app.decorateRequest("refuseShutSite", async function (this: FastifyRequest, siteId: string): Promise<void> {
		if (await policy.admit(siteId, this.visit)) return;
		throw shutHere(this.ip);
	});
	app.decorateRequest("refuseShutSites", async function (this: FastifyRequest, siteIds): Promise<void> {
		const { visit } = this;
		const { userId } = visit;
		if (userId === null) throw new Error("A shared link has no user whose sites could be named");
		for (const siteId of new Set(siteIds)) {
			if (!policy.hasRules(siteId)) continue;
			const site = await findSiteFor(metadata, siteId, userId);
			if (site?.role !== undefined) await this.refuseShutSite(siteId);
		}
	});
	app.decorateRequest("sitesShutTo", async function (this: FastifyRequest, user, siteIds): Promise<string[]> {
		const visit: SiteVisit = { ...user, credential: "session", ...cameFrom(this) };
		const shut = siteIds.filter((siteId) => !policy.opens(siteId, visit));
		for (const siteId of shut) await policy.admit(siteId, visit);
		return shut;
	});
	app.decorateRequest("refuseShutLink", async function (this: FastifyRequest, siteId): Promise<void> {
		if (!(await policy.admit(siteId, linkVisit(this)))) throw shutHere(this.ip);
	});
}

/** The refusal names the seen address: behind a proxy or a VPN it often differs from the expected one. */
const shutHere = (ip: string) =>
	new ServiceError("forbidden", {
		message: "Access from this IP address is not allowed",
		detail: [{ field: "ip_address", message: ip, type: "ip_not_allowed" }],
	});

const linkVisit = (request: FastifyRequest): SiteVisit => ({
	credential: "share",
	userId: null,
	isSuperadmin: false,
	...cameFrom(request),
});

const cameFrom = ({ ip, headers }: FastifyRequest) => ({ ip, userAgent: headers["user-agent"] });
