import { createServer, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { fillIn, readTrackers } from "../../server/src/features/collecting/tracker-script/fill-in.ts";
import { scriptTag } from "../../server/src/features/tenancy/sites/pixel-routes.ts";
import { type Browser, launchBrowser, newVisitor, type Page } from "../../server/test/support/browser.ts";
import { listenLocally } from "../../server/test/support/local-server.ts";
import type { Hit } from "../src/wire.ts";

const trackers = readTrackers();

/** Fields of a hit that are the same in every run. */
export type Seen = Pick<Hit, "u" | "r" | "g"> & Partial<Pick<Hit, "e" | "v" | "m" | "x">>;

/** A hit by the path of its page, the path of its referrer, and its further fields. */
export type Expected = readonly [path: string, referrer?: string, more?: Partial<Seen>];

interface Received {
	/** When the browser sent it, where the page wrote that into the address. */
	readonly at: number;
	readonly hit: Hit;
	readonly body: string;
	readonly contentType: string | undefined;
	readonly origin: string | undefined;
}

/** The script as the service serves it for site `shop`. */
export function served(query: URLSearchParams): string {
	return fillIn(trackers((query.get("events") ?? "").split(",")), {
		FOOTFALL_ID: query.get("id") ?? "shop",
		FOOTFALL_ROOT: query.get("root") ?? "https://stats.example.com/",
		FOOTFALL_TOKEN: "MTc5NTIxOTIwMDo5ZjJjNGUwYTFiNmQ4NzM1YWVmMDQ5MTJjN2I4ZDNlNg",
		FOOTFALL_GROUP: query.get("group") ?? "",
		FOOTFALL_AUTO: query.get("auto") !== "0",
		FOOTFALL_SPA: query.get("spa") !== "0",
	});
}

/** A customer's site and a collector on another origin, with a browser that can open them. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

export async function openStage() {
	/** By path: the pages that a test has put there. */
	const pages = new Map<string, { html: string; status?: number; headers?: Record<string, string> }>();
	const received: Received[] = [];
	/** Uncaught errors and rejections of every page. */
	const errors: string[] = [];
	const warnings: string[] = [];
	const sent: string[] = [];
	const waiting = new Set<() => void>();
	const listen = (handler: RequestListener) => listenLocally(createServer(handler));
	const site = await listen((request, response) => {
		const page = pages.get(new URL(request.url ?? "/", "http://site").pathname);
		const headers = { "content-type": "text/html; charset=utf-8", ...page?.headers };
		response.writeHead(page ? (page.status ?? 200) : 404, headers).end(page?.html);
	});
	const collector = await listen(async (request, response) => {
		const url = new URL(request.url ?? "/", "http://collector");
		response.setHeader("access-control-allow-origin", "*");
		if (url.pathname === "/t.js") {
			response.writeHead(200, { "content-type": "application/javascript" }).end(served(url.searchParams));
			return;
		}
		const body = await text(request);
		const { "content-type": contentType, origin } = request.headers;
		response.writeHead(url.pathname === "/event" && request.method === "POST" ? 204 : 405).end();
		const at = Number(url.searchParams.get("at"));
		received.push({ at, hit: JSON.parse(body) as Hit, body, contentType, origin });
		for (const wake of waiting) wake();
	});
	const until = (isSo: () => boolean) =>
		new Promise<void>((resolve) => {
			const check = () => isSo() && resolve();
			waiting.add(check);
			check();
		});
	const ended = () => until(() => received.some(({ hit }) => hit.e === "end"));
	const browser: Browser = await launchBrowser();
	const stage = {
		/** Origin of the customer's site. */
		site: `http://shop.test:${site.port}`,
		collector: `http://stats.test:${collector.port}`,
		pages,
		received,
		errors,
		warnings,
		async newPage(): Promise<Page> {
			const page = await (await newVisitor(browser)).newPage();
			page.on("request", (request) => {
				if (request.url().endsWith("/event")) sent.push(request.postData() ?? "");
			});
			page.on("pageerror", (error) => errors.push(String(error)));
			page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
			return page;
		},
		/** The script's own element of a page, with further parameters and attributes. */
		script: (query = "", attributes = "") =>
			`<script src="http://stats.test:${collector.port}/t.js?id=shop${query}" defer ${attributes}></script>`,
		/** The script tag as the service gives it, with the call stub. */
		tag: (query = "") => scriptTag(`http://stats.test:${collector.port}/t.js?id=shop${query}`),
		expect: (hits: readonly Expected[]): readonly Seen[] =>
			hits.map(([path, referrer = "", more]) => ({
				u: stage.site + path,
				r: referrer && stage.site + referrer,
				g: "",
				...more,
			})),
		/** The first hit, once it and the one of type `end` are here. */
		async first() {
			await ended();
			const [first] = received;
			if (!first) throw new Error("no hit came");
			return first;
		},
		/** Has the page send an event of type `end`; all hits until it comes, in the order in which the browser sent them. */
		async hitsUntilEnd(page: Page): Promise<Seen[]> {
			await page.evaluate("footfall.micro('end')");
			await ended();
			waiting.clear();
			// Connections overtake each other; the browser's own order is the one that counts.
			const order = sent.splice(0);
			const place = (body: string) => {
				const found = order.indexOf(body);
				// Of equal hits each has a place of its own.
				if (found >= 0) order[found] = "";
				return found;
			};
			const hits = received
				.splice(0)
				.map(({ hit, body }) => ({ hit, at: place(body) }))
				.sort((one, other) => one.at - other.at)
				.map(({ hit }) => hit);
			return hits.filter(({ e }) => e !== "end").map(({ a, t, z, ...seen }) => seen);
		},
		/** Opens a page of this HTML, does `acts` in it, waits for `least` hits, and answers those that came. */
		async visit(
			html: string,
			{ path = "/", acts = [], least = 0 }: { path?: string; acts?: readonly string[]; least?: number } = {},
		) {
			stage.pages.set(new URL(path, stage.site).pathname, { html: `<!doctype html><title>Shop</title>${html}` });
			const page = await stage.newPage();
			await page.goto(stage.site + path);
			for (const act of acts) await page.evaluate(act);
			await until(() => received.length >= least);
			const hits = await stage.hitsUntilEnd(page);
			await page.context().close();
			return hits;
		},
		async close() {
			await browser.close();
			await Promise.all([site.close(), collector.close()]);
		},
	};
	return stage;
}
