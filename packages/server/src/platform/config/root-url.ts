import type { Config } from "./config.ts";
import { speaksTls } from "./tls-settings.ts";

const HTTPS_PORT = 443;

/** The address under which people reach the service, without a slash at its end: where links in mails lead. */
export function rootUrl(config: Pick<Config, "publicUrl" | "host" | "port" | "tlsCert" | "tlsAcmeDomains">): string {
	const { publicUrl, host, port, tlsAcmeDomains } = config;
	if (publicUrl !== undefined) return publicUrl;
	const isEveryInterface = host === "0.0.0.0" || host === "::";
	const name = tlsAcmeDomains?.[0] ?? (isEveryInterface ? "localhost" : host.includes(":") ? `[${host}]` : host);
	if (!speaksTls(config)) return `http://${name}:${port}`;
	return `https://${name}${port === HTTPS_PORT ? "" : `:${port}`}`;
}
