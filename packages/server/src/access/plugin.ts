import cookie from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../platform/http/api-error.ts";
import type { App } from "../platform/http/app.ts";
import type { Clock } from "../platform/lib/clock.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { authenticate } from "./authenticate.ts";
import { checkScope, checkSite } from "./check-guard.ts";
import { cookieNames } from "./cookie-names.ts";
import { checkCsrf, csrfKey } from "./csrf.ts";
import { delegatingCaller } from "./delegation.ts";
import type { Guard } from "./guard.ts";
import type { Caller, Principal } from "./principal.ts";
import { createSessionTokenReader, type SessionTokenReader, sessionTokenKey } from "./session-token.ts";
import type { RequestSite } from "./site-store.ts";

interface Access {
	readonly principal: Caller;
	readonly site: RequestSite | undefined;
}

declare module "fastify" {
	interface FastifyRequest {
		/** What the guard found; null on public routes. */
		access: Access | null;
		/** Who is asking; `anonymous` on public routes. */
		readonly principal: Principal;
		/** The signed-in caller of a route that is not public; reading it on a public route throws. */
		readonly caller: Caller;
		/** The site of a route whose guard is `site`; reading it elsewhere throws. */
		readonly site: RequestSite;
	}
	interface FastifyContextConfig {
		/** What the route demands of its caller. */
		guard?: Guard;
	}
}

/** What the access plugin needs. */
export interface AccessDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** The server's secret. */
	readonly secretKey: string;
}

const anonymous: Principal = { kind: "anonymous" };

/**
 * Executes the guard of every route before the body is read: credential, CSRF, then site, scope and role.
 * Sets `request.principal`, `request.caller` and `request.site`, and registers the cookie plugin.
 */
export function registerAccess(app: App, deps: AccessDeps): void {
	app.register(cookie);
	decorate(app);
	const readSessionToken = createSessionTokenReader(sessionTokenKey(deps.secretKey));
	const keyOfCsrf = csrfKey(deps.secretKey);
	app.addHook("onRequest", async (request, reply) => {
		const { guard } = request.routeOptions.config;
		if (guard === undefined || guard.kind === "public") return;
		const delegating = delegatingCaller();
		const principal = delegating ?? (await signIn({ ...deps, readSessionToken }, request, reply));
		// An injected request comes from a route that made this check.
		if (delegating === undefined && principal.kind === "session" && principal.viaCookie) {
			checkCsrf(keyOfCsrf, principal.sessionId, {
				method: request.method,
				cookie: cookiesOf(request)[cookieNames.csrf],
				header: headerText(request, "x-csrf-token"),
			});
		}
		if (guard.kind !== "site") checkScope(guard, principal);
		const site = guard.kind === "site" ? await checkSite(deps.metadata, guard, principal, namedIn(request)) : undefined;
		request.access = { principal, site };
	});
}

function decorate(app: App): void {
	app.decorateRequest("access", null);
	app.decorateRequest("principal", {
		getter(this: FastifyRequest) {
			return this.access?.principal ?? anonymous;
		},
	});
	app.decorateRequest("caller", {
		getter(this: FastifyRequest) {
			if (this.access === null) throw new Error("The guard of this route admits callers without a credential");
			return this.access.principal;
		},
	});
	app.decorateRequest("site", {
		getter(this: FastifyRequest) {
			if (this.access?.site === undefined) throw new Error("The guard of this route names no site");
			return this.access.site;
		},
	});
}

async function signIn(
	deps: AccessDeps & { readonly readSessionToken: SessionTokenReader },
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<Caller> {
	// RFC 9110, 11.6.1: every 401 names a challenge; removed again when the caller is known.
	reply.header("www-authenticate", "Bearer");
	const principal = await authenticate(deps, {
		apiKey: headerText(request, "x-api-key"),
		authorization: headerText(request, "authorization"),
		accessCookie: cookiesOf(request)[cookieNames.access],
	});
	if (principal.kind === "anonymous") {
		const { guard } = request.routeOptions.config;
		throw new ApiError(guard?.kind === "site" && guard.namesRefusals ? "missing_credentials" : "unauthorized");
	}
	reply.removeHeader("www-authenticate");
	return principal;
}

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
