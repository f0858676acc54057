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

// The page has priority: errors of the tracker never reach it.
const safe =
	<Input extends unknown[], Output>(work: (...input: Input) => Output) =>
	(...input: Input) => {
		try {
			return work(...input);
		} catch {}
		return;
	};

safe(() => {
	// An element with this id or a frame with this name too; reading a property of a frame may throw.
	const stub = self.footfall;
	const tag = document.currentScript as HTMLScriptElement | null;
	// A sibling of the script's own address, so that a site which proxies the two stays first-party. A module has no current
	// script, an inline copy no address, and one within a bundle has the bundle's: then the address that the server filled in.
	const collector = new URL("event", tag?.src.includes(`id=${FOOTFALL_ID}`) ? tag.src : FOOTFALL_ROOT);
	// The collector reads no fragment, so the route of a hash router takes the place of what stands before it.
	const page = (address = location.href) =>
		address.replace(tag?.dataset["hash"] != null ? /\/?(\?.*?)?#!?(?=\/)|[?#].*/g : /[?#].*/, "");
	/** Query of the arrival, until the first hit has carried it. */
	let arrival = location.search;
	const address = () => page() + (location.search || arrival);

	/** The address at the latest hit or change. */
	let url = address();
	let referrer = document.referrer;
	/** The latest hit; nothing before the first. */
	let sent: string | undefined;

	const send = (event: Partial<Hit>) => {
		let body: string;
		// Beacons and keepalive requests of a page share 64 KiB (Fetch §4.5). A plain request does not count among them, and ends
		// with the page.
		const post = (failed?: unknown) => fetch(collector, { method: "POST", body, keepalive: !failed });
		// A router may have changed the address before the first hit, whose referrer names the visitor's origin.
		if (sent && address() !== url) referrer = url;
		body = sent = JSON.stringify({
			a: FOOTFALL_ID,
			t: FOOTFALL_TOKEN,
			u: address(),
			r: referrer,
			z: pv.tz,
			g: FOOTFALL_GROUP,
			...event,
		});
		arrival = "";
		url = address();
		// A string goes as text/plain, which needs no CORS preflight.
		safe(() => navigator.sendBeacon(collector, body))() || post().catch(post).catch(safe);
	};

	// JSON knows no NaN, which goes out as a text: the collector reads texts, and counts 0 for one that is no amount.
	const textOf = (v: unknown, m?: 1) => {
		if (!m && /[^-+.,\d\s]/.test(v as string)) console.warn("footfall: bad amount", v);
		return `${v}`;
	};

	const event = (m?: 1) =>
		safe((e: string, v?: unknown, x?: unknown) =>
			send({
				e: `${e}`,
				m,
				v: Object(v) === v || v == null ? undefined : (v as number) - (v as number) === 0 ? v : textOf(v, m),
				x: [v, x].find((one) => Object(one) === one) as object | undefined,
			}),
		);

	const pv = Object.assign(
		safe((options?: { group?: string }) => send({ g: options?.group || FOOTFALL_GROUP })),
		{
			conv: event(),
			micro: event(1),
			accountId: FOOTFALL_ID,
			tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
			sessionId: `${Math.random()}`,
			autoMode: FOOTFALL_AUTO,
			spaMode: FOOTFALL_SPA,
		},
	);

	// To replace the query, as searches and cleaned campaign links do, makes no other page; nor does an address that is
	// replaced before the first hit. One change has several signals, of which the first counts.
	const route: (...change: unknown[]) => void = (type) => {
		if (/^r/.test(type as string) ? sent && page() !== page(url) : address() !== url) pv();
		url = address();
	};
	const start = safe(() => {
		safe(() =>
			(stub.q as NonNullable<Footfall["q"]>).forEach(
				safe(([marker, input]) =>
					({ cv: pv.conv, mc: pv.micro, pv })[marker](...(input as Parameters<typeof pv.conv>)),
				),
			),
		)();
		if (top === self) {
			if (FOOTFALL_AUTO) {
				pv();
				// A page that comes back from the back/forward cache does not run again.
				addEventListener("pageshow", (event) => event.persisted && pv());
			}
			if (WITH_EVENTS) watchPage(safe, pv.micro);
			if (FOOTFALL_SPA) {
				addEventListener("popstate", route);
				(["pushState", "replaceState"] as const).forEach((name) => {
					const native = history[name];
					history[name] = (...input) => route(name, native.apply(history, input));
				});
				// Routers on the Navigation API never call pushState. Last, as not every browser has it.
				navigation.addEventListener("currententrychange", (event) => route(event.navigationType));
			}
		}
	});
	// Frameworks that swap the body run the script tag again on each route: the first run continues.
	if (safe(() => stub.accountId)() !== FOOTFALL_ID) {
		// A page that the browser renders ahead of a click counts when it is shown.
		addEventListener("prerenderingchange", start, true);
		if (!document.prerendering) start();
		// Last, as it throws in a module where the page has fixed the name.
		self.footfall = Object.freeze(pv);
	}
})();
