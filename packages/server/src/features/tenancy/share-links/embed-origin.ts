import { isIPv4 } from "node:net";
import { fieldError } from "../../../platform/errors/service-error.ts";

// The origin is written into a header of the page, so a host consists of letters, digits, dots and hyphens only.
const HOST = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const IPV6 = /^\[[0-9a-f:.]+\]$/;

/** An origin in its one way of being written; undefined for what is more, less or no origin. */
function canonical(text: string): string | undefined {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
	const isHost = HOST.test(url.hostname) || isIPv4(url.hostname) || IPV6.test(url.hostname);
	const isBare = url.href === `${url.origin}/` && !/[?#@]/.test(text);
	return isHost && isBare ? url.origin : undefined;
}

/** Origins, each once; 422 on the first that has not just scheme, host and port. */
export function embedOrigins(texts: readonly string[]): string[] {
	const origins = texts.map((text, at) => {
		const origin = canonical(text.trim());
		if (origin !== undefined) return origin;
		const message = "Must be scheme, host and port of a page, such as https://www.example.com";
		throw fieldError(`body.embed_origins.${at}`, message, "origin");
	});
	return [...new Set(origins)];
}
