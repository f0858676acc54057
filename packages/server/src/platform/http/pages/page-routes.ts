import type { FastifyContextConfig, FastifyReply, FastifyRequest } from "fastify";
import { type Static, type TSchema, Type } from "typebox";
import type { ServiceError } from "../../errors/service-error.ts";
import type { App } from "../app.ts";
import { receiveError } from "../error-handler.ts";
import { checkForm, type FormBinding, type FormKeeping } from "./check-form.ts";
import { type Page, type Referrer, sendFailure, sendPage } from "./page.ts";

/** Lets the routes of a scope take HTML forms; a field that is given twice is a list, which no handler takes for a text. */
function acceptForms(app: App): void {
	app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string" }, (_request, body, done) =>
		done(null, readForm(String(body))),
	);
}

function readForm(text: string): Record<string, unknown> {
	const fields = Map.groupBy(new URLSearchParams(text), ([name]) => name);
	return Object.fromEntries(
		[...fields].map(([name, pairs]) => [name, pairs.length === 1 ? pairs[0]?.[1] : pairs.map(([, value]) => value)]),
	);
}

/** A field of a form or of a query string, trimmed; empty when it is missing or given twice. */
export function fieldOf(fields: unknown, name: string): string {
	if (typeof fields !== "object" || fields === null || !Object.hasOwn(fields, name)) return "";
	const value: unknown = (fields as Record<string, unknown>)[name];
	return typeof value === "string" ? value.trim() : "";
}

/** Size limit of a page's form. */
const MAX_FORM_BYTES = 16 * 1024;

const HtmlPage = Type.String({ description: "An HTML page" });

/** The schema of a route that answers with a page, but for its summary. */
const pageSchema = (tag: string) => ({
	tags: [tag],
	hide: true,
	response: {
		303: Type.Null(),
		...Object.fromEntries([200, 400, 401, 403, 404, 409, 413, 422, 429, 500, 503].map((status) => [status, HtmlPage])),
	},
});

interface Failing {
	readonly failurePage: (failure: ServiceError) => Page;
	readonly referrer?: Referrer;
}

/** Opens a scope for pages: their routes take forms, and failures are answered with a page. */
export function openPages(app: App, { failurePage, referrer }: Failing, register: (pages: App) => void): void {
	app.register(async (scope) => {
		const pages = scope as App;
		acceptForms(pages);
		pages.setErrorHandler((error, request, reply) => {
			const failure = receiveError(error, request);
			return sendFailure(reply, failure, failurePage(failure), referrer);
		});
		register(pages);
	});
}

/** A look at a page, or a form that was sent from one. */
export interface PageVisit {
	readonly request: FastifyRequest;
	readonly reply: FastifyReply;
	/** A trimmed value of the address or of a form field. */
	field(name: string): string;
	show(page: Page, status?: number): FastifyReply;
	/** Leads on by 303, so that no form is sent twice. */
	leadTo(address: string): FastifyReply;
}

/** The page that shows a refusal. */
export type Refuse<Visit> = (refusal: ServiceError, visit: Visit) => Page | Promise<Page>;

/** To what a form is bound: the session in which it was opened, or the browser without a signed-in user. */
type FormHolder = "session" | "browser";

/** How the pages for one purpose know their own forms again. */
interface KnownForms<Visit> extends FormKeeping {
	/** To what the forms of a visit are bound; undefined where nothing is done, so that any form will do. */
	readonly binding: (visit: Visit, holder: FormHolder) => FormBinding | undefined;
}

/** Forms that need nothing but the address: programs may send them without having loaded the page. */
interface AnybodysForms {
	readonly isForPrograms: true;
}

/** Common properties of the pages for one purpose. */
export type PageSet<Visit extends PageVisit> = SetOfPages<Visit> & (KnownForms<Visit> | AnybodysForms);

interface SetOfPages<Visit> {
	readonly tag: string;
	readonly referrer: Referrer;
	/** The visit with what these pages are about; undefined where there is nothing to see. */
	readonly look: (seen: PageVisit) => Visit | undefined | Promise<Visit | undefined>;
	/** Shown with 404 where there is nothing to see. */
	readonly nothingPage?: Page;
	readonly failurePage: (failure: ServiceError) => Page;
	/** True when the form comes back, with a token that counts, also for what was refused before anybody looked at it. */
	readonly refusesEarly?: boolean;
}

type Config = Required<FastifyContextConfig>;

interface PageRoute<Visit> extends Pick<Config, "guard"> {
	readonly url: string;
	readonly summary: string;
	/** Without it, refusals are failures. */
	readonly refuse?: Refuse<Visit>;
}

