import cookie from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../platform/errors/service-error.ts";
import type { App } from "../platform/http/app.ts";
import type { Clock } from "../platform/lib/clock.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { authenticate, type Credentials } from "./authenticate.ts";
import {
	checkBoundSession,
	checkImpersonation,
	checkOrganization,
	checkScope,
	checkSite,
	checkSomeOrganization,
} from "./check-guard.ts";
import { currentDelegation, registerAsker } from "./delegation.ts";
import type { Guard } from "./guard.ts";
import type { Caller, OAuthAudience, Principal, Reader } from "./principal.ts";
import type { RequestLimits } from "./request-limits.ts";
import { checkCsrf, cookieNames, createSessionTokenReader, csrfKey, type SessionTokenReader } from "./session-token.ts";
import type { RequestOrganization, RequestSite } from "./site-store.ts";
import { decorateSiteVisit, type SiteAddressPolicy } from "./site-visit.ts";

interface Access {
	readonly principal: Reader;
	readonly site: RequestSite | undefined;
	readonly organization: RequestOrganization | undefined;
}

declare module "fastify" {
	interface FastifyRequest {
		/** Result of the guard; null on public routes. */
		access: Access | null;
		/** The caller; `anonymous` on public routes. */
		readonly principal: Principal;
		/** The caller of a route that is not public; reading it on a public route, or for who reads by a shared link, throws. */
		readonly caller: Caller;
		/** The site of a route whose guard is `site`; reading it elsewhere throws. */
		readonly site: RequestSite;
		/** The organization of a route whose guard is `organization`; reading it elsewhere throws. */
		readonly organization: RequestOrganization;
		/**
		 * Runs the guard again during a long answer: resolves with the caller, or throws the refusal. Counts nothing
		 * and does not record visits of allowlists again.
		 */
		checkAgain(): Promise<Caller>;
	}
	interface FastifyContextConfig {
		guard?: Guard;
		/** Which OAuth tokens the route takes; those for the REST API when absent. */
		audience?: OAuthAudience;
	}
}

interface AccessDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly secretKey: string;
	/** The previous secret during a rotation: tokens signed with it are still valid. */
	readonly secretKeyPrevious?: string | undefined;
	/** Which addresses may open a site. */
	readonly siteAddresses: SiteAddressPolicy;
	/** Ends the grant of an app whose user was deactivated or no longer reaches the site. */
	readonly endLostGrant: (grantId: string) => Promise<void>;
	/** Counts every request; absent = no limits. */
	readonly limits?: RequestLimits | undefined;
}

const anonymous: Principal = { kind: "anonymous" };

/**
 * Executes the guard of every route before the body is read: credential, CSRF, then site or organization, scope, role and address.
 * Sets `request.principal`, `request.caller`, `request.site` and `request.organization`, and registers the cookie plugin.
 */
export function registerAccess(app: App, deps: AccessDeps): void {
	app.register(cookie);
	decorate(app);
	decorateSiteVisit(app, deps.siteAddresses, deps.metadata);
	const secretKeys = deps.secretKeyPrevious === undefined ? [deps.secretKey] : [deps.secretKey, deps.secretKeyPrevious];
	const readSessionToken = createSessionTokenReader(secretKeys);
	const csrfKeys = secretKeys.map(csrfKey);
	const { limits } = deps;
	const signingInBy: SignInDeps = { ...deps, secretKeys, readSessionToken };
	registerAsker(app);
	app.decorateRequest("checkAgain", function (this: FastifyRequest) {
		return checkAgain(signingInBy, this);
	});
	app.addHook("onRequest", async (request, reply) => {
		const { guard } = request.routeOptions.config;
		const delegation = currentDelegation();
		const delegating = delegation?.caller;
		if (delegating !== undefined) limits?.exempt(request);
		const signingIn = () => signIn(signingInBy, request, reply);
		if (guard === undefined || guard.kind === "public") {
			if (delegating === undefined) await limits?.anonymous(request);
			if (guard?.caller !== undefined) {
				request.access = await optionalAccess(csrfKeys, request, reply, () =>
					signingIn().then((found) => unbound(guard, found)),
				);
			}
			return;
		}
		const principal =
			delegating ??
			(await signingIn().catch(async (refusal) => {
				await limits?.refused(request, reply, refusal);
				throw refusal;
			}));
		try {
			// An injected request comes from a route that made this check.
			if (delegating === undefined) checkCookieUse(csrfKeys, request, principal);
			await admit(deps.metadata, request, guard, { principal, isDelegated: delegating !== undefined });
		} finally {
			// Refused requests count too.
			const site = request.access?.site;
			if (delegation === undefined) await limits?.caller(request, principal, site);
			else if (delegation.countsReports) await limits?.reports(request, principal, site);
		}
	});
}

function checkCookieUse(csrfKeys: readonly Uint8Array[], request: FastifyRequest, principal: Reader): void {
	const { guard } = request.routeOptions.config;
	if (principal.kind !== "session" || !principal.viaCookie) return;
	if (guard?.kind === "public" && guard.caller === "form") return;
	checkCsrf(csrfKeys, principal.sessionId, {
		method: request.method,
		cookie: cookiesOf(request)[cookieNames.csrf],
		header: headerText(request, "x-csrf-token"),
	});
}

