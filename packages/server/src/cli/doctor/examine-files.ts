import { readFile } from "node:fs/promises";
import { CertificateFault, readPair } from "../../platform/tls/certificate-pair.ts";
import { codeOf, findingsOf } from "./finding.ts";
import type { Examine } from "./patient.ts";

const files = findingsOf("certificate files");

/** The files of TLS: that a start could use them. */
export const examineCertificateFiles: Examine = async ({ config: { tlsCert, tlsKey } }) => {
	if (tlsCert === undefined || tlsKey === undefined) return [];
	try {
		const [cert, key] = await Promise.all([readFile(tlsCert, "utf8"), readFile(tlsKey, "utf8")]);
		readPair({ cert, key });
		return [files.ok("TLS_CERT and TLS_KEY belong together")];
	} catch (error) {
		const fix = "A start ends with this; a service that runs shows the certificate of before";
		if (!(error instanceof CertificateFault))
			return [files.fault(`TLS_CERT or TLS_KEY cannot be read (${codeOf(error)})`, fix)];
		return [files.fault(`${error.part === "key" ? "TLS_KEY" : "TLS_CERT"} ${error.message}`, fix)];
	}
};
