import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../../errors/service-error.ts";
import { deriveKey, equalConstantTime, hmacHex } from "../../lib/crypto.ts";
import { randomToken } from "../../lib/ids.ts";
import { checkOrigin } from "../check-origin.ts";
import type { Referrer } from "./page.ts";

/** Name of the hidden field that shows that a form was made by the service. */
export const formTokenField = "form_token";

/** To what a form is bound. */
export interface FormBinding {
	/** Subject: a page, or the one question that it answers. */
	readonly about: string;
	/** Identifies a browser; see `browserIn`. */
	readonly browser?: string | undefined;
	readonly sessionId?: string | undefined;
}

/** The token that a form carries: another page cannot know it, and it is valid for one form and one visitor. */
export const formToken = (secretKey: string, { about, browser = "", sessionId = "" }: FormBinding): string =>
	hmacHex(deriveKey(secretKey, "page-forms"), JSON.stringify([about, browser, sessionId]));

/** True for the token of a form that was bound so. */
const isFormToken = (secretKey: string, binding: FormBinding, given: string): boolean =>
	equalConstantTime(given, formToken(secretKey, binding));

/** The browser's identity in a cookie, if it has the form of one of ours. */
const browserIn = (cookie: string | undefined): string | undefined =>
	cookie !== undefined && /^[A-Za-z0-9_-]{43}$/.test(cookie) ? cookie : undefined;

/** How pages know their own forms again. */
export interface FormKeeping {
	readonly secretKey: string;
	readonly publicUrl: string | undefined;
	readonly referrer: Referrer;
	readonly staleForm: string;
}

/** Identifies a browser. */
export interface BrowserCookie {
	readonly name: string;
	readonly path: string;
	readonly secure: boolean;
}

/** The browser's identity from the cookie; a new one if there is none, which no form was made for. */
export function browserOf({ server, headers }: FastifyRequest, { name }: BrowserCookie): string {
	return browserIn(server.parseCookie(headers.cookie ?? "")[name]) ?? randomToken();
}

/** Sets the cookie. It comes along when another site leads the browser here, and no script reads it. */
export function markBrowser(reply: FastifyReply, { name, path, secure }: BrowserCookie, browser: string): void {
	reply.setCookie(name, browser, { httpOnly: true, sameSite: "lax", path, secure });
}

/** Refuses a form that these pages did not make for who sends it, or that comes from elsewhere; throws `csrf_failed`. */
export function checkForm(
	{ secretKey, publicUrl, referrer, staleForm }: FormKeeping,
	{ request, field }: { readonly request: FastifyRequest; field(name: string): string },
	binding: FormBinding | undefined,
): void {
	const { origin, "sec-fetch-site": site = "none" } = request.headers;
	// A page that tells no other where it is makes the browser keep its origin to itself too.
	const hidesOrigin = referrer === "no-referrer";
	if (!hidesOrigin || origin !== "null") checkOrigin(origin, request.host, publicUrl);
	if (binding === undefined) return;
	const isFromHere = !hidesOrigin || site === "same-origin" || site === "none";
	if (isFromHere && isFormToken(secretKey, binding, field(formTokenField))) return;
	throw new ServiceError("csrf_failed", staleForm);
}
