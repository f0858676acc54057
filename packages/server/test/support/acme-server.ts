import "reflect-metadata";
import { randomBytes } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { calculateJwkThumbprint, flattenedVerify, importJWK, type JWK } from "jose";
import type { Clock } from "../../src/platform/lib/clock.ts";
import { askPlainly } from "./ask-plainly.ts";
import { type GotRequest, type Reply, serveLocally } from "./local-server.ts";

const DAY_MS = 86_400_000;
const PROBLEM = "urn:ietf:params:acme:error:";
const CURVE = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

interface Authorization {
	readonly name: string;
	readonly token: string;
	status: "pending" | "valid" | "invalid";
	problem?: string;
}

interface Order {
	readonly names: readonly string[];
	/** Ids of authorizations, one for each name. */
	readonly authorizations: readonly string[];
	certificate?: string;
}

interface Signed {
	readonly payload: Record<string, unknown> | undefined;
	readonly jwk: JWK;
}

type Sent = Exclude<Reply, string>;

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
	const refusals: { kind: string; problem: Problem; left: number }[] = [];
	const asked: string[] = [];
	const contacts: unknown[] = [];
	let base = "";

	const verify = async ({ path, headers, body }: GotRequest): Promise<Signed> => {
		const jws = JSON.parse(body.toString());
		const header = JSON.parse(Buffer.from(jws.protected, "base64url").toString());
		if (headers["content-type"] !== "application/jose+json") throw new Problem("malformed", 415);
		if (header.url !== base + path) throw new Problem("unauthorized", 401);
		if ((header.kid === undefined) === (header.jwk === undefined)) throw new Problem("malformed", 400);
		if (!nonces.delete(header.nonce)) throw new Problem("badNonce", 400);
		const jwk: JWK | undefined = header.jwk ?? accounts.get(header.kid);
		if (jwk === undefined) throw new Problem("accountDoesNotExist", 400);
		if ("d" in jwk) throw new Problem("badPublicKey", 400);
		const { payload } = await flattenedVerify(jws, await importJWK(jwk, header.alg));
		return { jwk, payload: payload.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(payload)) };
	};

	/** Looks at the answer at the name, as the standard says: by plain HTTP, at the path of the token. */
	const validate = async (authorization: Authorization, jwk: JWK): Promise<void> => {
		const { token, name: host } = authorization;
		const url = `http://127.0.0.1:${challengePort()}/.well-known/acme-challenge/${token}`;
		const found = await askPlainly(url, { headers: { host } }).catch(() => undefined);
		const isRight = found?.text === `${token}.${await calculateJwkThumbprint(jwk)}`;
		authorization.status = isRight ? "valid" : "invalid";
		if (!isRight) authorization.problem = found === undefined ? "connection" : "unauthorized";
	};

	const isProven = (id: string) => given(authorizations, id).status === "valid";
	const orderOf = (id: string): object => {
		const { names, authorizations: of, certificate } = given(orders, id);
		return {
			status: certificate === undefined ? "pending" : "valid",
			identifiers: names.map((value) => ({ type: "dns", value })),
			authorizations: of.map((authorization) => `${base}/authorization/${authorization}`),
			finalize: `${base}/finalize/${id}`,
			...(certificate !== undefined && { certificate: `${base}/certificate/${id}` }),
		};
	};

	const answers: Record<string, (id: string, signed: Signed) => Sent | Promise<Sent>> = {
		newAccount: (_, { jwk, payload }) => {
			if (payload?.termsOfServiceAgreed !== true) throw new Problem("userActionRequired");
			contacts.push(payload.contact);
			const known = [...accounts].find(([, other]) => other.x === jwk.x)?.[0];
			const location = known ?? `${base}/account/${accounts.size + 1}`;
			accounts.set(location, jwk);
			return { status: 201, headers: { location }, body: { status: "valid" } };
		},
		newOrder: (_, { payload }) => {
			const names = (payload as { identifiers: { value: string }[] }).identifiers.map(({ value }) => value);
			const made = names.map((name): [string, Authorization] => {
				return [newId(), { name, token: randomBytes(16).toString("base64url"), status: "pending" }];
			});
			for (const [id, authorization] of made) authorizations.set(id, authorization);
			const id = newId();
			orders.set(id, { names, authorizations: made.map(([authorization]) => authorization) });
			return { status: 201, headers: { location: `${base}/order/${id}` }, body: orderOf(id) };
		},
		authorization: (id) => {
			const { name, token, status, problem } = given(authorizations, id);
			const error = problem && { error: { type: `${PROBLEM}${problem}`, detail: `${name}: 203.0.113.9` } };
			const http = { type: "http-01", url: `${base}/challenge/${id}`, token, status, ...error };
			const challenges = [{ type: "dns-01", url: "", token, status }, http];
			return { body: { identifier: { type: "dns", value: name }, status, challenges } };
		},
		challenge: async (id, { jwk, payload }) => {
			if (payload === undefined) throw new Problem("malformed", 400);
			await validate(given(authorizations, id), jwk);
			return { body: { type: "http-01", status: "processing" } };
		},
		order: (id) => ({ body: orderOf(id) }),
		finalize: async (id, { payload }) => {
			const order = given(orders, id);
			if (!order.authorizations.every(isProven)) throw new Problem("orderNotReady");
			order.certificate = await issuer.issue(String(payload?.csr), order.names);
			return { body: orderOf(id) };
		},
		certificate: (id) => {
			const { certificate = "" } = given(orders, id);
			return { headers: { "content-type": "application/pem-certificate-chain" }, body: certificate };
		},
	};

	const answer = async (request: GotRequest): Promise<Sent> => {
		const [, kind = "", id = ""] = request.path.split("/");
		asked.push(kind);
		try {
			const refusal = refusals.find((entry) => entry.kind === kind && entry.left > 0);
			if (refusal !== undefined) {
				refusal.left -= 1;
				throw refusal.problem;
			}
			if (kind === "directory") return { body: directoryOf(base) };
			if (kind === "newNonce") return { status: 204 };
			const answered = answers[kind];
			if (answered === undefined || request.method !== "POST") throw new Problem("malformed", 405);
			return await answered(id, await verify(request));
		} catch (error) {
			const { status, message, retryAfter } = error instanceof Problem ? error : new Problem("serverInternal", 500);
			const headers = {
				"content-type": "application/problem+json",
				...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
			};
			return { status, headers, body: { type: PROBLEM + message, detail: "203.0.113.9 said no" } };
		}
	};

	const { port, close } = await serveLocally(async (request) => {
		const nonce = randomBytes(12).toString("base64url");
		nonces.add(nonce);
		const reply = await answer(request);
		return { ...reply, headers: { ...reply.headers, "replay-nonce": nonce } };
	});
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

const newId = () => randomBytes(8).toString("hex");

const directoryOf = (base: string) =>
	Object.fromEntries(["newNonce", "newAccount", "newOrder"].map((name) => [name, `${base}/${name}`]));

function given<Value>(map: ReadonlyMap<string, Value>, id: string): Value {
	const value = map.get(id);
	if (value === undefined) throw new Problem("malformed", 404);
	return value;
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
