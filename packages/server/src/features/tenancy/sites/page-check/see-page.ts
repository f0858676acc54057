import { tagsOf } from "./html-tags.ts";

interface Script {
	readonly url: URL;
	readonly nonce: string | undefined;
}

/** Facts of a loaded page. */
export interface SeenPage {
	readonly url: URL;
	/** Scripts of other addresses that run, in the order of the page. */
	readonly scripts: readonly Script[];
	/** Content policies that the page gives itself. */
	readonly policies: readonly string[];
}

/** A tracker in a page. */
interface Tracker extends Script {
	/** The site that it counts for. */
	readonly siteId: string;
}

const names = new Set(["base", "meta", "script"]);
/** Types that make a script one; consent banners give others until they are agreed to. */
const isRun = /^(module|(text|application)\/(x-)?(java|ecma)script)?$/i;
const isFetched = /^https?:$/;

/** Reads a page. */
export function seePage(address: string, html: string): SeenPage {
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
export function findTracker({ scripts }: SeenPage, siteId: string): Tracker | undefined {
	const trackers = scripts.flatMap((script) => {
		const id = script.url.searchParams.get("id");
		return script.url.pathname.endsWith("/t.js") && id ? [{ ...script, siteId: id }] : [];
	});
	return trackers.find((tracker) => tracker.siteId === siteId) ?? trackers[0];
}
