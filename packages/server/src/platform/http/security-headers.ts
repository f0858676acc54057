import type { FastifyCorsOptions } from "@fastify/cors";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Scripts of any origin may call the API with a key or a bearer token, but not with cookies: a foreign page cannot act as a user. */
export const corsOptions: FastifyCorsOptions = {
	origin: "*",
	credentials: false,
	methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
	allowedHeaders: [
		"Authorization",
		"Content-Type",
		"MCP-Protocol-Version",
		"X-API-Key",
		"X-CSRF-Token",
		"X-Provision-Key",
	],
	exposedHeaders: [
		"X-RateLimit-Limit",
		"X-RateLimit-Remaining",
		"X-RateLimit-Reset",
		"Retry-After",
		"WWW-Authenticate",
		"X-Request-ID",
	],
	maxAge: 86_400,
	// An `OPTIONS` request of something else than a browser gets the same answer.
	strictPreflight: false,
};

/** Policy of API answers that a browser opens directly: everything is forbidden. */
const policy = [
	"default-src 'none'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
	"object-src 'none'",
	"sandbox",
].join("; ");

/** The headers of every answer. A route that serves a page, or something to be cached, sets its own instead. */
export const securityHeaders = {
	"cache-control": "no-store",
	"content-security-policy": policy,
	"cross-origin-opener-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"origin-agent-cluster": "?1",
	"permissions-policy": "browsing-topics=(), camera=(), geolocation=(), microphone=(), payment=(), usb=()",
	"referrer-policy": "same-origin",
	"x-content-type-options": "nosniff",
	"x-dns-prefetch-control": "off",
	"x-download-options": "noopen",
	"x-frame-options": "DENY",
	"x-permitted-cross-domain-policies": "none",
	"x-xss-protection": "0",
} as const;

/** A year. Subdomains are left out: they may be other services, which still speak plain HTTP. */
export const transportHeader = { "strict-transport-security": "max-age=31536000" } as const;

/** Sets the headers of an answer; browsers are bound to HTTPS only where the service is reached by it. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply, isPublicHttps: boolean): void {
	reply.headers(securityHeaders);
	if (isPublicHttps || request.protocol === "https") reply.headers(transportHeader);
}
