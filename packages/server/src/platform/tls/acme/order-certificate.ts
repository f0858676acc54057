import { calculateJwkThumbprint, exportJWK, FlattenedSign, generateKeyPair, importJWK, type JWK } from "jose";
import type { Clock } from "../../lib/clock.ts";
import { isRecord, parseJson } from "../../lib/is-record.ts";
import type { GuardedFetch, OutboundAnswer } from "../../outbound/guarded-fetch.ts";
import { type CertificatePair, readPair } from "../certificates.ts";

/** How often a decision of the authority is asked for, and how long each time is waited for at least. */
const LOOKS = 40;
const MAX_PAUSE_S = 30;
/** Where the authority names no time. */
const PAUSE_MS = 2000;

interface Order {
	readonly names: readonly string[];
	/** Says what the authority gets at `/.well-known/acme-challenge/{token}` until `end` is called. */
	readonly answer: (token: string) => { end(): void };
	readonly clock: Clock;
	readonly signal: AbortSignal;
}

/** Has a certificate issued (RFC 8555, 7.4): order, proof of each name over HTTP, request, certificate. */
export async function orderCertificate(session: AcmeSession, order: Order): Promise<CertificatePair> {
	const identifiers = order.names.map((value) => ({ type: "dns", value }));
	const opened = await session.post(await session.addressOf("newOrder"), { identifiers });
	for (const address of textsOf(opened.json.authorizations)) await prove(session, address, order);
	// Loaded when a certificate is due, some six times a year.
	const { requestCertificate } = await import("./certificate-request.ts");
	const { key, request } = await requestCertificate(order.names);
	await session.post(textOf(opened.json.finalize), { csr: request });
	const isIssued = ({ json }: AcmeAnswer) => json.status === "valid";
	const done = await lookUntil(session, opened.location, isIssued, order);
	const { body: cert } = await session.post(textOf(done.json.certificate));
	return checked(cert, key, order.names);
}

/** Shows that a name leads here, unless the authority knows it already. */
async function prove(session: AcmeSession, address: string, order: Order): Promise<void> {
	const { json } = await session.post(address);
	if (json.status === "valid") return;
	const offered = Array.isArray(json.challenges) ? json.challenges.filter(isRecord) : [];
	const challenge = offered.find(({ type }) => type === "http-01");
	if (challenge === undefined) throw new AcmeError("noChallenge");
	const answering = order.answer(textOf(challenge.token));
	try {
		await session.post(textOf(challenge.url), {});
		await lookUntil(session, address, (answer) => answer.json.status === "valid", order);
	} finally {
		answering.end();
	}
}

async function lookUntil(
	session: AcmeSession,
	address: string,
	isDone: (answer: AcmeAnswer) => boolean,
	{ clock, signal }: Order,
): Promise<AcmeAnswer> {
	for (let look = 0; look < LOOKS; look++) {
		const answer = await session.post(address);
		if (isDone(answer)) return answer;
		if (answer.json.status === "invalid") throw new AcmeError(refusalIn(answer.json));
		const pause = answer.retryAfter === undefined ? PAUSE_MS : Math.min(answer.retryAfter, MAX_PAUSE_S) * 1000;
		await clock.sleep(pause, signal);
	}
	throw new AcmeError("tookTooLong");
}

/** The problem of an order, or of the challenge of an authorization that failed. */
function refusalIn({ error, challenges }: Readonly<Record<string, unknown>>): string {
	const errors = [error, ...(Array.isArray(challenges) ? challenges.filter(isRecord).map((entry) => entry.error) : [])];
	return (
		errors
			.filter(isRecord)
			.map(problemName)
			.find((name) => name !== undefined) ?? "invalid"
	);
}

function checked(cert: string, key: string, names: readonly string[]): CertificatePair {
	try {
		const pair = readPair({ cert, key });
		if (names.every((name) => pair.names.includes(name))) return pair;
	} catch {}
	throw new AcmeError("wrongCertificate");
}

function textOf(value: unknown): string {
	if (typeof value !== "string" || value === "") throw new AcmeError("notADirectory");
	return value;
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf) : [textOf(undefined)]);

const LIMITS = { timeoutMs: 30_000, maxBytes: 256 * 1024 } as const;
/** A nonce may grow old between two requests; the answer brings a new one (RFC 8555, 6.5). */
const NONCE_ATTEMPTS = 4;

/** Answer of an authority to a signed request. */
interface AcmeAnswer {
	/** The parsed body; empty where it is no JSON. */
	readonly json: Readonly<Record<string, unknown>>;
	readonly body: string;
	/** The address of what was made, or an empty text. */
	readonly location: string;
	/** Seconds after which to ask again, where the authority says so. */
	readonly retryAfter: number | undefined;
}

interface SessionOptions {
	readonly fetch: GuardedFetch;
	readonly directoryUrl: string;
	readonly key: AcmeAccountKey;
	readonly signal: AbortSignal;
}

/** The conversation with an authority on behalf of one account key (RFC 8555, 6). */
export class AcmeSession {
	readonly #given: SessionOptions;
	#directory: Readonly<Record<string, unknown>> | undefined;
	#nonce: string | undefined;
	/** The account's address, by which it signs once it is known. */
	account: string | undefined;

	constructor(given: SessionOptions) {
		this.#given = given;
	}

	/** An address of the directory, such as `newOrder`. */
	async addressOf(name: string): Promise<string> {
		this.#directory ??= jsonOf(await this.#send({ url: this.#given.directoryUrl }));
		const address = this.#directory[name];
		if (typeof address !== "string") throw new AcmeError("notADirectory");
		return address;
	}

