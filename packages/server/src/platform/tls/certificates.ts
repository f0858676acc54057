import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { Cancel, Clock } from "../lib/clock.ts";

/** The certificate that a TLS server of this process shows, wherever it comes from. */
export interface Certificates {
	/** Undefined while an authority has not issued the first one. */
	current(): CertificatePair | undefined;
	/** Tells of each new one. */
	onChange(listener: (pair: CertificatePair) => void): void;
	/** Answer to an authority at `/.well-known/acme-challenge/{token}`; undefined for an unknown token. */
	challengeAnswer(token: string): string | undefined;
	/** Times in a row that a new certificate could not be had. */
	failures(): number;
	/** Does what is due now: reads files that changed, or has the certificate renewed. Never rejects. */
	look(): Promise<void>;
	/** Looks by itself from now on. */
	start(): void;
	close(): Promise<void>;
}

/** Listeners for changes. */
export function createListeners() {
	const listeners: ((pair: CertificatePair) => void)[] = [];
	return {
		add: (listener: (pair: CertificatePair) => void) => void listeners.push(listener),
		tell: (pair: CertificatePair) => {
			for (const listener of listeners) listener(pair);
		},
	};
}

/** Calls `look` at once and again every so many milliseconds, one at a time. */
export function lookEvery(clock: Clock, ms: number, look: () => Promise<void>) {
	let running: Promise<void> | undefined;
	let cancel: Cancel | undefined;
	const once = () => {
		running ??= look().finally(() => {
			running = undefined;
		});
	};
	return {
		start: () => {
			once();
			cancel ??= clock.every(ms, once);
		},
		stop: async () => {
			cancel?.();
			await running;
		},
	};
}

/** A certificate with its chain and its private key, which belong together. */
export interface CertificatePair {
	/** PEM, the server's own certificate first. */
	readonly cert: string;
	readonly key: string;
	/** Milliseconds since the Unix epoch. */
	readonly beginsAt: number;
	readonly endsAt: number;
	/** The host names that it is for, in small letters. */
	readonly names: readonly string[];
}

/** Why a certificate cannot be used: which of both files is at fault, in a sentence without their content. */
export class CertificateFault extends Error {
	override readonly name = "CertificateFault";
	readonly part: "cert" | "key";

	constructor(part: "cert" | "key", message: string, cause?: unknown) {
		super(message, { cause });
		this.part = part;
	}
}

/** Reads a pair from PEM texts. Throws `CertificateFault`. */
export function readPair({ cert, key }: { readonly cert: string; readonly key: string }): CertificatePair {
	const own = parse("cert", "holds no certificate in PEM", () => new X509Certificate(cert));
	const secret: KeyObject = parse("key", "holds no private key in PEM without a password", () => createPrivateKey(key));
	if (!own.checkPrivateKey(secret)) throw new CertificateFault("key", "is not the key of the certificate");
	parse("cert", "cannot be used for TLS", () => createSecureContext({ cert, key }));
	return {
		cert,
		key,
		beginsAt: Date.parse(own.validFrom),
		endsAt: Date.parse(own.validTo),
		names: namesOf(own),
	};
}

function parse<Result>(part: "cert" | "key", message: string, read: () => Result): Result {
	try {
		return read();
	} catch (error) {
		throw new CertificateFault(part, message, error);
	}
}

const namesOf = ({ subjectAltName = "" }: X509Certificate): string[] =>
	[...subjectAltName.matchAll(/DNS:([^\s,"]+)/g)].map(([, name = ""]) => name.toLowerCase());
