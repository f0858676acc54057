import type { FastifyRequest } from "fastify";
import type { ServiceError } from "../../errors/service-error.ts";
import { sentence } from "./form.ts";
import { html } from "./html.ts";

/** Addresses of programs: they answer JSON, also to a browser. */
const forPrograms = /^\/(api|mcp|\.well-known|event|t\.js|livez|readyz|health)(?=[/?]|$)/;

/** True when somebody sits at a browser and opens an address, or sends the form of a page: refusals are pages then. */
export function isBrowserVisit({ method, url, headers }: Pick<FastifyRequest, "method" | "url" | "headers">): boolean {
	const { accept = "", "content-type": type = "" } = headers;
	const isForm = method === "POST" && type.startsWith("application/x-www-form-urlencoded");
	const isVisit = isForm || method === "GET" || method === "HEAD";
	return isVisit && accept.includes("text/html") && !forPrograms.test(url);
}

/** Shown where no page is. */
export const unknownAddressPage = {
	title: "There is nothing at this address",
	body: html`<p>This is a server of Footfall, which counts visits to websites. It has no page here.</p>
<p>If a link in a mail led you here, it may have been cut off: copy the whole of it.</p>
<p><a href="/">Go to its first page</a></p>`,
};

/** Shown instead of a page that was asked for too often. */
export const tooManyRequestsPage = (retryAfter: number) => ({
	title: "Too many requests",
	body: html`<p>More was asked for from your network within a minute than this server answers. Nothing is lost, and links from mails are still valid.</p>
<p>Wait ${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}, then load this page again.</p>`,
});

/** Creates the page for an unexpected error; `advice` names the next step. */
export const failurePage =
	(advice: string) =>
	({ message }: Pick<ServiceError, "message">) => ({
		title: "That did not work",
		body: html`<p>${sentence(message)}</p>
<p>${advice}</p>`,
	});
