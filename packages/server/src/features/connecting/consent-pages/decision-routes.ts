import type { FastifyReply } from "fastify";
import type { BrowserSession } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { clearSessionCookies, signOut } from "../../people/auth/index.ts";
import { decide, sitesToChoose } from "../oauth/index.ts";
import { consentPage } from "./consent-page.ts";
import type { ConsentPagesDeps } from "./deps.ts";
import { goingBackPage, impersonatingPage, requestGonePage } from "./notice-pages.ts";
import { pageRoute, seeQuestion, show, showRefusal, type Visit } from "./page-routes.ts";
import { signInPage } from "./sign-in-pages.ts";

/** The question whether an app may read a site, and its answer. */
export function registerDecision(pages: App, deps: ConsentPagesDeps): void {
	const ask = { method: "GET", url: "", summary: "Ask whether an app may read a site" } as const;
	pageRoute(pages, deps, ask, async (visit) => {
		const { session, pending, frame } = visit;
		if (session === undefined) return show(visit, signInPage(pending.client, frame()));
		if (session.impersonatorId !== null) return show(visit, impersonatingPage, 403);
		return show(visit, await question(deps, visit, session));
	});
	const answer = { method: "POST", url: "/decision", summary: "Allow or deny", form: "session" } as const;
	pageRoute(pages, deps, answer, async (visit) => {
		const { session, pending, frame } = visit;
		if (session === undefined) {
			const error = "You were signed out meanwhile. Please sign in again.";
			return show(visit, signInPage(pending.client, frame(), { error }), 401);
		}
		if (session.impersonatorId !== null) return show(visit, impersonatingPage, 403);
		try {
			return await takeDecision(deps, visit, session);
		} catch (error) {
			return showRefusal(visit, error, (refusal) =>
				refusal.code === "not_found" ? requestGonePage : question(deps, visit, session, refusal),
			);
		}
	});
	const change = { method: "POST", url: "/switch", summary: "Use another account", form: "session" } as const;
	pageRoute(pages, deps, change, async (visit) => {
		const { session, request, reply } = visit;
		if (session !== undefined) {
			await signOut(deps, session, actorOf(request));
			clearSessionCookies(reply, deps.cookieSecure);
		}
		return seeQuestion(visit);
	});
}

async function question(
	deps: ConsentPagesDeps,
	visit: Visit,
	session: BrowserSession,
	refusal?: ServiceError,
): Promise<Page> {
	const { request, pending, frame } = visit;
	const sites = await sitesToChoose(deps, session.userId, (siteId) => request.isSiteOpenHere(siteId));
	const { email, boundRequest } = session;
	const asked = { ...pending, email, isUnconfirmed: boundRequest !== null, sites };
	return consentPage(asked, frame(session), refusal?.message);
}

async function takeDecision(deps: ConsentPagesDeps, visit: Visit, session: BrowserSession): Promise<FastifyReply> {
	const { request, reply, requestId, pending, field } = visit;
	const decision = decisionOf(field("decision"));
	const siteId = field("site_id") || undefined;
	if (decision === "approve" && siteId === undefined) {
		throw new ServiceError("validation_error", { message: "Choose the site that the app may read" });
	}
	const redirectTo = await decide(deps, {
		requestId,
		decision,
		siteId,
		caller: session,
		actor: actorOf(request),
		refuseShutSite: (id) => request.refuseShutSite(id),
	});
	// Not a redirect: browsers hold the answer of a form to `form-action`, and all that the app redirects to after it.
	reply.header("refresh", `0; url=${redirectTo}`);
	return show(visit, goingBackPage(pending.client, decision, redirectTo));
}

/** What the button said; a form without a button does not allow anything. */
function decisionOf(text: string): "approve" | "deny" {
	if (text === "approve" || text === "deny") return text;
	throw new ServiceError("validation_error", { message: "Choose whether to allow or to deny" });
}
