import { type Static, Type } from "typebox";
import { fieldError } from "../../../../platform/errors/service-error.ts";
import { Nullable, OneOf, Timestamp } from "../../../../platform/http/schemas.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import type { GuardedFetch, OutboundAnswer } from "../../../../platform/outbound/guarded-fetch.ts";
import { OutboundError } from "../../../../platform/outbound/outbound-error.ts";
import { tagsOf } from "./html-tags.ts";

interface Asked {
	readonly kind: keyof typeof chains;
	readonly url: URL;
	/** The nonce of the tag. */
	readonly nonce?: string | undefined;
}

/** Which directives decide on a kind of request, the first that there is. */
const chains = {
	script: ["script-src-elem", "script-src", "default-src"],
	connect: ["connect-src", "default-src"],
} as const;

const policiesIn = (header: string): string[] => header.split(",").filter((policy) => policy.trim() !== "");

/** Whether a page with these policies may ask for that (Content Security Policy Level 3, 6.7.2): each of them has to agree. */
const admits = (policies: readonly string[], page: URL, asked: Asked): boolean =>
	policies.every((policy) => admittedBy(policy, page, asked));

function admittedBy(policy: string, page: URL, { kind, url, nonce }: Asked): boolean {
	const directives = directivesOf(policy);
	const sources = chains[kind].map((name) => directives.get(name)).find((list) => list !== undefined);
	if (sources === undefined) return true;
	if (nonce !== undefined && sources.includes(`'nonce-${nonce}'`)) return true;
	// Under it, scripts count by nonce or hash alone.
	if (kind === "script" && sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false;
	return sources.some((source) => covers(source, page, url));
}

/** Of a directive that is given twice, the first one counts. */
function directivesOf(policy: string): ReadonlyMap<string, readonly string[]> {
	const directives = new Map<string, readonly string[]>();
	for (const text of policy.split(";")) {
		const [name = "", ...sources] = text.trim().split(/\s+/);
		const key = name.toLowerCase();
		if (key !== "" && !directives.has(key)) directives.set(key, sources);
	}
	return directives;
}

const schemeSource = /^([a-z][a-z\d+.-]*):$/i;
const hostSource = /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|(?:\*\.)?[^:/*]+)(?::(\d+|\*))?(\/.*)?$/i;

function covers(source: string, page: URL, url: URL): boolean {
	if (source === "*") return true;
	if (source.toLowerCase() === "'self'") return url.origin === page.origin;
	const scheme = schemeSource.exec(source)?.[1];
	if (scheme !== undefined) return isScheme(`${scheme}:`, url);
	const [, ofScheme, host, port, path] = hostSource.exec(source) ?? [];
	if (host === undefined) return false;
	return (
		isScheme(ofScheme === undefined ? page.protocol : `${ofScheme}:`, url) &&
		isHost(host.toLowerCase(), url) &&
		isPort(port, url) &&
		isPath(path, url)
	);
}

const isScheme = (scheme: string, { protocol }: URL): boolean =>
	scheme.toLowerCase() === protocol || (scheme.toLowerCase() === "http:" && protocol === "https:");

const isHost = (host: string, { hostname }: URL): boolean =>
	host === "*" || host === hostname || (host.startsWith("*.") && hostname.endsWith(host.slice(1)));

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

const isPort = (port: string | undefined, url: URL): boolean =>
	port === "*" || (port === undefined ? url.port === "" : port === (url.port || defaultPorts[url.protocol]));

const isPath = (path: string | undefined, { pathname }: URL): boolean =>
	path === undefined || (path.endsWith("/") ? pathname.startsWith(path) : pathname === path);

interface Script {
	readonly url: URL;
	readonly nonce: string | undefined;
}

interface SeenPage {
	readonly url: URL;
	/** Scripts of other addresses that run, in the order of the page. */
	readonly scripts: readonly Script[];
	readonly policies: readonly string[];
}

interface Tracker extends Script {
	readonly siteId: string;
}

const names = new Set(["base", "meta", "script"]);
/** Types that make a script one; consent banners give others until they are agreed to. */
const isRun = /^(module|(text|application)\/(x-)?(java|ecma)script)?$/i;
const isFetched = /^https?:$/;

function seePage(address: string, html: string): SeenPage {
	const url = new URL(address);
	let base: URL | undefined;
	const scripts: Script[] = [];
	const policies: string[] = [];
	for (const { name, attributes } of tagsOf(html, names)) {
		const get = (attribute: string) => attributes.get(attribute);
		if (name === "base") base ??= URL.parse(get("href") ?? "", url) ?? undefined;
		if (name === "meta" && get("http-equiv")?.toLowerCase() === "content-security-policy") {
			policies.push(get("content") ?? "");
		}
		const src = name === "script" && isRun.test((get("type") ?? "").trim()) ? get("src") : undefined;
		const script = src === undefined ? null : URL.parse(src, base ?? url);
		if (script !== null && isFetched.test(script.protocol)) scripts.push({ url: script, nonce: get("nonce") });
	}
	return { url, scripts, policies };
}

/** The tracker of the site in a page, else the first of another site. A proxy may hand it on from any host. */
function findTracker({ scripts }: SeenPage, siteId: string): Tracker | undefined {
	const trackers = scripts.flatMap((script) => {
		const id = script.url.searchParams.get("id");
		return script.url.pathname.endsWith("/t.js") && id ? [{ ...script, siteId: id }] : [];
	});
	return trackers.find((tracker) => tracker.siteId === siteId) ?? trackers[0];
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;

const verdicts = ["ok", "no_script", "other_site", "csp_blocks", "unreachable", "redirected", "not_html"] as const;

const IsAdmitted = (what: string) => Type.Boolean({ description: `Whether the page's content policy admits ${what}` });
export const PageCheckAnswer = Type.Object({
	url: Type.String(),
	status: Nullable(Type.Integer({ description: "HTTP status; null when there was no answer", examples: [200] })),
	verdict: OneOf(verdicts),
	reason: Type.Optional(Type.String({ description: "Why there was no answer", examples: ["No answer in time"] })),
	script_found: Type.Boolean({ description: "The page loads a tracker" }),
	script_site: Nullable(Type.String({ description: "The site that the tracker reports to; null without a tracker" })),
	csp: Nullable(
		Type.Object({
			script_src_ok: IsAdmitted("the script"),
			connect_src_ok: IsAdmitted("what it sends"),
			header: Nullable(Type.String({ description: "`Content-Security-Policy` of the page; null where it sends none" })),
		}),
	),
	final_url: Type.String({ description: "The page, or its redirect target: redirects are not followed" }),
	checked_at: Timestamp(),
});
type PageCheck = Static<typeof PageCheckAnswer>;

interface PageCheckDeps {
	readonly clock: Clock;
	readonly guardedFetch: Pick<GuardedFetch, "urlFault" | "send">;
}

interface Expected {
	readonly siteId: string;
	readonly trackerUrl: string;
}

/** Looks at a page as a browser without a script would: whether it loads the tracker of the site, and lets it send. Throws 422. */
export async function checkPage(deps: PageCheckDeps, url: string, expected: Expected): Promise<PageCheck> {
	const fault = deps.guardedFetch.urlFault(url);
	if (fault !== undefined) throw fieldError("body.url", fault);
	const answer = await opened(deps, url);
	const seen = {
		url,
		status: null,
		script_found: false,
		script_site: null,
		csp: null,
		final_url: url,
		checked_at: timestamp(deps.clock.now()),
	};
	if (answer instanceof OutboundError) return { ...seen, verdict: "unreachable", reason: answer.message };
	const { status, headers, body } = answer;
	if (status >= 300 && status < 400 && headers.location !== undefined) {
		return { ...seen, status, verdict: "redirected", final_url: targetOf(headers.location, url) };
	}
	if (status < 200 || status >= 300) return { ...seen, status, verdict: "unreachable" };
	if (!isHtml(headers["content-type"])) return { ...seen, status, verdict: "not_html" };
	return { ...seen, status, ...judge(seePage(url, body), expected, headers["content-security-policy"]) };
}

async function opened({ guardedFetch }: PageCheckDeps, url: string): Promise<OutboundAnswer | OutboundError> {
	const headers = { accept: "text/html,application/xhtml+xml", "user-agent": "Footfall page check" };
	try {
		return await guardedFetch.send({ url, headers, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, excess: "cut" });
	} catch (error) {
		if (error instanceof OutboundError) return error;
		throw error;
	}
}

/** Target of a redirect; only http and https targets are returned. */
function targetOf(location: string, from: string): string {
	const target = URL.parse(location, from);
	return target !== null && /^https?:$/.test(target.protocol) ? target.href : from;
}

const isHtml = (type: string | undefined): boolean =>
	type === undefined || /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i.test(type);

/** A page without a tracker is judged as if it had the site's: so its policy can be put right before the tag goes in. */
function judge(page: SeenPage, { siteId, trackerUrl }: Expected, header: string | undefined) {
	const found = findTracker(page, siteId);
	const tracker = found ?? { url: new URL(trackerUrl), siteId };
	const policies = [...policiesIn(header ?? ""), ...page.policies];
	const asks = { kind: "script", url: tracker.url, nonce: found?.nonce } as const;
	const script_src_ok = admits(policies, page.url, asks);
	const connect_src_ok = admits(policies, page.url, { kind: "connect", url: new URL("event", tracker.url) });
	return {
		verdict: verdictOn(found?.siteId, siteId, script_src_ok && connect_src_ok),
		script_found: found !== undefined,
		script_site: found?.siteId ?? null,
		csp: { script_src_ok, connect_src_ok, header: header ?? null },
	};
}

function verdictOn(found: string | undefined, siteId: string, isAdmitted: boolean): PageCheck["verdict"] {
	if (found === undefined) return "no_script";
	if (found !== siteId) return "other_site";
	return isAdmitted ? "ok" : "csp_blocks";
}