interface FormRoute<Visit, Body extends TSchema> extends PageRoute<Visit> {
	readonly limit?: Config["limit"];
	readonly holder?: FormHolder;
	/** Required fields; empty ones count as missing. */
	readonly body?: Body;
}

type Answered = Page | FastifyReply;

/** Registers a page. Opening it changes nothing: programs that look into mails do so too. */
export function showPage<Visit extends PageVisit>(
	pages: App,
	set: PageSet<Visit>,
	route: PageRoute<Visit>,
	answer: (visit: Visit) => Promise<Answered>,
): void {
	const { visits, send, ...common } = answering(set, route);
	pages.route({
		...common,
		method: "GET",
		schema: { ...pageSchema(set.tag), summary: route.summary },
		handler: async (request, reply) => {
			const visit = await set.look(seenIn(set, request, reply));
			if (visit === undefined) return sendNothing(set, reply);
			visits.set(request, visit);
			return send(reply, await answer(visit));
		},
	});
}

/** Registers what a form of a page does. It checks that there is something to see, who made the form, its fields, the limits, in this order. */
export function takeForm<Visit extends PageVisit, Body extends TSchema>(
	pages: App,
	set: PageSet<Visit>,
	route: FormRoute<Visit, Body>,
	answer: (visit: Visit, body: Static<Body>) => Promise<Answered>,
): void {
	const { visits, send, ...common } = answering(set, route);
	const { holder = "browser", body, limit = [] } = route;
	pages.route({
		...common,
		method: "POST",
		schema: { ...pageSchema(set.tag), summary: route.summary, ...(body !== undefined && { body }) },
		config: { ...common.config, limit },
		bodyLimit: MAX_FORM_BYTES,
		preValidation: async (request, reply) => {
			const visit = await set.look(seenIn(set, request, reply));
			if (visit === undefined) return sendNothing(set, reply);
			if (!("isForPrograms" in set)) checkForm(set, visit, set.binding(visit, holder));
			visits.set(request, visit);
			if (body !== undefined) request.body = filledFields(request.body) as typeof request.body;
		},
		handler: async (request, reply) => {
			const visit = visits.get(request);
			if (visit === undefined) throw new Error("A form was not looked at");
			return send(reply, await answer(visit, request.body as Static<Body>));
		},
	});
}

function answering<Visit extends PageVisit>(set: PageSet<Visit>, { url, guard, refuse }: PageRoute<Visit>) {
	const visits = new WeakMap<FastifyRequest, Visit>();
	// A reply is awaited like a promise, and is nothing once it has left.
	const send = (reply: FastifyReply, answered: Answered | undefined): FastifyReply =>
		answered !== undefined && "title" in answered ? sendPage(reply, 200, answered, set.referrer) : reply;
	const errorHandler = refuse && refusing(set, refuse, visits);
	return { url, config: { guard }, visits, send, ...(errorHandler && { errorHandler }) };
}

/** Failures before these pages' own checks are handled elsewhere, unless their forms are returned even then. */
function refusing<Visit extends PageVisit>(
	set: PageSet<Visit>,
	refuse: Refuse<Visit>,
	visits: WeakMap<FastifyRequest, Visit>,
) {
	const lookAgain = (request: FastifyRequest, reply: FastifyReply) =>
		set.refusesEarly === true ? set.look(seenIn(set, request, reply)) : undefined;
	return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const refusal = receiveError(error, request);
		const visit = refusal.isOurs ? undefined : (visits.get(request) ?? (await lookAgain(request, reply)));
		const page = visit === undefined ? set.failurePage(refusal) : await refuse(refusal, visit);
		return sendFailure(reply, refusal, page, set.referrer);
	};
}

const sendNothing = (
	{ nothingPage, referrer }: Pick<SetOfPages<PageVisit>, "nothingPage" | "referrer">,
	reply: FastifyReply,
): FastifyReply => {
	if (nothingPage === undefined) throw new Error("Pages without anything to see need a page that says so");
	return sendPage(reply, 404, nothingPage, referrer);
};

function seenIn({ referrer }: { referrer: Referrer }, request: FastifyRequest, reply: FastifyReply): PageVisit {
	const given = request.method === "POST" ? request.body : request.query;
	return {
		request,
		reply,
		field: (name) => fieldOf(given, name),
		show: (page, status = 200) => sendPage(reply, status, page, referrer),
		leadTo: (address) => reply.header("referrer-policy", referrer).redirect(address, 303),
	};
}

/** Filled fields: a form sends its empty ones too. */
function filledFields(body: unknown): object {
	if (typeof body !== "object" || body === null) return {};
	return Object.fromEntries(
		Object.entries(body).filter(([, value]) => typeof value !== "string" || value.trim() !== ""),
	);
}
