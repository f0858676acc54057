import "reflect-metadata";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as x509 from "@peculiar/x509";
import { calculateJwkThumbprint, flattenedVerify, importJWK, type JWK } from "jose";
import type { Clock } from "../../src/platform/lib/clock.ts";
import { listenLocally } from "./local-server.ts";

const DAY_MS = 86_400_000;
const PROBLEM = "urn:ietf:params:acme:error:";
const CURVE = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

interface Authorization {
	readonly name: string;
	readonly token: string;
	readonly account: string;
	status: "pending" | "valid" | "invalid";
	problem?: string;
}

interface Order {
	readonly authorizations: readonly string[];
	readonly names: readonly string[];
	status: "pending" | "ready" | "valid";
	certificate?: string;
}

interface Signed {
	readonly payload: Record<string, unknown> | undefined;
	readonly jwk: JWK;
	readonly account: string | undefined;
}

interface AcmeOptions {
	readonly clock: Clock;
	/** The port of this machine to which every name leads. */
	readonly challengePort: () => number;
	readonly lifeDays?: number;
}

class Problem extends Error {
	readonly status: number;
	readonly retryAfter: number | undefined;
	constructor(type: string, status = 403, retryAfter?: number) {
		super(type);
		this.status = status;
		this.retryAfter = retryAfter;
	}
}

/** An authority (RFC 8555) on a free port that verifies what it is sent, fetches challenges over HTTP, and issues by a clock. */
export async function openAcmeServer({ clock, challengePort, lifeDays = 90 }: AcmeOptions) {
	const issuer = await createIssuer(clock, lifeDays);
	const nonces = new Set<string>();
	const accounts = new Map<string, JWK>();
	const authorizations = new Map<string, Authorization>();
	const orders = new Map<string, Order>();
	const certificates = new Map<string, string>();
	const refusals: { kind: string; problem: Problem; left: number }[] = [];
	const asked: string[] = [];
	const contacts: unknown[] = [];
	let base = "";

	const verify = async (request: IncomingMessage, body: string): Promise<Signed> => {
		const jws = JSON.parse(body);
		const header = JSON.parse(Buffer.from(jws.protected, "base64url").toString());
		if (request.headers["content-type"] !== "application/jose+json") throw new Problem("malformed", 415);
		if (header.url !== base + request.url) throw new Problem("unauthorized", 401);
		if ((header.kid === undefined) === (header.jwk === undefined)) throw new Problem("malformed", 400);
		if (!nonces.delete(header.nonce)) throw new Problem("badNonce", 400);
		const jwk: JWK | undefined = header.jwk ?? accounts.get(header.kid);
		if (jwk === undefined) throw new Problem("accountDoesNotExist", 400);
		if ("d" in jwk) throw new Problem("badPublicKey", 400);
		const { payload } = await flattenedVerify(jws, await importJWK(jwk, header.alg));
		return {
			jwk,
			account: header.kid,
			payload: payload.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(payload)),
		};
	};

	/** Looks at the answer at the name, as the standard says: by plain HTTP, at the path of the token. */
	const validate = async (authorization: Authorization, jwk: JWK): Promise<void> => {
		const expected = `${authorization.token}.${await calculateJwkThumbprint(jwk)}`;
		const path = `/.well-known/acme-challenge/${authorization.token}`;
		const found = await fetchPlain(challengePort(), authorization.name, path).catch(() => undefined);
		authorization.status = found === expected ? "valid" : "invalid";
		if (found === undefined) authorization.problem = "connection";
		else if (found !== expected) authorization.problem = "unauthorized";
	};

	const answers: Record<string, (signed: Signed, id: string) => Promise<object | string> | object | string> = {
		newAccount: ({ jwk, payload }) => {
			if (payload?.termsOfServiceAgreed !== true) throw new Problem("userActionRequired");
			contacts.push(payload.contact);
			const known = [...accounts].find(([, other]) => other.x === jwk.x)?.[0];
			const location = known ?? `${base}/account/${accounts.size + 1}`;
			accounts.set(location, jwk);
			return { location, status: "valid" };
		},
		newOrder: ({ payload, account = "" }) => {
			const names = (payload as { identifiers: { value: string }[] }).identifiers.map(({ value }) => value);
			const made = names.map((name) => {
				const id = randomBytes(8).toString("hex");
				authorizations.set(id, { name, account, token: randomBytes(16).toString("base64url"), status: "pending" });
				return id;
			});
			const id = randomBytes(8).toString("hex");
			orders.set(id, { names, authorizations: made, status: "pending" });
			return { location: `${base}/order/${id}`, ...shownOrder(id) };
		},
		authorization: (_signed, id) => shownAuthorization(id),
		challenge: async ({ jwk, payload }, id) => {
			if (payload === undefined) throw new Problem("malformed", 400);
			await validate(given(authorizations, id), jwk);
			return { type: "http-01", status: "processing" };
		},
		order: (_signed, id) => shownOrder(id),
		finalize: async ({ payload }, id) => {
			const order = given(orders, id);
			const proven = order.authorizations.every((name) => given(authorizations, name).status === "valid");
			if (!proven) throw new Problem("orderNotReady");
			certificates.set(id, await issuer.issue(String(payload?.csr), order.names));
			order.status = "valid";
			return shownOrder(id);
		},
		certificate: (_signed, id) => given(certificates, id),
	};

	const shownOrder = (id: string) => {
		const { names, status, authorizations: of } = given(orders, id);
		return {
			status,
			identifiers: names.map((value) => ({ type: "dns", value })),
			authorizations: of.map((authorization) => `${base}/authorization/${authorization}`),
			finalize: `${base}/finalize/${id}`,
			...(status === "valid" && { certificate: `${base}/certificate/${id}` }),
		};
	};
	const shownAuthorization = (id: string) => {
		const { name, token, status, problem } = given(authorizations, id);
		const error = problem && { error: { type: `${PROBLEM}${problem}`, detail: `${name}: 203.0.113.9` } };
		const http = { type: "http-01", url: `${base}/challenge/${id}`, token, status, ...error };
		return {
			identifier: { type: "dns", value: name },
			status,
			challenges: [{ type: "dns-01", url: "", token, status }, http],
		};
	};

	const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const nonce = randomBytes(12).toString("base64url");
		nonces.add(nonce);
		response.setHeader("replay-nonce", nonce);
		const [, kind = "", id = ""] = (request.url ?? "").split("/");
		asked.push(kind);
		try {
			const refusal = refusals.find((entry) => entry.kind === kind && entry.left > 0);
			if (refusal !== undefined) {
				refusal.left -= 1;
				throw refusal.problem;
			}
			if (kind === "directory") return send(response, directoryOf(base));
			if (kind === "newNonce") return void response.writeHead(204).end();
			const answer = answers[kind];
			if (answer === undefined || request.method !== "POST") throw new Problem("malformed", 405);
			send(response, await answer(await verify(request, await text(request)), id));
		} catch (error) {
			const problem = error instanceof Problem ? error : new Problem("serverInternal", 500);
			if (problem.retryAfter !== undefined) response.setHeader("retry-after", String(problem.retryAfter));
			response.writeHead(problem.status, { "content-type": "application/problem+json" });
			response.end(JSON.stringify({ type: PROBLEM + problem.message, detail: "203.0.113.9 said no" }));
		}
	};

	const { port, close } = await listenLocally(createServer((request, response) => void handle(request, response)));
	base = `http://127.0.0.1:${port}`;
	return {
		directoryUrl: `${base}/directory`,
		/** Received requests, such as `newOrder`. */
		asked,
		contacts,
		root: issuer.root,
		/** Refuses the next requests of this kind with a problem. */
		refuse(kind: string, problem: string, { retryAfter, times = 1 }: { retryAfter?: number; times?: number } = {}) {
			refusals.push({ kind, problem: new Problem(problem, 429, retryAfter), left: times });
		},
		forgetAccounts: () => accounts.clear(),
		close,
	};
}