/** On a route that has no use for it, a session that may only decide on one request counts as none; so does a shared link. */
function unbound(guard: Guard, principal: Reader): Caller {
	checkBoundSession(guard, principal);
	if (principal.kind === "share") throw new ServiceError("forbidden");
	return principal;
}

async function optionalAccess(
	csrfKeys: readonly Uint8Array[],
	request: FastifyRequest,
	reply: FastifyReply,
	signingIn: () => Promise<Caller>,
): Promise<Access | null> {
	try {
		const principal = await signingIn();
		checkCookieUse(csrfKeys, request, principal);
		return { principal, site: undefined, organization: undefined };
	} catch (error) {
		if (!(error instanceof ServiceError) || error.isOurs) throw error;
		reply.removeHeader("www-authenticate");
		return null;
	}
}

interface Asking {
	readonly principal: Reader;
	readonly isDelegated: boolean;
}

type ClosedGuard = Exclude<Guard, { kind: "public" }>;

async function admit(metadata: Metadata, request: FastifyRequest, guard: ClosedGuard, asking: Asking): Promise<void> {
	request.access = await checkGuard(metadata, request, guard, asking);
	const { site } = request.access;
	if (site !== undefined) await request.refuseShutSite(site.id);
}

async function checkAgain(deps: SignInDeps, request: FastifyRequest): Promise<Caller> {
	const { guard } = request.routeOptions.config;
	if (guard === undefined || guard.kind === "public") throw new Error("The guard of this route looks at nobody");
	const principal = await authenticate(deps, credentialsOf(request));
	if (principal.kind === "anonymous") throw new ServiceError("unauthorized");
	if (principal.kind === "share") throw new ServiceError("forbidden");
	const { site } = await checkGuard(deps.metadata, request, guard, { principal, isDelegated: false });
	if (site !== undefined && !request.isSiteOpenHere(site.id)) throw new ServiceError("forbidden");
	return principal;
}

async function checkGuard(
	metadata: Metadata,
	request: FastifyRequest,
	guard: ClosedGuard,
	{ principal, isDelegated }: Asking,
): Promise<Access> {
	checkBoundSession(guard, principal);
	checkImpersonation(request.method, guard, principal);
	if (guard.kind === "session" || guard.kind === "principal") checkScope(guard, principal, isDelegated);
	if (guard.kind === "session") await checkSomeOrganization(metadata, guard, principal);
	const named = namedIn(request);
	const site = guard.kind === "site" ? await checkSite(metadata, guard, principal, named, isDelegated) : undefined;
	const organization =
		guard.kind === "organization" ? await checkOrganization(metadata, guard, principal, named.params) : undefined;
	return { principal, site, organization };
}

function decorate(app: App): void {
	const reading = (name: string, of: (access: Access | null) => unknown) =>
		app.decorateRequest(name, {
			getter(this: FastifyRequest) {
				return of(this.access);
			},
		});
	app.decorateRequest("access", null);
	reading("principal", (access) => access?.principal ?? anonymous);
	reading("caller", (access) => {
		if (access === null) throw new Error("The guard of this route admits callers without a credential");
		if (access.principal.kind === "share") throw new Error("Nobody is known of who reads by a shared link");
		return access.principal;
	});
	for (const name of ["site", "organization"] as const) {
		reading(name, (access) => {
			if (access?.[name] === undefined) throw new Error(`The guard of this route names no ${name}`);
			return access[name];
		});
	}
}

type SignInDeps = AccessDeps & {
	readonly secretKeys: readonly string[];
	readonly readSessionToken: SessionTokenReader;
};

async function signIn(deps: SignInDeps, request: FastifyRequest, reply: FastifyReply): Promise<Reader> {
	const { guard } = request.routeOptions.config;
	// RFC 9110, 11.6.1: every 401 names a challenge; removed again when the caller is known.
	reply.header("www-authenticate", "Bearer");
	const principal = await authenticate(deps, credentialsOf(request));
	if (principal.kind === "anonymous") {
		throw new ServiceError(guard?.kind === "site" && guard.namesRefusals ? "missing_credentials" : "unauthorized");
	}
	reply.removeHeader("www-authenticate");
	return principal;
}

const credentialsOf = (request: FastifyRequest): Credentials => ({
	apiKey: headerText(request, "x-api-key"),
	authorization: headerText(request, "authorization"),
	accessCookie: cookiesOf(request)[cookieNames.access],
	audience: request.routeOptions.config.audience ?? "api",
});

/** The cookies of a request, read without relying on the order of hooks. */
const cookiesOf = (request: FastifyRequest): Record<string, string | undefined> =>
	request.headers.cookie === undefined ? {} : request.server.parseCookie(request.headers.cookie);

function headerText(request: FastifyRequest, name: string): string | undefined {
	const value = request.headers[name];
	return Array.isArray(value) ? value[0] : value;
}

const namedIn = (request: FastifyRequest) => ({
	query: request.query as Record<string, unknown>,
	params: request.params as Record<string, unknown>,
});