	/** Sends a signed request; without a payload it only reads (POST-as-GET). Throws `AcmeError` when it is refused. */
	async post(url: string, payload?: object): Promise<AcmeAnswer> {
		for (let attempt = 1; ; attempt++) {
			const nonce = this.#nonce ?? (await this.#newNonce());
			this.#nonce = undefined;
			const body = await this.#given.key.sign({ nonce, url, account: this.account }, payload);
			const answer = await this.#send({ url, body });
			if (answer.status < 400) return described(answer);
			const problem = problemOf(answer);
			if (problem.problem !== "badNonce" || attempt === NONCE_ATTEMPTS) throw problem;
		}
	}

	async #newNonce(): Promise<string> {
		const { headers } = await this.#send({ url: await this.addressOf("newNonce") });
		const nonce = headers["replay-nonce"];
		if (nonce === undefined) throw new AcmeError("notADirectory");
		return nonce;
	}

	async #send({ url, body }: { url: string; body?: string }): Promise<OutboundAnswer> {
		const signed = body === undefined ? {} : { method: "POST" as const, body };
		const headers = {
			"user-agent": "footfall",
			...(body !== undefined && { "content-type": "application/jose+json" }),
		};
		const { fetch, signal } = this.#given;
		const answer = await fetch.send({ ...LIMITS, ...signed, url, headers, signal });
		this.#nonce = answer.headers["replay-nonce"] ?? this.#nonce;
		return answer;
	}
}

const described = (answer: OutboundAnswer): AcmeAnswer => ({
	json: jsonOf(answer),
	body: answer.body,
	location: answer.headers.location ?? "",
	retryAfter: secondsOf(answer),
});

/** Only seconds: dates are of the authority's clock. */
function secondsOf({ headers }: OutboundAnswer): number | undefined {
	const text = headers["retry-after"] ?? "";
	return /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}

function problemOf(answer: OutboundAnswer): AcmeError {
	return new AcmeError(problemName(jsonOf(answer)) ?? `http_${answer.status}`, secondsOf(answer));
}

/** The name of a problem document's type, `urn:ietf:params:acme:error:…`. */
function problemName(problem: Readonly<Record<string, unknown>>): string | undefined {
	return typeof problem.type === "string"
		? /^urn:ietf:params:acme:error:(\w{1,60})$/.exec(problem.type)?.[1]
		: undefined;
}

function jsonOf({ body }: OutboundAnswer): Readonly<Record<string, unknown>> {
	const read = parseJson(body);
	return isRecord(read) ? read : {};
}

const ALGORITHM = "ES256";

interface Header {
	readonly nonce: string;
	readonly url: string;
	/** Address of the account; a request without one shows the key itself. */
	readonly account: string | undefined;
}

/** The key by which an authority knows the account. */
type AcmeAccountKey = Awaited<ReturnType<typeof openAccountKey>>;

/** The kept key, or a new one. */
export async function openAccountKey(kept: JWK | undefined) {
	const jwk = kept ?? (await newKey());
	const key = await importJWK(jwk, ALGORITHM);
	const { d: _secret, ...shown } = jwk;
	const thumbprint = await calculateJwkThumbprint(shown);
	return {
		/** The private key, to be kept. */
		jwk,
		/** Answer to a challenge with this token (RFC 8555, 8.1). */
		answerTo: (token: string) => `${token}.${thumbprint}`,
		/** A signed request; without a payload it only reads. */
		async sign({ nonce, url, account }: Header, payload?: object) {
			const bytes = new TextEncoder().encode(payload === undefined ? "" : JSON.stringify(payload));
			const known = account === undefined ? { jwk: shown } : { kid: account };
			const signed = await new FlattenedSign(bytes)
				.setProtectedHeader({ alg: ALGORITHM, nonce, url, ...known })
				.sign(key);
			return JSON.stringify(signed);
		},
	};
}

async function newKey(): Promise<JWK> {
	const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
	return exportJWK(privateKey);
}

/** A refusal by an authority (RFC 8555, 6.7), without its message, which quotes addresses. */
export class AcmeError extends Error {
	override readonly name = "AcmeError";
	/** The last part of the problem's type, such as `rateLimited`. */
	readonly problem: string;
	/** Seconds that the authority wants to be left alone. */
	readonly retryAfter: number | undefined;

	constructor(problem: string, retryAfter?: number) {
		super(meanings[problem] ?? `The authority refused it as ${problem}`);
		this.problem = problem;
		this.retryAfter = retryAfter;
	}
}

const unreached =
	"The authority could not fetch the answer at port 80 of a name in TLS_ACME_DOMAINS: does it lead here, through every firewall?";

/** Remedies for operators by problem. */
const meanings: Readonly<Record<string, string>> = {
	connection: unreached,
	unauthorized: unreached,
	incorrectResponse: unreached,
	dns: "The authority does not find the address of a name in TLS_ACME_DOMAINS: look at its DNS records",
	caa: "The CAA record of a name in TLS_ACME_DOMAINS forbids this authority",
	rejectedIdentifier: "The authority issues nothing for a name in TLS_ACME_DOMAINS",
	unsupportedIdentifier: "The authority issues nothing for a name in TLS_ACME_DOMAINS",
	rateLimited: "The authority has issued or refused too much lately; it is asked again later",
	invalidContact: "The authority does not take TLS_ACME_EMAIL",
	unsupportedContact: "The authority does not take TLS_ACME_EMAIL",
	externalAccountRequired:
		"The authority wants an account of its own, which is not supported: name another TLS_ACME_DIRECTORY",
	notADirectory: "TLS_ACME_DIRECTORY is no directory of an authority",
	wrongCertificate: "The authority issued a certificate for other names or another key",
	noChallenge: "The authority offers no http-01 challenge",
	tookTooLong: "The authority did not decide in time",
};
