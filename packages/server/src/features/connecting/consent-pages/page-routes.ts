import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import { checkOrigin, type Guard } from "../../../access/index.ts";
import { ApiError } from "../../../platform/http/api-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { findControlCharacters } from "../../../platform/http/control-characters.ts";
import { receiveError } from "../../../platform/http/error-handler.ts";
import { acceptForms, fieldOf } from "../../../platform/http/pages/forms.ts";
import { type Page, sendPage } from "../../../platform/http/pages/page.ts";
import { equalConstantTime } from "../../../platform/lib/crypto.ts";
import { findRequest, type PendingRequest } from "../oauth/index.ts";
import type { ConsentPagesDeps } from "./deps.ts";
import { consentPath, type FormFrame, pageOf } from "./form-frame.ts";
import { formToken } from "./form-token.ts";
import { failurePage, requestGonePage } from "./notice-pages.ts";
import { type BrowserSession, sessionFor, visitorCookie, visitorCookieForm, visitorOf } from "./visitor.ts";

const MAX_FORM_BYTES = 16 * 1024;

const Html = Type.String({ description: "An HTML page" });
const schema = {
	tags: ["Connections"],
	hide: true,
	response: {
		200: Html,
		303: Type.Null(),
		...Object.fromEntries([400, 401, 403, 404, 409, 413, 422, 429, 500, 503].map((status) => [status, Html])),
	},
};
const guard: Guard = { kind: "public", caller: "form", boundSession: "admitted" };

/** A look at one of the pages, while the request of the app is open. */
export interface Visit {
	readonly request: FastifyRequest;
	readonly reply: FastifyReply;
	readonly requestId: string;
	readonly pending: PendingRequest;
	/** Undefined when nobody is signed in who may answer this request. */
	readonly session: BrowserSession | undefined;
	/** What was typed into a field, trimmed. */
	field(name: string): string;
	/** What the forms of the answer carry: bound to the session, or to the browser before there is one. */
	frame(session?: BrowserSession): FormFrame;
}

type PageRoute = {
	/** Below the path of these pages. */
	readonly url: string;
	readonly summary: string;
} & (
	| { readonly method: "GET" }
	| {
			readonly method: "POST";
			/** To what its form is bound. */
			readonly form: "session" | "browser";
	  }
);

/** Opens a scope for these pages: they take forms, and whatever fails there is told as a page. */
export function openPages(app: App, register: (pages: App) => void): void {
	app.register(async (scope) => {
		acceptForms(scope as App);
		scope.setErrorHandler((error, request, reply) => {
			const told = receiveError(error, request);
			if (told.retryAfter !== undefined) reply.header("retry-after", String(told.retryAfter));
			return sendPage(reply, told.status, failurePage(told.message));
		});
		register(scope as App);
	});
}

/** Registers a page. Its handler runs only for a request that is open, and for forms that these pages made. */
export function pageRoute(
	pages: App,
	deps: ConsentPagesDeps,
	route: PageRoute,
	answer: (visit: Visit) => Promise<FastifyReply>,
): void {
	const { method, url, summary } = route;
	pages.route({
		method,
		url: consentPath + url,
		schema: { ...schema, summary },
		config: { guard },
		bodyLimit: MAX_FORM_BYTES,
		handler: async (request, reply) => {
			const given = method === "GET" ? request.query : request.body;
			if (findControlCharacters(given, {}, "body") !== undefined) throw new ApiError("bad_request");
			const requestId = fieldOf(given, "request_id");
			const pending = await findRequest(deps, requestId);
			if (pending === undefined) return sendPage(reply, 404, requestGonePage);
			const visit = visitOf(deps, { request, reply, requestId, pending, field: (name) => fieldOf(given, name) });
			if (route.method === "POST") checkForm(deps, visit, route.form);
			return answer(visit);
		},
	});
}

function visitOf(deps: ConsentPagesDeps, seen: Omit<Visit, "session" | "frame">): Visit {
	const { request, reply, requestId } = seen;
	const session = sessionFor(request.principal, requestId);
	const browser = visitorOf(request.cookies[visitorCookie]);
	if (session === undefined) {
		reply.setCookie(visitorCookie, browser, { ...visitorCookieForm, secure: deps.cookieSecure });
	}
	return {
		...seen,
		session,
		frame: (bound) => {
			const holder = bound === undefined ? { browser } : { session: bound.sessionId };
			return { requestId, token: formToken(deps.secretKey, { requestId, holder }) };
		},
	};
}

/** Refuses a form that these pages did not make for who sends it; throws `csrf_failed`. */
function checkForm(deps: ConsentPagesDeps, visit: Visit, form: "session" | "browser"): void {
	const { request, session, field, frame } = visit;
	checkOrigin(request.headers.origin, request.host, deps.publicUrl);
	// Nothing is done in the name of a session that is over: who sends the form is asked to sign in again.
	if (form === "session" && session === undefined) return;
	const { token } = frame(form === "session" ? session : undefined);
	if (equalConstantTime(field("form_token"), token)) return;
	throw new ApiError("csrf_failed", { message: "This form was opened elsewhere, or is too old" });
}

/** Answers with a page. */
export const show = ({ reply }: Visit, page: Page, status = 200): FastifyReply => sendPage(reply, status, page);

/** Leads the browser to the question; by 303, so that no form is sent twice. */
export const seeQuestion = ({ reply, requestId }: Visit): FastifyReply => reply.redirect(pageOf(requestId), 303);

/** Answers a refusal with the form that led to it; failures of the service itself are thrown on. */
export async function showRefusal(
	visit: Visit,
	error: unknown,
	page: (refusal: ApiError) => Page | Promise<Page>,
): Promise<FastifyReply> {
	if (!(error instanceof ApiError) || error.status >= 500) throw error;
	if (error.retryAfter !== undefined) visit.reply.header("retry-after", String(error.retryAfter));
	return show(visit, await page(error), error.status);
}
