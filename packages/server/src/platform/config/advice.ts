import type { Config } from "./config.ts";
import { rootUrl } from "./root-url.ts";
import { speaksTls } from "./tls-settings.ts";

/** Something in the settings that works, but hardly as it is meant. */
export interface Advice {
	readonly variable: string;
	/** Consequence and remedy: a sentence. */
	readonly message: string;
}

type AdvisedConfig = Pick<Config, "host" | "port" | "publicUrl" | "cookieSecure" | "tlsCert" | "tlsAcmeDomains">;

/** Advice on the settings for the operator; empty if there is none. */
export function adviceFor(config: AdvisedConfig): Advice[] {
	if (speaksTls(config) && config.publicUrl?.startsWith("http:") === true) return [plainAddress];
	return isPlainHttp(config) && config.cookieSecure ? [secureCookies(config)] : [];
}

/** True where browsers come by plain HTTP from other machines: on their own one they take secure cookies all the same. */
function isPlainHttp(config: AdvisedConfig): boolean {
	const { protocol, hostname } = new URL(rootUrl(config));
	const isElsewhere = config.publicUrl === undefined ? !isLoopback(config.host) : !isLoopback(hostname);
	return protocol === "http:" && isElsewhere;
}

const isLoopback = (host: string): boolean =>
	/^(localhost|.+\.localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host.toLowerCase());

const plainAddress: Advice = {
	variable: "PUBLIC_URL",
	message:
		"PUBLIC_URL begins with http:, though the service speaks TLS: links lead where nobody answers. Begin it with https:",
};

const secureCookies = ({ publicUrl }: AdvisedConfig): Advice => ({
	variable: publicUrl === undefined ? "PUBLIC_URL" : "COOKIE_SECURE",
	message:
		publicUrl === undefined
			? "PUBLIC_URL is not set: over plain HTTP from other machines browsers drop the secure cookies, and no form works. Give the address that browsers use"
			: "PUBLIC_URL begins with http:, and browsers drop secure cookies there: no form works. Put a proxy with HTTPS in front, or set COOKIE_SECURE=false in a network that you trust",
});
