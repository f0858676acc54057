import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../../errors/service-error.ts";
import { randomToken } from "../../lib/ids.ts";
import { checkOrigin } from "../check-origin.ts";
import { browserIn, type FormBinding, formTokenField, isFormToken } from "./form-token.ts";
import type { Referrer } from "./page.ts";

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
	throw new ServiceError("csrf_failed", { message: staleForm });
}
