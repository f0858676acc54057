import { type Static, Type } from "typebox";
import { uuid } from "../../../../platform/lib/ids.ts";
import { isRecord } from "../../../../platform/lib/is-record.ts";
import type { OAuthDeps } from "../deps.ts";
import { OAuthError } from "../protocol/parameters.ts";
import { clients } from "../store.ts";

const MAX_LENGTH = 1000;
const PRINTABLE = /^[\x21-\x7e]+$/;
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** Schemes that browsers and systems do something of their own with: none of them is an app's private one. */
const publicSchemes: ReadonlySet<string> = new Set(
	[
		"about blob chrome chrome-extension content data dns facetime feed file filesystem ftp ftps geo gopher intent",
		"itms itms-apps jar javascript ldap ldaps magnet mailto market message mid moz-extension msteams news nfs",
		"nntp onenote resource rtsp search search-ms sftp skype slack shell sip sips sms smb ssh tel telnet urn vbscript view-source webcal ws wss xmpp zoommtg zoomus",
	]
		.join(" ")
		.split(" ")
		.map((scheme) => `${scheme}:`),
);

/** Error in a redirect URI of an app; undefined if it is valid. */
export function redirectUriFault(text: string): string | undefined {
	if (text.length > MAX_LENGTH) return `has more than ${MAX_LENGTH} characters`;
	const url = PRINTABLE.test(text) && !text.includes("\\") ? URL.parse(text) : null;
	if (url === null) return "is not a URL";
	if (text.includes("#")) return "has a fragment";
	if (url.username !== "" || url.password !== "") return "has a user name or password";
	// The parser would mend what an app, or a proxy before it, may read otherwise.
	if (/^https?:/i.test(text) && !/^https?:\/\/[^/?*]+([/?]|$)/i.test(text)) return "names no host";
	if (url.protocol === "https:") return undefined;
	if (url.protocol === "http:")
		return LOOPBACK.has(url.hostname) ? undefined : "begins with http:// and is not loopback";
	// A scheme that begins with `ms-` starts a program of the system.
	const isPublic = publicSchemes.has(url.protocol) || url.protocol.startsWith("ms-");
	return isPublic ? "has a scheme that is not private to an app" : undefined;
}

const PORTLESS = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))((?:[/?].*)?)$/;
const WITH_PORT = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d{1,5}((?:[/?].*)?)$/;

/**
 * True when an address is one on loopback that was listed without a port, and now has the port that was free when the app
 * asked (RFC 8252, 7.3). Host, path and query are the same texts.
 */
export function isFreePortOf(listed: string, asked: string): boolean {
	const [, origin, rest] = PORTLESS.exec(listed) ?? [];
	const [, askedOrigin, askedRest] = WITH_PORT.exec(asked) ?? [];
	return origin !== undefined && origin === askedOrigin && rest === askedRest && redirectUriFault(asked) === undefined;
}

/** Where the address leads, in the words of the consent page: a host, or the private scheme of an app. */
export function redirectHost(text: string): string {
	const url = new URL(text);
	return url.protocol === "https:" || url.protocol === "http:" ? url.host : url.protocol;
}

/** The address with the parameters of an answer; its own parameters are kept (RFC 6749, 3.1.2). */
export function withAnswer(redirectUri: string, answer: Readonly<Record<string, string | undefined>>): string {
	const added = new URLSearchParams();
	for (const [name, value] of Object.entries(answer)) if (value !== undefined) added.set(name, value);
	const separator = !redirectUri.includes("?") ? "?" : /[?&]$/.test(redirectUri) ? "" : "&";
	return `${redirectUri}${separator}${added}`;
}

export interface OAuthClient {
	readonly id: string;
	readonly name: string;
	readonly redirectUris: readonly string[];
}

const DEFAULT_NAME = "MCP client";
const MAX_NAME = 255;
/** Characters that end a line, turn the direction of a text, or are half of one: no name needs them. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;
/** Characters that show nothing; emoji and some scripts have them too, so that a name just loses them. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The name that an app gives itself, as it can be shown; undefined when it cannot. Two that look alike are alike. */
export function clientName(given: unknown): string | undefined {
	if (given === undefined || given === null) return DEFAULT_NAME;
	if (typeof given !== "string" || given.length > MAX_NAME || MISLEADING.test(given)) return undefined;
	return given.replace(INVISIBLE, "").replace(/\s+/g, " ").trim() || DEFAULT_NAME;
}

/** A list of 1 to 10 different texts; undefined for anything else. */
export function redirectUriList(given: unknown): string[] | undefined {
	if (!Array.isArray(given) || given.length < 1 || given.length > MAX_REDIRECT_URIS) return undefined;
	return given.every((item) => typeof item === "string") ? [...new Set<string>(given)] : undefined;
}

/** Addresses that an app may name. */
const MAX_REDIRECT_URIS = 10;

/** A registration (RFC 7591, 3.2.1). */
export const RegisteredClient = Type.Object({
	client_id: Type.String(),
	client_id_issued_at: Type.Integer({ description: "Seconds since the Unix epoch" }),
	client_name: Type.String(),
	redirect_uris: Type.Array(Type.String()),
	token_endpoint_auth_method: Type.Literal("none"),
	grant_types: Type.Array(Type.String()),
	response_types: Type.Array(Type.String()),
});

/**
 * Registers an app that describes itself (RFC 7591); unknown fields are ignored.
 * Throws `invalid_redirect_uri` and `invalid_request`.
 */
export async function registerClient(deps: OAuthDeps, given: unknown): Promise<Static<typeof RegisteredClient>> {
	if (!isRecord(given)) throw new OAuthError("invalid_request", "The body must be a JSON object");
	const redirectUris = redirectUrisOf(given.redirect_uris);
	const name = clientName(given.client_name);
	if (name === undefined) {
		throw new OAuthError("invalid_request", "client_name must be a text of up to 255 characters, on one line");
	}
	// Public clients have no secret (OAuth 2.1, 2.1): PKCE does its work.
	if ((given.token_endpoint_auth_method ?? "none") !== "none") {
		throw new OAuthError("invalid_request", "token_endpoint_auth_method must be none");
	}
	const row = { id: uuid(), name, redirect_uris: JSON.stringify(redirectUris), created_at: deps.clock.now() };
	await clients.insert(deps.metadata, row);
	return {
		client_id: row.id,
		client_id_issued_at: Math.floor(row.created_at / 1000),
		client_name: name,
		redirect_uris: redirectUris,
		token_endpoint_auth_method: "none",
		grant_types: ["authorization_code", "refresh_token"],
		response_types: ["code"],
	};
}

function redirectUrisOf(given: unknown): string[] {
	const uris = redirectUriList(given);
	if (uris === undefined) {
		throw new OAuthError("invalid_redirect_uri", `redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} texts`);
	}
	for (const uri of uris) {
		const fault = redirectUriFault(uri);
		if (fault !== undefined) throw new OAuthError("invalid_redirect_uri", `A redirect URI ${fault}`);
	}
	return uris;
}
