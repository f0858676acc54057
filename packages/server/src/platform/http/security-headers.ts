import type { FastifyCorsOptions } from "@fastify/cors";
import type { FastifyHelmetOptions } from "@fastify/helmet";

/**
 * Scripts of any origin may call the API with a key or a bearer token. Cookies stay out (no credentials),
 * so a foreign page cannot act as a signed-in user.
 */
export const corsOptions: FastifyCorsOptions = {
	origin: "*",
	credentials: false,
	methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
	allowedHeaders: ["Authorization", "Content-Type", "X-API-Key", "X-CSRF-Token", "X-Provision-Key"],
	exposedHeaders: ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After", "X-Request-ID"],
	maxAge: 86_400,
};

/** Nothing of another origin is loaded, framed or sent to. */
export const helmetOptions: FastifyHelmetOptions = {
	contentSecurityPolicy: {
		useDefaults: false,
		directives: {
			defaultSrc: ["'self'"],
			baseUri: ["'none'"],
			formAction: ["'self'"],
			frameAncestors: ["'none'"],
			imgSrc: ["'self'", "data:"],
			objectSrc: ["'none'"],
		},
	},
	frameguard: { action: "deny" },
	// Other services of the same domain may still speak plain HTTP.
	strictTransportSecurity: { maxAge: 31_536_000, includeSubDomains: false },
	crossOriginResourcePolicy: { policy: "cross-origin" },
	referrerPolicy: { policy: "strict-origin-when-cross-origin" },
};
