import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";
import type { ServiceError } from "../../errors/service-error.ts";
import { statusOf } from "../error-answers.ts";
import { tooManyRequestsPage } from "./error-pages.ts";
import { type Html, html } from "./html.ts";
import { pageStyle } from "./page-style.ts";

/** A page that the server renders; it works without JavaScript. */
export interface Page {
	/** Heading, and title of the window. */
	readonly title: string;
	readonly body: Html;
	/** True when a form came back with something to correct: said first in the title, which is what is read out first. */
	readonly hasErrors?: boolean;
}

/** Content security policy of pages: no script, no source but the icon, forms only to the service, no framing. */
const pagePolicy = [
	"default-src 'none'",
	`style-src 'sha256-${createHash("sha256").update(pageStyle).digest("base64")}'`,
	"img-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
].join("; ");

/** Referrer policy for links to other servers. */
export type Referrer = "same-origin" | "no-referrer";

/** Sends a page that is neither cached nor framed. `same-origin` lets forms say where they come from, `no-referrer` does not. */
export function sendPage(
	reply: FastifyReply,
	status: number,
	page: Page,
	referrer: Referrer = "same-origin",
): FastifyReply {
	return reply
		.code(status)
		.header("cache-control", "no-store")
		.header("content-security-policy", pagePolicy)
		.header("referrer-policy", referrer)
		.type("text/html; charset=utf-8")
		.send(render(page));
}

/** Sends the page for a failure, or for an exhausted limit of the address, as the subject was never checked then. */
export function sendFailure(
	reply: FastifyReply,
	{ code, retryAfter }: Pick<ServiceError, "code" | "retryAfter">,
	page: Page,
	referrer?: Referrer,
): FastifyReply {
	if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
	const { method, body, rateLimit } = reply.request;
	const isUnread = method === "GET" || method === "HEAD" || body === undefined || body === null;
	const isExhausted = rateLimit !== null && rateLimit !== "exempt" && rateLimit?.remaining === 0;
	const isLimit = code === "rate_limit_exceeded" && retryAfter !== undefined && isUnread && isExhausted;
	return sendPage(reply, statusOf(code), isLimit ? tooManyRequestsPage(retryAfter) : page, referrer);
}

/** The mark of the service, as the dashboard shows it; the name stands beside it, so it is silent. */
export const mark =
	'<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M8 22v-6m5.5 6V12m5.5 10V9m5 13v-8"/></svg>';

const render = ({ title, body, hasErrors = false }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${html`${hasErrors && "Error: "}${title} – Footfall`}</title>
<style>${pageStyle}</style>
</head>
<body>
<header><p class="service">${mark} Footfall</p></header>
<main>
<h1>${html`${title}`}</h1>
${body}
</main>
</body>
</html>
`;
