import type { FastifyReply, FastifyRequest } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import { type Caller, checkOrigin, type Guard } from "../../../access/index.ts";
import { ApiError } from "../../../platform/http/api-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { receiveError } from "../../../platform/http/error-handler.ts";
import { acceptForms, fieldOf } from "../../../platform/http/pages/forms.ts";
import { html } from "../../../platform/http/pages/html.ts";
import { type Page, sendPage } from "../../../platform/http/pages/page.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { randomToken } from "../../../platform/lib/ids.ts";
import type { LinkPagesDeps } from "./deps.ts";
import { type FormFrame, formTokenField } from "./form.ts";
import { type FormBinding, formToken, isFormToken } from "./form-token.ts";

const MAX_FORM_BYTES = 16 * 1024;
const guard: Guard = { kind: "public", caller: "form" };

const Html = Type.String({ description: "An HTML page" });
const schema = {
	tags: ["Links in mails"],
	hide: true,
	response: {
		303: Type.Null(),
		...Object.fromEntries([200, 400, 401, 403, 404, 409, 413, 422, 429, 500, 503].map((status) => [status, Html])),
	},
};

/** Tells browsers apart, so that a form that was opened in one is of no use in another. */
const browserCookie = "svc_link_browser";

/** The session of somebody who looks at these pages. */
export type BrowserSession = Extract<Caller, { kind: "session" }>;

/** A look at one of these pages. */
export interface Visit {
	readonly request: FastifyRequest;
	readonly reply: FastifyReply;
	/** Undefined when nobody is signed in with this browser. */
	readonly session: BrowserSession | undefined;
	/** What the forms of the answer carry. */
	readonly frame: FormFrame;
	/** What stands in the address, or was typed into a field, trimmed. */
	field(name: string): string;
}

/** The page that tells of a refusal. */
export type Refuse = (refusal: ApiError, visit: Visit) => Page | Promise<Page>;

interface PageRoute {
	/** The page that a mail leads to: its forms go to it, or below it. */
	readonly path: string;
	readonly summary: string;
	readonly refuse: Refuse;
}

interface FormRoute<Body extends TSchema> extends PageRoute {
	/** Below the path. */
	readonly url?: string;
	readonly body: Body;
	readonly limit?: readonly RouteLimit[];
}

/** Opens a scope for these pages: they take forms, and whatever fails there is told as a page. */
export function openPages(app: App, register: (pages: App) => void): void {
	app.register(async (scope) => {
		acceptForms(scope as App);
		scope.setErrorHandler((error, request, reply) => sendFailure(reply, receiveError(error, request)));
		register(scope as App);
	});
}

/** Registers the page that a mail leads to. It changes nothing: programs that look into mails open it too. */
export function showPage(
	pages: App,
	deps: LinkPagesDeps,
	{ path, summary, refuse }: PageRoute,
	answer: (visit: Visit) => Promise<Page>,
): void {
	pages.route({
		method: "GET",
		url: path,
		schema: { ...schema, summary },
		config: { guard },
		errorHandler: refusing(deps, path, refuse),
		handler: async (request, reply) => send(reply, 200, await answer(visitOf(deps, path, request, reply))),
	});
}

/**
 * Registers what a form of such a page does. It is checked in this order: that these pages made the form, what was
 * typed, the limits of the route.
 */
export function takeForm<Body extends TSchema>(
	pages: App,
	deps: LinkPagesDeps,
	{ path, url = "", summary, refuse, body, limit = [] }: FormRoute<Body>,
	answer: (visit: Visit, body: Static<Body>) => Promise<Page | FastifyReply>,
): void {
	pages.route({
		method: "POST",
		url: path + url,
		schema: { ...schema, summary, body },
		config: { guard, limit },
		bodyLimit: MAX_FORM_BYTES,
		preValidation: async (request) => {
			checkForm(deps, path, request);
			request.body = filledFields(request.body) as typeof request.body;
		},
		errorHandler: refusing(deps, path, refuse),
		handler: async (request, reply) => {
			const answered = await answer(visitOf(deps, path, request, reply), request.body as Static<Body>);
			return "title" in answered ? send(reply, 200, answered) : answered;
		},
	});
}

const refusing =
	(deps: LinkPagesDeps, path: string, refuse: Refuse) =>
	async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const refusal = receiveError(error, request);
		if (refusal.status >= 500) return sendFailure(reply, refusal);
		const page = await refuse(refusal, visitOf(deps, path, request, reply));
		if (refusal.retryAfter !== undefined) reply.header("retry-after", String(refusal.retryAfter));
		return send(reply, refusal.status, page);
	};

/** The address of these pages is a secret, which no other page may learn. */
const send = (reply: FastifyReply, status: number, page: Page): FastifyReply =>
	sendPage(reply, status, page, "no-referrer");

function sendFailure(reply: FastifyReply, { status, message, retryAfter }: ApiError): FastifyReply {
	if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
	return send(reply, status, {
		title: "That did not work",
		body: html`<p>${message}</p>
<p>Please try again in a while. The link still works.</p>`,
	});
}

function visitOf(deps: LinkPagesDeps, path: string, request: FastifyRequest, reply: FastifyReply): Visit {
	const { browser = randomToken(), sessionId } = holderOf(request);
	reply.setCookie(browserCookie, browser, { httpOnly: true, sameSite: "lax", path, secure: deps.cookieSecure });
	const given = request.method === "POST" ? request.body : request.query;
	return {
		request,
		reply,
		session: sessionOf(request),
		frame: { formToken: formToken(deps.secretKey, { browser, sessionId, path }) },
		field: (name) => fieldOf(given, name),
	};
}

function sessionOf({ principal }: FastifyRequest): BrowserSession | undefined {
	return principal.kind === "session" && principal.viaCookie ? principal : undefined;
}

/** Who holds the forms of a request, as its cookies show. */
function holderOf(request: FastifyRequest): { browser: string | undefined; sessionId: string | undefined } {
	const shown = request.server.parseCookie(request.headers.cookie ?? "")[browserCookie];
	const isOurs = shown !== undefined && /^[A-Za-z0-9_-]{43}$/.test(shown);
	return { browser: isOurs ? shown : undefined, sessionId: sessionOf(request)?.sessionId };
}

/** Refuses a form that these pages did not make for this browser; throws `csrf_failed`. */
function checkForm(deps: LinkPagesDeps, path: string, request: FastifyRequest): void {
	const { origin, "sec-fetch-site": site = "none" } = request.headers;
	// A page that tells no other where it is makes the browser keep its origin to itself too.
	if (origin !== "null") checkOrigin(origin, request.host, deps.publicUrl);
	const { browser, sessionId } = holderOf(request);
	const binding = browser === undefined ? undefined : { browser, sessionId, path };
	const isFromHere = site === "same-origin" || site === "none";
	if (isFromHere && isOurs(deps, binding, fieldOf(request.body, formTokenField))) return;
	throw new ApiError("csrf_failed", { message: "This form was opened elsewhere, or is too old. Send it again" });
}

const isOurs = (deps: LinkPagesDeps, binding: FormBinding | undefined, given: string): boolean =>
	binding !== undefined && isFormToken(deps.secretKey, binding, given);

/** What was typed: a form sends its empty fields too. */
function filledFields(body: unknown): object {
	if (typeof body !== "object" || body === null) return {};
	return Object.fromEntries(
		Object.entries(body).filter(([, value]) => typeof value !== "string" || value.trim() !== ""),
	);
}
