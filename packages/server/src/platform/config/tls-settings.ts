interface TlsConfig {
	readonly port: number;
	readonly publicUrl: string | undefined;
	readonly tlsCert: string | undefined;
	readonly tlsKey: string | undefined;
	readonly tlsAcmeDomains: readonly string[] | undefined;
	readonly tlsAcmeEmail: string | undefined;
	readonly tlsHttpPort: number | undefined;
}

/** The port at which authorities look for the answers to their challenges. */
const CHALLENGE_PORT = 80;

/** True when the service itself speaks TLS, with certificates of files or of an authority. */
export const speaksTls = ({ tlsCert, tlsAcmeDomains }: Pick<TlsConfig, "tlsCert" | "tlsAcmeDomains">): boolean =>
	tlsCert !== undefined || tlsAcmeDomains !== undefined;

/** The port of plain HTTP beside TLS; undefined when there is none. */
export const plainPort = ({ tlsHttpPort, tlsAcmeDomains }: TlsConfig): number | undefined =>
	tlsHttpPort ?? (tlsAcmeDomains === undefined ? undefined : CHALLENGE_PORT);

/** True when browsers reach the service by HTTPS, by its own or by that of a proxy. */
export const isPublicHttps = (config: TlsConfig): boolean =>
	config.publicUrl?.startsWith("https:") ?? speaksTls(config);

/** Error in the combination of TLS settings: a line that names one; undefined if they are valid. */
export function tlsFault(config: TlsConfig): string | undefined {
	const { tlsCert, tlsKey, tlsAcmeDomains, tlsAcmeEmail, tlsHttpPort, port } = config;
	if (tlsCert !== undefined && tlsKey === undefined) return "TLS_KEY must name the key of TLS_CERT";
	if (tlsKey !== undefined && tlsCert === undefined) return "TLS_CERT must name the certificate of TLS_KEY";
	if (tlsCert !== undefined && tlsAcmeDomains !== undefined)
		return "TLS_ACME_DOMAINS must not be set with TLS_CERT: certificates come from files or from an authority";
	if (tlsAcmeDomains?.length === 0) return "TLS_ACME_DOMAINS must name at least one host";
	if (tlsAcmeEmail !== undefined && tlsAcmeDomains === undefined)
		return "TLS_ACME_DOMAINS must name the hosts whose certificate TLS_ACME_EMAIL stands for";
	if (tlsHttpPort !== undefined && !speaksTls(config))
		return "TLS_HTTP_PORT must not be set without TLS_CERT or TLS_ACME_DOMAINS: PORT is the port of plain HTTP then";
	if (speaksTls(config) && port !== 0 && plainPort(config) === port)
		return "TLS_HTTP_PORT must be another port than PORT";
	return undefined;
}
