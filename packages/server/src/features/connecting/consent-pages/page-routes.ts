import { type BrowserSession, browserSession, type Guard, type Principal } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { findControlCharacters } from "../../../platform/http/control-characters.ts";
import { type BrowserCookie, browserOf, markBrowser } from "../../../platform/http/pages/check-form.ts";
import { type FormBinding, formToken } from "../../../platform/http/pages/form-token.ts";
import type { PageSet, PageVisit } from "../../../platform/http/pages/page-routes.ts";
import type { TwoFactorDeps } from "../../people/two-factor/index.ts";
import { findRequest, mayDecideOn, type OnboardingDeps, type PendingRequest } from "../oauth/index.ts";
import { consentFailurePage, consentPath, type FormFrame, pageOf, requestGonePage } from "./page-parts.ts";

/** Dependencies of the consent pages: they sign in, sign up and decide by the functions of the API. */
export interface ConsentPagesDeps extends TwoFactorDeps, OnboardingDeps {}

/** Tells browsers apart before somebody signs in, so that a form opened in one is of no use in another. */
const visitorCookie = (secure: boolean): BrowserCookie => ({
	name: "svc_consent_visitor",
	path: consentPath,
	secure,
});

/** The session of a browser that may answer this request; undefined for anybody else, whatever credential is shown. */
function sessionFor(principal: Principal, requestId: string): BrowserSession | undefined {
	const session = browserSession(principal);
	return session !== undefined && mayDecideOn(requestId, session) ? session : undefined;
}

const guard: Guard = { kind: "public", caller: "form", boundSession: "admitted" };

/** A look at one of the pages, while the request of the app is open. */
export interface Visit extends PageVisit {
	readonly requestId: string;
	readonly pending: PendingRequest;
	/** Undefined without a signed-in user who may answer this request. */
	readonly session: BrowserSession | undefined;
	/** Identifies the browser before a sign-in. */
	readonly browser: string;
	/** Fields of the answer's forms, bound to the session or to the browser. */
	frame(session?: BrowserSession): FormFrame;
}

/** A route of these pages, below their path. */
export const consentRoute = (url: string, summary: string) => ({ url: consentPath + url, summary, guard });

/** Pages of an open request. */
export const consentPages = (deps: ConsentPagesDeps): PageSet<Visit> => ({
	tag: "Connections",
	referrer: "same-origin",
	secretKey: deps.secretKey,
	publicUrl: deps.publicUrl,
	staleForm: "This form was opened elsewhere, or is too old",
	look: (seen) => lookAt(deps, seen),
	nothingPage: requestGonePage,
	binding: ({ requestId, session, browser }, holder) => {
		if (holder === "browser") return bindingOf(requestId, browser, undefined);
		// An ended session permits nothing: the user is asked to sign in again.
		return session && bindingOf(requestId, browser, session);
	},
	failurePage: consentFailurePage,
});

/** A form belongs to one request of an app, and to the session, or the browser before there is one. */
const bindingOf = (requestId: string, browser: string, session: BrowserSession | undefined): FormBinding => ({
	about: `${consentPath} ${requestId}`,
	...(session === undefined ? { browser } : { sessionId: session.sessionId }),
});

async function lookAt(deps: ConsentPagesDeps, seen: PageVisit): Promise<Visit | undefined> {
	const { request, reply, field } = seen;
	const given = request.method === "POST" ? request.body : request.query;
	if (findControlCharacters(given, {}, "body") !== undefined) throw new ServiceError("bad_request");
	const requestId = field("request_id");
	const pending = await findRequest(deps, requestId);
	if (pending === undefined) return undefined;
	const session = sessionFor(request.principal, requestId);
	const cookie = visitorCookie(deps.cookieSecure);
	const browser = browserOf(request, cookie);
	if (session === undefined) markBrowser(reply, cookie, browser);
	const frame: Visit["frame"] = (bound) => ({
		requestId,
		formToken: formToken(deps.secretKey, bindingOf(requestId, browser, bound)),
		maySignUp: deps.registration === "open",
	});
	return { ...seen, requestId, pending, session, browser, frame };
}

/** Leads the browser to the question. */
export const seeQuestion = (visit: Visit) => visit.leadTo(pageOf(visit.requestId));