const directoryOf = (base: string) =>
	Object.fromEntries(["newNonce", "newAccount", "newOrder"].map((name) => [name, `${base}/${name}`]));

function send(response: ServerResponse, answer: object | string): void {
	if (typeof answer === "string") {
		response.writeHead(200, { "content-type": "application/pem-certificate-chain" }).end(answer);
		return;
	}
	const { location, ...body } = answer as { location?: string };
	response.writeHead(location === undefined ? 200 : 201, {
		"content-type": "application/json",
		...(location !== undefined && { location }),
	});
	response.end(JSON.stringify(body));
}

function given<Value>(map: ReadonlyMap<string, Value>, id: string): Value {
	const value = map.get(id);
	if (value === undefined) throw new Problem("malformed", 404);
	return value;
}

async function fetchPlain(port: number, host: string, path: string): Promise<string> {
	const request = httpRequest({ host: "127.0.0.1", port, path, headers: { host } });
	request.end();
	const [response] = (await once(request, "response")) as [IncomingMessage];
	return text(response);
}

/** Signs what was asked for with a root of its own. */
async function createIssuer(clock: Clock, lifeDays: number) {
	const keys = await crypto.subtle.generateKey(CURVE, true, ["sign", "verify"]);
	const name = "CN=Test Root";
	const signing = { signingAlgorithm: CURVE, notBefore: new Date(clock.now() - DAY_MS) };
	const root = await x509.X509CertificateGenerator.createSelfSigned({
		...signing,
		name,
		keys,
		notAfter: new Date(clock.now() + 3650 * DAY_MS),
		extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
	});
	return {
		root: root.toString("pem"),
		async issue(csr: string, names: readonly string[]): Promise<string> {
			const request = new x509.Pkcs10CertificateRequest(Buffer.from(csr, "base64url"));
			const wanted = request.extensions.find((extension) => extension instanceof x509.SubjectAlternativeNameExtension);
			const asked = wanted?.names.toJSON().map(({ value }) => value) ?? [];
			if (!(await request.verify()) || asked.join() !== names.join()) throw new Problem("badCSR", 400);
			const certificate = await x509.X509CertificateGenerator.create({
				signingAlgorithm: CURVE,
				notBefore: new Date(clock.now() - 3_600_000),
				notAfter: new Date(clock.now() + lifeDays * DAY_MS),
				issuer: name,
				subject: `CN=${names[0]}`,
				publicKey: request.publicKey,
				signingKey: keys.privateKey,
				extensions: [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: "dns" as const, value })))],
			});
			return `${certificate.toString("pem")}\n${root.toString("pem")}\n`;
		},
	};
}
