import { ConfigError } from "../platform/config/config.ts";
import { CertificateFault } from "../platform/tls/certificate-pair.ts";
import type { Certificates } from "../platform/tls/certificates.ts";
import type { RouteDeps } from "./app-deps.ts";

type CertificateDeps = Pick<RouteDeps, "config" | "clock" | "log" | "operatorFetch">;

/** The certificates of this process; undefined where TLS belongs to a proxy. Throws `ConfigError` when they cannot be used. */
export async function openCertificates(deps: CertificateDeps): Promise<Certificates | undefined> {
	const { config, clock, log, operatorFetch: fetch } = deps;
	const { tlsCert: certFile, tlsKey: keyFile, tlsAcmeDomains: domains } = config;
	if (certFile !== undefined && keyFile !== undefined) {
		const { openFileCertificates } = await import("../platform/tls/file-certificates.ts");
		return namingSetting(() => openFileCertificates({ certFile, keyFile, clock, log }));
	}
	if (domains === undefined) return undefined;
	const { openAcmeCertificates } = await import("../platform/tls/acme/acme-certificates.ts");
	const { dataDir, tlsAcmeEmail: email, tlsAcmeDirectory: directoryUrl } = config;
	return openAcmeCertificates({ dataDir, domains, email, directoryUrl, clock, log, fetch });
}

function namingSetting<Result>(open: () => Result): Result {
	try {
		return open();
	} catch (error) {
		if (!(error instanceof CertificateFault)) throw error;
		throw new ConfigError(`${error.part === "cert" ? "TLS_CERT" : "TLS_KEY"} ${error.message}`);
	}
}
