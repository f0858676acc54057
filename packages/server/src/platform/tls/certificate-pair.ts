import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";

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
