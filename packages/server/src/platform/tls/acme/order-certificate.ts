import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/is-record.ts";
import { type CertificatePair, readPair } from "../certificate-pair.ts";
import { AcmeError } from "./acme-error.ts";
import { type AcmeAnswer, type AcmeSession, problemName } from "./acme-session.ts";

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
