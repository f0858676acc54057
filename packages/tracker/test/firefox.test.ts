import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { openStage, type Stage } from "./stage.ts";

const program = [process.env.FOOTFALL_FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find(
	(path) => path !== undefined && existsSync(path),
);

/** Why tests in Firefox are skipped; false when they run. */
const firefoxSkip: string | false =
	program === undefined && "install Firefox (Debian: firefox-esr), or set FOOTFALL_FIREFOX to the path of its program";

/** Has the browser write into the address of each hit when it was sent: connections overtake each other. */
const timed = `<script>{
	const send = navigator.sendBeacon.bind(navigator);
	navigator.sendBeacon = (to, hit) => send(to + "?at=" + (performance.timeOrigin + performance.now()), hit);
}</script>`;
const end = "footfall.micro('end')";

describe("the tracker in Firefox", { skip: firefoxSkip, timeout: 120_000 }, () => {
	let stage: Stage;
	let firefox: Firefox;
	before(async () => {
		[stage, firefox] = await Promise.all([openStage(), openFirefox(["shop.test", "stats.test"])]);
	});
	after(async () => {
		await firefox?.close();
		await stage?.close();
	});

	/** Path and query of each hit until the event `end`, with the type of events, by the browser's clock. */
	async function hitsUntilEnd() {
		await stage.first();
		const hits = stage.received.splice(0);
		hits.sort((one, other) => one.at - other.at || Number(!one.hit.e) - Number(!other.hit.e));
		return hits
			.map(({ hit }) => hit)
			.filter(({ e }) => e !== "end")
			.map(({ u, e, v, x }) => [u.slice(stage.site.length), e, v, x]);
	}

	async function visit(path: string, html: string, acts: readonly string[], status = 200) {
		stage.pages.set(new URL(path, stage.site).pathname, { html: `<!doctype html>${timed}${html}`, status });
		// A millisecond between two acts tells their order.
		const pause = "new Promise((done) => setTimeout(done, 2))";
		await firefox.open(stage.site + path, [...acts.flatMap((act) => [act, pause]), end]);
		return hitsUntilEnd();
	}
	const view = (path: string) => [path, undefined, undefined, undefined];

	test("a page that comes back from the back/forward cache counts again", async () => {
		const kept = `addEventListener("pageshow", (e) => { if (e.persisted) setTimeout(() => ${end}, 2) })`;
		const leave = 'addEventListener("load", () => setTimeout(() => { location.href = "/b" }, 2), { once: true })';
		stage.pages.set("/a", { html: `${timed}${stage.tag()}<script>${kept};${leave}</script>` });
		const back = 'addEventListener("load", () => setTimeout(() => history.back(), 2))';
		stage.pages.set("/b", { html: `${timed}${stage.tag()}<script>${back}</script>` });
		await firefox.open(`${stage.site}/a`);
		assert.deepEqual(await hitsUntilEnd(), [view("/a"), view("/b"), view("/a")]);
	});

	test("calls ahead of the script, amounts as text and properties in second place arrive", async () => {
		const early = `<script>footfall.conv("buy", "59.90")</script>`;
		assert.deepEqual(await visit("/", stage.tag() + early, ["footfall.conv('lead', { a: 1 })"]), [
			["/", "buy", "59.90", undefined],
			view("/"),
			["/", "lead", undefined, { a: 1 }],
		]);
	});

	test("replaceState of the query counts nothing, hash routes count with data-hash", async () => {
		const replaced = ["history.replaceState({}, '', '/?q=1')", "history.replaceState({}, '', '/next')"];
		assert.deepEqual(await visit("/", stage.tag(), replaced), [view("/"), view("/next")]);
		const go = "new Promise((done) => { addEventListener('hashchange', () => done()); location.hash = '#/tents' })";
		assert.deepEqual(await visit("/#/", stage.script("", "data-hash"), [go]), [view("/"), view("/tents")]);
	});

	test("a missing page and an outbound link are told", async () => {
		const click = `(() => {
			document.addEventListener("click", (e) => e.preventDefault());
			document.querySelector("a").click();
		})()`;
		const html = `<a href="https://other.example/x?y=1">other</a>${stage.tag("&events=404,outbound")}`;
		const [page, missing, outbound] = await visit("/lost", html, [click], 404);
		assert.deepEqual(
			[page, missing, outbound].sort((one, other) => String(one?.[1]).localeCompare(String(other?.[1]))),
			[
				["/lost", "404", undefined, { path: "/lost" }],
				["/lost", "outbound", undefined, { url: "https://other.example/x" }],
				view("/lost"),
			],
		);
	});
});

/** A Firefox as people have it, without a window. */
type Firefox = Awaited<ReturnType<typeof openFirefox>>;

/** Starts the machine's Firefox, driven by WebDriver BiDi; `hosts` lead to this machine. */
async function openFirefox(hosts: readonly string[]) {
	if (program === undefined) throw new Error("Firefox is not installed");
	const profile = mkdtempSync(join(tmpdir(), "footfall-firefox-"));
	writeFileSync(join(profile, "user.js"), `user_pref("network.dns.localDomains", "${hosts.join(",")}");\n`);
	const child = spawn(program, ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile], {
		stdio: ["ignore", "ignore", "pipe"],
		env: { ...process.env, HOME: profile },
	});
	const send = await connect(await addressOf(child));
	await send("session.new", { capabilities: {} });
	return {
		/** Opens an address in a new tab, resolves when it has loaded, and runs code in it, which may answer a promise. */
		async open(address: string, acts: readonly string[] = []) {
			const { context } = await send("browsingContext.create", { type: "tab" });
			await send("browsingContext.navigate", { context, url: address, wait: "complete" });
			for (const expression of acts) {
				const answer = await send("script.evaluate", { expression, target: { context }, awaitPromise: true });
				if (answer["type"] !== "success") throw new Error(JSON.stringify(answer));
			}
		},
		async close() {
			const ended = new Promise((resolve) => child.once("exit", resolve));
			child.kill("SIGKILL");
			await ended;
			rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

async function addressOf(child: ChildProcess): Promise<string> {
	if (child.stderr === null) throw new Error("Firefox has no standard error");
	for await (const line of createInterface(child.stderr)) {
		const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
		if (address !== undefined) {
			child.stderr.resume();
			return `${address}/session`;
		}
	}
	throw new Error("Firefox ended before it listened");
}

type Send = (method: string, params: object) => Promise<Record<string, unknown>>;

/** Commands of WebDriver BiDi: a number, a method and parameters; the answer bears the number. */
async function connect(address: string): Promise<Send> {
	const socket = new WebSocket(address);
	const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
	socket.addEventListener("message", ({ data }) => {
		const answer = JSON.parse(String(data));
		const asked = waiting.get(answer.id);
		if (answer.type === "success") asked?.resolve(answer.result);
		else if (answer.type === "error") asked?.reject(new Error(`${answer.error}: ${answer.message}`));
	});
	await new Promise((resolve, reject) => {
		socket.addEventListener("open", resolve);
		socket.addEventListener("error", () => reject(new Error("Firefox does not answer")));
	});
	let id = 0;
	return (method, params) => {
		const asked = Promise.withResolvers<Record<string, unknown>>();
		waiting.set(++id, asked);
		socket.send(JSON.stringify({ id, method, params }));
		return asked.promise;
	};
}
