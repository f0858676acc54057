import { importPKCS8, SignJWT } from "jose";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import { errorOfAnswer, type GoogleAnswer, GoogleError, type GoogleRequest, patiently, sendOnce } from "./send.ts";

/**
 * Stored part of a service account's key file. Its addresses are ignored: requests never go to an address from the
 * file.
 */
export interface ServiceAccount {
	readonly client_email: string;
	/** PEM, PKCS #8. */
	readonly private_key: string;
	readonly private_key_id: string | null;
}

export const unusableKey = (why: string, cause?: unknown) =>
	new ServiceError("bad_request", {
		message: `The service account key cannot be used: ${why}`,
		detail: [{ field: "body.service_account", message: why, type: "key" }],
		cause,
	});

const email = /^[a-z0-9.-]{1,128}@[a-z0-9.-]{1,128}\.gserviceaccount\.com$/;

/** Reads the content of a key file; throws `bad_request` for what is none. */
export async function readServiceAccount(content: object): Promise<ServiceAccount> {
	const {
		type,
		client_email: address,
		private_key: key,
		private_key_id: keyId,
	} = content as Readonly<Record<string, unknown>>;
	if (type !== "service_account") throw unusableKey("its type is not service_account");
	if (typeof address !== "string" || !email.test(address)) {
		throw unusableKey("client_email names no service account");
	}
	if (typeof key !== "string") throw unusableKey("private_key is missing");
	try {
		await importPKCS8(key, "RS256");
	} catch (error) {
		throw unusableKey("private_key is no RSA key", error);
	}
	const isId = typeof keyId === "string" && /^[0-9a-zA-Z_-]{1,100}$/.test(keyId);
	return { client_email: address, private_key: key, private_key_id: isId ? keyId : null };
}

/** Whom an assertion is for, and where it is sent unless the operator names another host. */
const TOKEN_URL = "https://oauth2.googleapis.com/token";
const SCOPE = "https://www.googleapis.com/auth/bigquery";
const LIFETIME_SECONDS = 3600;
/** A token that ends so soon is not begun with. */
const SPARE_MS = 120_000;

/** A new token for a service account, by a signed assertion (RFC 7523). */
async function newToken(clock: Clock, url: string, account: ServiceAccount, signal: AbortSignal | undefined) {
	const assertion = await assertionOf(account, Math.floor(clock.now() / 1000));
	const { status, body } = await sendOnce(clock, {
		url,
		method: "POST",
		headers: { "content-type": "application/x-www-form-urlencoded" },
		body: new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion }).toString(),
		expects: [400, 401, 403],
		signal,
	});
	const said = (body ?? {}) as Readonly<Record<string, unknown>>;
	if (status >= 400) throw refusal(said);
	if (typeof said.access_token !== "string") throw new GoogleError("passing", "noToken", { detail: "No token came" });
	const seconds = typeof said.expires_in === "number" ? said.expires_in : LIFETIME_SECONDS;
	return { token: said.access_token, endsAt: clock.now() + seconds * 1000 };
}

/** Google says `invalid_grant` of a key that was deleted, and of an account that is gone or switched off. */
function refusal({ error, error_description: description }: Readonly<Record<string, unknown>>): GoogleError {
	const reason = typeof error === "string" ? error : "unauthorized";
	const detail = typeof description === "string" ? description : reason;
	return new GoogleError("key", reason, { detail: `Google does not accept the key: ${detail}` });
}

async function assertionOf(account: ServiceAccount, nowSeconds: number): Promise<string> {
	const key = await importPKCS8(account.private_key, "RS256");
	const keyId = account.private_key_id;
	return new SignJWT({ scope: SCOPE })
		.setProtectedHeader({ alg: "RS256", typ: "JWT", ...(keyId !== null && { kid: keyId }) })
		.setIssuer(account.client_email)
		.setAudience(TOKEN_URL)
		.setIssuedAt(nowSeconds)
		.setExpirationTime(nowSeconds + LIFETIME_SECONDS)
		.sign(key);
}

/** Sends requests with a token; another one is fetched once when it is no longer taken. */
export interface Authorized {
	once(request: GoogleRequest): Promise<GoogleAnswer>;
	/** Again when Google is busy: for what bears to be done twice. */
	patiently(request: GoogleRequest): Promise<GoogleAnswer>;
}

/** The way to Google for a service account; `base` is what the operator named in place of Google's own hosts. */
export function authorized(clock: Clock, account: ServiceAccount, base: string | undefined): Authorized {
	const tokenUrl = base === undefined ? TOKEN_URL : `${base}/token`;
	let held: { readonly token: string; readonly endsAt: number } | undefined;
	/** The one at hand, or a new one; `stale` is one that was refused, which is not given again. */
	const tokenFor = async (signal?: AbortSignal, stale?: string): Promise<string> => {
		if (held !== undefined && held.token !== stale && held.endsAt - SPARE_MS > clock.now()) return held.token;
		held = await patiently(clock, () => newToken(clock, tokenUrl, account, signal), signal);
		return held.token;
	};
	const withToken = (request: GoogleRequest, token: string) =>
		sendOnce(clock, {
			...request,
			headers: { ...request.headers, authorization: `Bearer ${token}` },
			expects: [...(request.expects ?? []), 401],
		});
	const once = async (request: GoogleRequest): Promise<GoogleAnswer> => {
		const token = await tokenFor(request.signal);
		const answer = await withToken(request, token);
		if (answer.status !== 401) return answer;
		const again = await withToken(request, await tokenFor(request.signal, token));
		if (again.status === 401) throw errorOfAnswer(401, again.body);
		return again;
	};
	return { once, patiently: (request) => patiently(clock, () => once(request), request.signal) };
}
