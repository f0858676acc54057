import type { FastifyReply } from "fastify";
import type { BrowserSession } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { type PageSet, type Refuse, showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { clearSessionCookies, signOut } from "../../people/auth/index.ts";
import { decide, sitesToChoose } from "../oauth/index.ts";
import { consentPage } from "./consent-page.ts";
import type { ConsentPagesDeps } from "./deps.ts";
import { goingBackPage, impersonatingPage, requestGonePage } from "./notice-pages.ts";
import { consentRoute, seeQuestion, type Visit } from "./page-routes.ts";
import { signInPage } from "./sign-in-pages.ts";

/** The question whether an app may read a site, and its answer. */
export function registerDecision(pages: App, set: PageSet<Visit>, deps: ConsentPagesDeps): void {
	const ask = consentRoute("", "Ask whether an app may read a site");
	showPage(pages, set, ask, async (visit) => {
		const { session, pending, frame } = visit;
		if (session === undefined) return signInPage(pending.client, frame());
		if (session.impersonatorId !== null) return visit.show(impersonatingPage, 403);
		return question(deps, visit, session);
	});
	const refuse: Refuse<Visit> = (refusal, visit) =>
		refusal.code === "not_found" || visit.session === undefined
			? requestGonePage
			: question(deps, visit, visit.session, refusal);
	const answer = { ...consentRoute("/decision", "Allow or deny"), holder: "session", refuse } as const;
	takeForm(pages, set, answer, async (visit) => {
		const { session, pending, frame } = visit;
		if (session === undefined) {
			const error = "You were signed out meanwhile. Please sign in again.";
			return visit.show(signInPage(pending.client, frame(), { error }), 401);
		}
		if (session.impersonatorId !== null) return visit.show(impersonatingPage, 403);
		return takeDecision(deps, visit, session);
	});
	const change = { ...consentRoute("/switch", "Use another account"), holder: "session" } as const;
	takeForm(pages, set, change, async (visit) => {
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
	return visit.show(goingBackPage(pending.client, decision, redirectTo));
}

/** The decision of the pressed button; a form without one approves nothing. */
function decisionOf(text: string): "approve" | "deny" {
	if (text === "approve" || text === "deny") return text;
	throw new ServiceError("validation_error", { message: "Choose whether to allow or to deny" });
}
