import { isRecord } from "../../lib/is-record.ts";
import type { GuardedFetch, OutboundAnswer } from "../../outbound/guarded-fetch.ts";
import type { AcmeAccountKey } from "./account-key.ts";
import { AcmeError } from "./acme-error.ts";

const LIMITS = { timeoutMs: 30_000, maxBytes: 256 * 1024 } as const;
/** A nonce may grow old between two requests; the answer brings a new one (RFC 8555, 6.5). */
const NONCE_ATTEMPTS = 4;

/** Answer of an authority to a signed request. */
export interface AcmeAnswer {
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
export function problemName(problem: Readonly<Record<string, unknown>>): string | undefined {
	return typeof problem.type === "string"
		? /^urn:ietf:params:acme:error:(\w{1,60})$/.exec(problem.type)?.[1]
		: undefined;
}

function jsonOf({ body }: OutboundAnswer): Readonly<Record<string, unknown>> {
	try {
		const read: unknown = JSON.parse(body);
		return isRecord(read) ? read : {};
	} catch {
		return {};
	}
}
