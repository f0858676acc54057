import { Type } from "typebox";
import type { ServiceError } from "../../errors/service-error.ts";
import type { App } from "../app.ts";
import { receiveError } from "../error-handler.ts";
import { type Page, type Referrer, sendFailure } from "./page.ts";

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
export const MAX_FORM_BYTES = 16 * 1024;

const HtmlPage = Type.String({ description: "An HTML page" });

/** The schema of a route that answers with a page, but for its summary. */
export const pageSchema = (tag: string) => ({
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
