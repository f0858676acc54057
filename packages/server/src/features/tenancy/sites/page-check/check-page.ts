import { fieldError } from "../../../../platform/errors/service-error.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import type { GuardedFetch, OutboundAnswer } from "../../../../platform/outbound/guarded-fetch.ts";
import { OutboundError } from "../../../../platform/outbound/outbound-error.ts";
import { admits, policiesIn } from "./content-policy.ts";
import { findTracker, type SeenPage, seePage } from "./see-page.ts";

const TIMEOUT_MS = 10_000;
/** Limit on the bytes read of a page. */
const MAX_BYTES = 1024 * 1024;

/** How a page with the tracker fares. */
export const verdicts = [
	"ok",
	"no_script",
	"other_site",
	"csp_blocks",
	"unreachable",
	"redirected",
	"not_html",
] as const;

/** Result of checking a page. */
export interface PageCheck {
	readonly url: string;
	/** Undefined when there was no answer. */
	readonly status?: number;
	readonly verdict: (typeof verdicts)[number];
	/** Why there was no answer. */
	readonly reason?: string;
	/** The site that the page's tracker counts for; undefined when the page has none. */
	readonly scriptSite?: string;
	/** Effect of the page's policy on the tracker; undefined if no page was loaded. */
	readonly csp?: {
		readonly scriptSrcOk: boolean;
		readonly connectSrcOk: boolean;
		readonly header?: string | undefined;
	};
	/** The page, or where it leads. */
	readonly finalUrl: string;
	readonly checkedAt: number;
}

interface PageCheckDeps {
	readonly clock: Clock;
	readonly guardedFetch: Pick<GuardedFetch, "urlFault" | "send">;
}

interface Expected {
	readonly siteId: string;
	/** Address of the tracker in the script tag of the site. */
	readonly trackerUrl: string;
}

/** Looks at a page as a browser without a script would: whether it loads the tracker of the site, and lets it send. Throws 422. */
export async function checkPage(deps: PageCheckDeps, url: string, expected: Expected): Promise<PageCheck> {
	const fault = deps.guardedFetch.urlFault(url);
	if (fault !== undefined) throw fieldError("body.url", fault);
	const answer = await opened(deps, url);
	const seen = { url, finalUrl: url, checkedAt: deps.clock.now() };
	if (answer instanceof OutboundError) return { ...seen, verdict: "unreachable", reason: answer.message };
	const { status, headers, body } = answer;
	if (status >= 300 && status < 400 && headers.location !== undefined) {
		return { ...seen, status, verdict: "redirected", finalUrl: targetOf(headers.location, url) };
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

/** Where a redirect leads; it may name anything, of which only pages are told. */
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
	const scriptSrcOk = admits(policies, page.url, asks);
	const connectSrcOk = admits(policies, page.url, { kind: "connect", url: new URL("event", tracker.url) });
	return {
		verdict: verdictOn(found?.siteId, siteId, scriptSrcOk && connectSrcOk),
		...(found && { scriptSite: found.siteId }),
		csp: { scriptSrcOk, connectSrcOk, header },
	};
}

function verdictOn(found: string | undefined, siteId: string, isAdmitted: boolean): PageCheck["verdict"] {
	if (found === undefined) return "no_script";
	if (found !== siteId) return "other_site";
	return isAdmitted ? "ok" : "csp_blocks";
}
