import { equalConstantTime, hmacHex } from "./crypto.ts";
import { randomToken } from "./ids.ts";

/** Header of a probe, and of its answer. */
export const PROBE_HEADER = "x-footfall-probe";

/** How a probe arrived, as the service sees requests. */
export interface ProbeFacts {
	/** By HTTPS, its own or that of a trusted proxy. */
	readonly isSecure: boolean;
	/** A proxy told where it came from. */
	readonly isForwarded: boolean;
	/** The service believes that proxy. */
	readonly isTrusted: boolean;
	/** Almost all hits come from addresses that many visitors share. */
	readonly sharesAddresses: boolean;
}

/** A question that only who holds the key can ask. */
export function makeProbe(key: Uint8Array): string {
	const nonce = randomToken(16);
	return `${nonce}.${hmacHex(key, `ask ${nonce}`)}`;
}

/** The answer that only who holds the key can give; undefined for a question of somebody else. */
export function answerProbe(key: Uint8Array, probe: unknown, facts: () => ProbeFacts): string | undefined {
	if (typeof probe !== "string" || probe.length > 200) return undefined;
	const [nonce = "", proof = ""] = probe.split(".");
	if (!equalConstantTime(proof, hmacHex(key, `ask ${nonce}`))) return undefined;
	const { isSecure, isForwarded, isTrusted, sharesAddresses } = facts();
	const told = [isSecure, isForwarded, isTrusted, sharesAddresses].map(Number).join("");
	return `${told}.${hmacHex(key, `answer ${nonce} ${told}`)}`;
}

/** Content of an answer; undefined if it is none to this probe. */
export function readProbeAnswer(key: Uint8Array, probe: string, answer: unknown): ProbeFacts | undefined {
	if (typeof answer !== "string") return undefined;
	const [nonce = ""] = probe.split(".");
	const [told = "", proof = ""] = answer.split(".");
	if (!equalConstantTime(proof, hmacHex(key, `answer ${nonce} ${told}`))) return undefined;
	const digits = [...told].map((digit) => digit === "1");
	const [isSecure = false, isForwarded = false, isTrusted = false, sharesAddresses = false] = digits;
	return { isSecure, isForwarded, isTrusted, sharesAddresses };
}
