import type { FastifyReply, FastifyRequest } from "fastify";
import type { Static, TSchema } from "typebox";
import { type BrowserSession, browserSession, checkOrigin, type Guard } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { receiveError } from "../../../platform/http/error-handler.ts";
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
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { randomToken } from "../../../platform/lib/ids.ts";
import type { LinkPagesDeps } from "./deps.ts";
import { type FormFrame, failurePage } from "./form.ts";

const guardOf = ({ admitsBoundSession = false }: PageRoute): Guard => ({
	kind: "public",
	caller: "form",
	...(admitsBoundSession && { boundSession: "admitted" }),
});
const schema = pageSchema("Links in mails");

/** The address of these pages is a secret, which no other page may learn. */
export const referrer = "no-referrer";

/** Tells browsers apart, so that a form that was opened in one is of no use in another. */
const browserCookie = "svc_link_browser";

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
export type Refuse = (refusal: ServiceError, visit: Visit) => Page | Promise<Page>;

interface PageRoute {
	/** The page that a mail leads to: its forms go to it, or below it. */
	readonly path: string;
	readonly summary: string;
	readonly refuse: Refuse;
	/** A session counts too that may do nothing else until its address is confirmed. */
	readonly admitsBoundSession?: boolean;
}

interface FormRoute<Body extends TSchema> extends PageRoute {
	/** Below the path. */
	readonly url?: string;
	readonly body: Body;
	readonly limit?: readonly RouteLimit[];
}

/** Registers the page that a mail leads to. It changes nothing: programs that look into mails open it too. */
export function showPage(
	pages: App,
	deps: LinkPagesDeps,
	route: PageRoute,
	answer: (visit: Visit) => Promise<Page>,
): void {
	const { path, summary, refuse } = route;
	pages.route({
		method: "GET",
		url: path,
		schema: { ...schema, summary },
		config: { guard: guardOf(route) },
		errorHandler: refusing(deps, path, refuse),
		handler: async (request, reply) => send(reply, await answer(visitOf(deps, path, request, reply))),
	});
}

/**
 * Registers what a form of such a page does. It is checked in this order: that these pages made the form, what was
 * typed, the limits of the route.
 */
export function takeForm<Body extends TSchema>(
	pages: App,
	deps: LinkPagesDeps,
	route: FormRoute<Body>,
	answer: (visit: Visit, body: Static<Body>) => Promise<Page | FastifyReply>,
): void {
	const { path, url = "", summary, refuse, body, limit = [] } = route;
	pages.route({
		method: "POST",
		url: path + url,
		schema: { ...schema, summary, body },
		config: { guard: guardOf(route), limit },
		bodyLimit: MAX_FORM_BYTES,
		preValidation: async (request) => {
			checkForm(deps, path, request);
			request.body = filledFields(request.body) as typeof request.body;
		},
		errorHandler: refusing(deps, path, refuse),
		handler: async (request, reply) => {
			const answered = await answer(visitOf(deps, path, request, reply), request.body as Static<Body>);
			return "title" in answered ? send(reply, answered) : answered;
		},
	});
}

const refusing =
	(deps: LinkPagesDeps, path: string, refuse: Refuse) =>
	async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const refusal = receiveError(error, request);
		const page = refusal.isOurs ? failurePage(refusal) : await refuse(refusal, visitOf(deps, path, request, reply));
		return sendFailure(reply, refusal, page, referrer);
	};

const send = (reply: FastifyReply, page: Page): FastifyReply => sendPage(reply, 200, page, referrer);

function visitOf(deps: LinkPagesDeps, path: string, request: FastifyRequest, reply: FastifyReply): Visit {
	const { browser = randomToken(), sessionId } = holderOf(request);
	reply.setCookie(browserCookie, browser, { httpOnly: true, sameSite: "lax", path, secure: deps.cookieSecure });
	const given = request.method === "POST" ? request.body : request.query;
	return {
		request,
		reply,
		session: browserSession(request.principal),
		frame: { formToken: formToken(deps.secretKey, { about: path, browser, sessionId }) },
		field: (name) => fieldOf(given, name),
	};
}

/** Who holds the forms of a request, as its cookies show. */
function holderOf({ server, headers, principal }: FastifyRequest): Omit<FormBinding, "about"> {
	const browser = browserIn(server.parseCookie(headers.cookie ?? "")[browserCookie]);
	return { browser, sessionId: browserSession(principal)?.sessionId };
}

/** Refuses a form that these pages did not make for this browser; throws `csrf_failed`. */
function checkForm(deps: LinkPagesDeps, path: string, request: FastifyRequest): void {
	const { origin, "sec-fetch-site": site = "none" } = request.headers;
	// A page that tells no other where it is makes the browser keep its origin to itself too.
	if (origin !== "null") checkOrigin(origin, request.host, deps.publicUrl);
	const holder = holderOf(request);
	const isFromHere = holder.browser !== undefined && (site === "same-origin" || site === "none");
	const given = fieldOf(request.body, formTokenField);
	if (isFromHere && isFormToken(deps.secretKey, { about: path, ...holder }, given)) return;
	throw new ServiceError("csrf_failed", { message: "This form was opened elsewhere, or is too old. Send it again" });
}

/** What was typed: a form sends its empty fields too. */
function filledFields(body: unknown): object {
	if (typeof body !== "object" || body === null) return {};
	return Object.fromEntries(
		Object.entries(body).filter(([, value]) => typeof value !== "string" || value.trim() !== ""),
	);
}
