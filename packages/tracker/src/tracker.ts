import type { Hit } from "./wire.ts";

// The server puts JSON literals in the place of these names; see the tracker-script slice.
declare const FOOTFALL_ID: string;
declare const FOOTFALL_ROOT: string;
declare const FOOTFALL_TOKEN: string;
declare const FOOTFALL_GROUP: string;
declare const FOOTFALL_AUTO: boolean;
declare const FOOTFALL_SPA: boolean;

type Props = Record<string, unknown>;

interface Footfall {
	(options?: { group?: string }): void;
	conv(type: string, amount?: number, props?: Props): void;
	micro(type: string, props?: Props): void;
	readonly accountId: string;
	readonly sessionId: string;
	readonly tz: string;
	readonly autoMode: boolean;
	readonly spaMode: boolean;
	/** Calls made on a stub before the script came. */
	q?: ["pv" | "cv" | "mc", ArrayLike<unknown>][];
}

declare global {
	interface Window {
		footfall?: Footfall;
	}
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
	const stub = window.footfall;
	// Frameworks that swap the body run the script tag again on each route: the first run goes on.
	if (stub?.accountId === FOOTFALL_ID) return;

	// A sibling of the script's own address, so that a site which proxies the two stays first-party.
	// A module has no current script: then the address that the server filled in.
	const collector = new URL("event", (document.currentScript as HTMLScriptElement | null)?.src ?? FOOTFALL_ROOT);
	const sessionId = `${Math.random()}`;
	const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
	const address = () => location.href.split("#")[0] as string;

	const query = location.search;
	/** The latest hit; nothing before the first. */
	let sent: string | undefined;

	let url = address();
	let referrer = document.referrer;

	const send = (event: Partial<Hit>, group?: string) => {
		const now = address();
		// Whatever a router did to the address before the first hit: that one tells where the visitor came from.
		if (sent && now !== url) referrer = url;
		url = now;
		sent = JSON.stringify({
			a: FOOTFALL_ID,
			s: sessionId,
			t: FOOTFALL_TOKEN,
			u: sent || location.search ? url : url + query,
			r: referrer,
			z: tz,
			c: Date.now(),
			g: `${group || FOOTFALL_GROUP}`,
			...event,
		});
		// A string goes as text/plain, which needs no CORS preflight.
		navigator.sendBeacon?.(collector, sent) ||
			fetch(collector, { method: "POST", keepalive: true, body: sent }).catch(safe);
	};

	const pv = safe((options?: { group?: string }) => send({}, options?.group));
	const cv = safe((type: string, amount?: number, props?: Props) =>
		send({ e: `${type}`, v: [amount].find(Number.isFinite), x: props }),
	);
	const mc = safe((type: string, props?: Props) => send({ e: `${type}`, m: 1, x: props }));

	window.footfall = Object.freeze(
		Object.assign(pv, {
			conv: cv,
			micro: mc,
			accountId: FOOTFALL_ID,
			sessionId,
			tz,
			autoMode: FOOTFALL_AUTO,
			spaMode: FOOTFALL_SPA,
		}),
	);

	// An address that is replaced before the first hit is still that of the same page.
	const route = (_: unknown, isReplaced?: unknown) => {
		if (address() !== url && (sent || !isReplaced)) pv();
	};
	const start = safe(() => {
		stub?.q?.forEach(
			safe(([marker, input]) =>
				(({ pv, cv, mc })[marker] as (...input: unknown[]) => void).apply(0, input as unknown[]),
			),
		);
		if (top === self) {
			if (FOOTFALL_AUTO) pv();
			if (FOOTFALL_SPA) {
				(["pushState", "replaceState"] as const).forEach((name, isReplaced) => {
					const native = history[name];
					history[name] = (...input) => route(native.apply(history, input), isReplaced);
				});
				addEventListener("popstate", route);
			}
		}
	});
	// A page that the browser renders ahead of a click counts when it is shown.
	if (document.prerendering) document.addEventListener("prerenderingchange", start);
	else start();
})();
