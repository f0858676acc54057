import { type BrowserSession, browserSession, type Guard } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import {
	browserOf,
	type FormBinding,
	formToken,
	formTokenField,
	markBrowser,
} from "../../../platform/http/pages/check-form.ts";
import { failurePage } from "../../../platform/http/pages/error-pages.ts";
import { form } from "../../../platform/http/pages/form.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import type { PageSet, PageVisit } from "../../../platform/http/pages/page-routes.ts";
import { findControlCharacters } from "../../../platform/http/validate.ts";
import type { TwoFactorDeps } from "../../people/two-factor/index.ts";
import { findRequest, mayDecideOn, type OnboardingDeps, type PendingRequest } from "../oauth/index.ts";

/** An app that asks for access, as far as it is known. All of it was chosen by the author of the app. */
export type AskingClient = PendingRequest["client"];

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** True when the answer stays on the device: it goes to a program that listens there, or that a scheme starts. */
function staysOnDevice({ redirectUri }: Pick<AskingClient, "redirectUri">): boolean {
	const { protocol, hostname } = new URL(redirectUri);
	return protocol !== "https:" || LOOPBACK.test(hostname);
}

/** Where the answer goes, in words that cannot be mistaken for a link or for another host. */
export function destinationOf(client: Pick<AskingClient, "redirectUri">): Html {
	const { protocol, host } = new URL(client.redirectUri);
	const place = html`<strong>${protocol === "http:" || protocol === "https:" ? host : protocol}</strong>`;
	return staysOnDevice(client) ? html`an app on this device (${place})` : place;
}

/** Warning about the identity of the app's operator: known by a document at an address of its own, or not at all. */
export function warningOn({ clientId, redirectUri }: AskingClient): Html {
	if (clientId.startsWith("https://")) {
		const onDevice = LOOPBACK.test(new URL(redirectUri).hostname);
		const impostors = onDevice ? html` Any program on this device could use that name.` : html``;
		return html`<p>The app is described at <strong>${new URL(clientId).host}</strong>. It has not been reviewed.${impostors}</p>`;
	}
	return html`<p>The app chose its own name and has not been reviewed. Continue only if you started this
yourself, and want ${destinationOf({ redirectUri })} to read your statistics.</p>`;
}

/** Shown for a request that never was, was decided, or is older than half an hour. */
export const requestGonePage: Page = {
	title: "This request has ended",
	body: html`<p>It was already answered, is older than 30 minutes, or does not exist.</p>
<p>Go back to the app and connect it again.</p>`,
};

export const impersonatingPage: Page = {
	title: "Not during impersonation",
	body: html`<p>Only users themselves can give apps access. End the impersonation first.</p>`,
};

/** Shown where signing up opens no session, so that the mail names the next step. */
export const mailSentPage = (requestId: string): Page => ({
	title: "Check your email",
	body: html`<p>We sent you an email. Its link confirms your address and activates your account.</p>
<p>Then come back to this page and <a href="${pageOf(requestId)}">sign in</a>.</p>`,
});

export const goingBackPage = (client: AskingClient, decision: "approve" | "deny", redirectTo: string): Page => ({
	title: decision === "approve" ? "Access is allowed" : "Access is denied",
	body: html`<p>You are being sent back to ${destinationOf(client)}.${staysOnDevice(client) && " Once it has opened, you can close this window."}</p>
<p>Nothing happened? <a href="${redirectTo}">Go back to the app</a></p>`,
});

/** Where these pages live, at the root of the host. */
export const consentPath = "/oauth/consent";

export interface FormFrame {
	readonly requestId: string;
	/** Shows that the form came from these pages. */
	readonly formToken: string;
	/** Whether strangers may make accounts. */
	readonly maySignUp: boolean;
}

export const pageOf = (requestId: string, page = ""): string =>
	`${consentPath}${page}?request_id=${encodeURIComponent(requestId)}`;

export const hiddenIn = (frame: FormFrame, more: Readonly<Record<string, string>> = {}) => ({
	request_id: frame.requestId,
	[formTokenField]: frame.formToken,
	...more,
});

export const consentForm = (frame: FormFrame, action: string, body: Html): Html =>
	form(consentPath + action, { hidden: hiddenIn(frame), body });

/** Dependencies of the consent pages: they sign in, sign up and decide by the functions of the API. */
export interface ConsentPagesDeps extends TwoFactorDeps, OnboardingDeps {}

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

export const consentRoute = (url: string, summary: string) => ({ url: consentPath + url, summary, guard });

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
	failurePage: failurePage("Go back to the page before, or to the app, and try again."),
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
	const signedIn = browserSession(request.principal);
	const session = signedIn !== undefined && mayDecideOn(requestId, signedIn) ? signedIn : undefined;
	// Tells browsers apart before somebody signs in, so that a form opened in one is of no use in another.
	const cookie = { name: "svc_consent_visitor", path: consentPath, secure: deps.cookieSecure };
	const browser = browserOf(request, cookie);
	if (session === undefined) markBrowser(reply, cookie, browser);
	const frame: Visit["frame"] = (bound) => ({
		requestId,
		formToken: formToken(deps.secretKey, bindingOf(requestId, browser, bound)),
		maySignUp: deps.registration === "open",
	});
	return { ...seen, requestId, pending, session, browser, frame };
}

export const seeQuestion = (visit: Visit) => visit.leadTo(pageOf(visit.requestId));
