import type { App } from "../app.ts";

/** Lets the routes of a scope take HTML forms; a field that is given twice is a list, which no handler takes for a text. */
export function acceptForms(app: App): void {
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
