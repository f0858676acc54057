import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * Proves that the browser that ends an impersonation is the one that began it: a stolen access token of the
 * impersonation must not bring the superadmin's session.
 */
const NAME = "svc_impersonator_token";
const SECONDS = 3600;

const form = {
	httpOnly: true,
	sameSite: "strict",
	path: "/api/v1/admin/impersonate-user",
} as const satisfies CookieSerializeOptions;

/** Leaves the proof in the browser. */
export function setReturnCookie(reply: FastifyReply, token: string, secure: boolean): void {
	reply.setCookie(NAME, token, { ...form, secure, maxAge: SECONDS });
}

/** The proof that a request brings; empty when it has none. */
export const returnCookieOf = (request: FastifyRequest): string => request.cookies[NAME] ?? "";

/** Takes the proof out of the browser. */
export function clearReturnCookie(reply: FastifyReply, secure: boolean): void {
	reply.clearCookie(NAME, { ...form, secure });
}
