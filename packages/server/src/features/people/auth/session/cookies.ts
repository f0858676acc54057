import type { CookieSerializeOptions } from "@fastify/cookie";
import type { FastifyReply } from "fastify";
import { ACCESS_TOKEN_SECONDS, cookieNames } from "../../../../access/index.ts";
import type { SessionSecrets } from "./open-session.ts";

/** How each cookie travels, next to `Secure`. */
const forms = {
	access: { httpOnly: true, sameSite: "lax", path: "/" },
	refresh: { httpOnly: true, sameSite: "strict", path: "/api/v1/auth" },
	csrf: { httpOnly: false, sameSite: "lax", path: "/" },
} as const satisfies Record<keyof typeof cookieNames, CookieSerializeOptions>;

export function setSessionCookies(reply: FastifyReply, secrets: SessionSecrets, secure: boolean): void {
	const set = (cookie: keyof typeof forms, value: string, maxAge: number) =>
		reply.setCookie(cookieNames[cookie], value, { ...forms[cookie], secure, maxAge });
	set("access", secrets.accessToken, ACCESS_TOKEN_SECONDS);
	set("refresh", secrets.refreshToken, secrets.secondsLeft);
	set("csrf", secrets.csrfToken, secrets.secondsLeft);
}

export function clearSessionCookies(reply: FastifyReply, secure: boolean): void {
	for (const cookie of ["access", "refresh", "csrf"] as const) {
		reply.clearCookie(cookieNames[cookie], { ...forms[cookie], secure });
	}
}
