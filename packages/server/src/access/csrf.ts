import { ServiceError } from "../platform/errors/service-error.ts";
import { deriveKey, equalConstantTime, hmacHex } from "../platform/lib/crypto.ts";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** The key of the CSRF tokens, from the server's secret. */
export const csrfKey = (secretKey: string): Uint8Array => deriveKey(secretKey, "csrf");

/** The session's CSRF token: bound to the session, so that a planted cookie pair does not pass. */
export const csrfToken = (key: Uint8Array, sessionId: string): string => hmacHex(key, sessionId);

/** Double-submit check of a request that a cookie signs in, with any of the keys; throws `csrf_failed`. */
export function checkCsrf(
	keys: readonly Uint8Array[],
	sessionId: string,
	request: { method: string; cookie: string | undefined; header: string | undefined },
): void {
	if (SAFE_METHODS.has(request.method)) return;
	const { cookie = "", header = "" } = request;
	const isOurs = keys.some((key) => equalConstantTime(header, csrfToken(key, sessionId)));
	if (!equalConstantTime(cookie, header) || !isOurs) throw new ServiceError("csrf_failed");
}
