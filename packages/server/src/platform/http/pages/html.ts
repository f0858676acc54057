import { escapeHtml } from "../../lib/escape-html.ts";

/** Markup. Only `html` makes it, so every text in it was escaped. */
export class Html {
	readonly #markup: string;

	/** Use `html`. */
	constructor(strings: TemplateStringsArray, values: readonly HtmlValue[]) {
		this.#markup = String.raw({ raw: strings }, ...values.map(markupOf));
	}

	toString(): string {
		return this.#markup;
	}
}

/** Values of a template: texts are escaped, markup is kept, lists are joined, `false` and `undefined` are omitted. */
export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

function markupOf(value: HtmlValue): string {
	if (value === undefined || value === false) return "";
	if (value instanceof Html) return value.toString();
	return typeof value === "object" ? value.map(markupOf).join("") : escapeHtml(String(value));
}

/** A template of HTML: inserted values are text, between tags or in a quoted attribute, unless a template made them. */
export const html = (strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html => new Html(strings, values);
