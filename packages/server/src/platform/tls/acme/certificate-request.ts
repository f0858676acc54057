// The library below looks for decorators' metadata as soon as it is loaded.
import "reflect-metadata";
import { KeyObject } from "node:crypto";
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from "@peculiar/x509";

const CURVE = { name: "ECDSA", namedCurve: "P-256" } as const;

/** A new private key, and the request (PKCS #10, base64url of its DER) for a certificate of these names. */
export async function requestCertificate(names: readonly string[]): Promise<{ key: string; request: string }> {
	const keys = await crypto.subtle.generateKey(CURVE, true, ["sign", "verify"]);
	const request = await Pkcs10CertificateRequestGenerator.create({
		keys,
		signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
		extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: "dns" as const, value })))],
	});
	const key = KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" });
	return { key: String(key), request: Buffer.from(request.rawData).toString("base64url") };
}
