import type { FastifyReply, FastifyRequest } from "fastify";
import { type BrowserSession, checkOrigin, type Guard } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { findControlCharacters } from "../../../platform/http/control-characters.ts";
import {
	browserIn,
	type FormBinding,
	formToken,
	formTokenField,
	isFormToken,
} from "../../../platform/http/pages/form-token.ts";
import { fieldOf } from "../../../platform/http/pages/forms.ts";
import { MAX_FORM_BYTES, pageSchema } from "../../../platform/http/pages/open-pages.ts";
import { type Page, sendFailure, sendPage } from "../../../platform/http/pages/page.ts";
import { randomToken } from "../../../platform/lib/ids.ts";
import { findRequest, type PendingRequest } from "../oauth/index.ts";
import type { ConsentPagesDeps } from "./deps.ts";
import { consentPath, type FormFrame, pageOf } from "./form-frame.ts";
import { requestGonePage } from "./notice-pages.ts";
import { sessionFor, visitorCookie, visitorCookieForm } from "./visitor.ts";

const schema = pageSchema("Connections");
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
	/** To what forms are bound: the session, or the browser before there is one. */
	binding(session?: BrowserSession): FormBinding;
	/** What the forms of the answer carry. */
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
			if (findControlCharacters(given, {}, "body") !== undefined) throw new ServiceError("bad_request");
			const requestId = fieldOf(given, "request_id");
			const pending = await findRequest(deps, requestId);
			if (pending === undefined) return sendPage(reply, 404, requestGonePage);
			const visit = visitOf(deps, { request, reply, requestId, pending, field: (name) => fieldOf(given, name) });
			if (route.method === "POST") checkForm(deps, visit, route.form);
			return answer(visit);
		},
	});
}

function visitOf(deps: ConsentPagesDeps, seen: Omit<Visit, "session" | "binding" | "frame">): Visit {
	const { request, reply, requestId } = seen;
	const session = sessionFor(request.principal, requestId);
	const browser = browserIn(request.cookies[visitorCookie]) ?? randomToken();
	if (session === undefined) {
		reply.setCookie(visitorCookie, browser, { ...visitorCookieForm, secure: deps.cookieSecure });
	}
	const binding: Visit["binding"] = (bound) => ({
		about: `${consentPath} ${requestId}`,
		...(bound === undefined ? { browser } : { sessionId: bound.sessionId }),
	});
	const frame: Visit["frame"] = (bound) => ({
		requestId,
		formToken: formToken(deps.secretKey, binding(bound)),
		maySignUp: deps.registration === "open",
	});
	return { ...seen, session, binding, frame };
}

/** Refuses a form that these pages did not make for who sends it; throws `csrf_failed`. */
function checkForm(deps: ConsentPagesDeps, visit: Visit, form: "session" | "browser"): void {
	const { request, session, field, binding } = visit;
	checkOrigin(request.headers.origin, request.host, deps.publicUrl);
	// Nothing is done in the name of a session that is over: who sends the form is asked to sign in again.
	if (form === "session" && session === undefined) return;
	const bound = binding(form === "session" ? session : undefined);
	if (isFormToken(deps.secretKey, bound, field(formTokenField))) return;
	throw new ServiceError("csrf_failed", { message: "This form was opened elsewhere, or is too old" });
}

/** Answers with a page. */
export const show = ({ reply }: Visit, page: Page, status = 200): FastifyReply => sendPage(reply, status, page);

/** Leads the browser to the question; by 303, so that no form is sent twice. */
export const seeQuestion = ({ reply, requestId }: Visit): FastifyReply => reply.redirect(pageOf(requestId), 303);

/** Answers a refusal with the form that led to it; failures of the service itself are thrown on. */
export async function showRefusal(
	visit: Visit,
	error: unknown,
	page: (refusal: ServiceError) => Page | Promise<Page>,
): Promise<FastifyReply> {
	if (!(error instanceof ServiceError) || error.isOurs) throw error;
	return sendFailure(visit.reply, error, await page(error));
}
