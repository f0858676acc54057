import type { Footfall } from "../footfall.d.ts";
import { watchPage } from "./watch-page.ts";
import type { Hit } from "./wire.ts";

// The server puts JSON literals in the place of these names; see the tracker-script slice.
declare const FOOTFALL_ID: string;
declare const FOOTFALL_ROOT: string;
declare const FOOTFALL_TOKEN: string;
declare const FOOTFALL_GROUP: string;
declare const FOOTFALL_AUTO: boolean;
declare const FOOTFALL_SPA: boolean;
/** Set by the build: the page asks for automatic events. */
declare const WITH_EVENTS: boolean;

declare global {
	interface Document {
		/** Prerendering Revamped (WICG); absent where a browser does not render ahead. */
		readonly prerendering?: boolean;
	}
}

// The customer's page comes first: whatever goes wrong in here stays in here.
const safe =
	<Input extends unknown[]>(work: (...input: Input) => void) =>
	(...input: Input) => {
		try {
			work(...input);
		} catch {}
	};

safe(() => {
	const stub = window.footfall as Footfall | undefined;
	// Frameworks that swap the body run the script tag again on each route: the first run goes on.
	if (stub?.accountId === FOOTFALL_ID) return;

	const tag = document.currentScript as HTMLScriptElement | null;
	// A sibling of the script's own address, so that a site which proxies the two stays first-party. A module has no current
	// script, an inline copy no address, and one within a bundle has the bundle's: then the address that the server filled in.
	const collector = new URL("event", tag?.src.includes(`id=${FOOTFALL_ID}`) ? tag.src : FOOTFALL_ROOT);
	// The collector reads no fragment, so the route of a hash router takes the place of what stands before it.
	const ending = tag?.dataset["hash"] == null ? /[?#].*/ : /\/?(\?[^#]*)?#!?(?=\/)|[?#].*/g;
	const page = () => location.href.replace(ending, "");
	const query = location.search;
	/** The latest hit; nothing before the first. */
	let sent: string | undefined;
	const address = () => page() + location.search;

	let url = address();
	let referrer = document.referrer;

	const send = (event: Partial<Hit>, g = FOOTFALL_GROUP) => {
		// Whatever a router did to the address before the first hit: that one tells where the visitor came from.
		if (sent && address() !== url) referrer = url;
		url = address();
		sent = JSON.stringify({
			a: FOOTFALL_ID,
			t: FOOTFALL_TOKEN,
			u: sent || location.search ? url : url + query,
			r: referrer,
			z: pv.tz,
			g,
			...event,
		});
		// A string goes as text/plain, which needs no CORS preflight.
		navigator.sendBeacon?.(collector, sent) ||
			fetch(collector, { method: "POST", keepalive: true, body: sent }).catch(safe);
	};

	const event = (m?: 1) =>
		safe((e: string, v?: unknown, x?: unknown) => {
			if (typeof v === "object") {
				x = v ?? x;
				v = undefined;
			}
			// JSON knows no NaN, which goes out as a text: the collector reads texts, and refuses by name what is no number.
			v = v === undefined || Number.isFinite(v) ? v : `${v}`;
			send({ e: `${e}`, m, v, x: typeof x === "object" ? x : undefined });
		});

	const pv = Object.assign(
		safe((options?: { group?: string }) => send({}, options?.group)),
		{
			conv: event(),
			micro: event(1),
			accountId: FOOTFALL_ID,
			sessionId: `${Math.random()}`,
			tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
			autoMode: FOOTFALL_AUTO,
			spaMode: FOOTFALL_SPA,
		},
	);
	window.footfall = Object.freeze(pv);

	// To replace the query, as searches and cleaned campaign links do, makes no other page; nor does an address that is
	// replaced before the first hit.
	const route = (_: unknown, isReplaced?: unknown) =>
		(isReplaced ? sent && page() !== url.split("?")[0] : address() !== url) && pv();
	const start = safe(() => {
		stub?.q?.forEach(
			safe(([marker, input]) => ({ pv, cv: pv.conv, mc: pv.micro })[marker](...(input as Parameters<typeof pv.conv>))),
		);
		if (top === self) {
			if (FOOTFALL_AUTO) {
				pv();
				// A page that comes back from the back/forward cache does not run again.
				addEventListener("pageshow", (event) => event.persisted && pv());
			}
			if (FOOTFALL_SPA) {
				(["pushState", "replaceState"] as const).forEach((name, isReplaced) => {
					const native = history[name];
					history[name] = (...input) => route(native.apply(history, input), isReplaced);
				});
				addEventListener("popstate", route);
			}
			if (WITH_EVENTS) watchPage(safe, pv.micro);
		}
	});
	// A page that the browser renders ahead of a click counts when it is shown.
	document.addEventListener("prerenderingchange", start);
	if (!document.prerendering) start();
})();
