import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const program = [process.env.FOOTFALL_FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find(
	(path) => path !== undefined && existsSync(path),
);

/** Why tests in Firefox are skipped; false when they run. */
export const firefoxSkip: string | false =
	program === undefined && "install Firefox (Debian: firefox-esr), or set FOOTFALL_FIREFOX to the path of its program";

/** A Firefox as people have it, without a window. */
export interface Firefox {
	/** Opens an address in a new tab, resolves when it has loaded, and runs code in it, which may answer a promise. */
	open(address: string, acts?: readonly string[]): Promise<void>;
	close(): Promise<void>;
}

/** Starts the machine's Firefox, driven by WebDriver BiDi; `hosts` lead to this machine. */
export async function openFirefox(hosts: readonly string[]): Promise<Firefox> {
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
		async open(address, acts = []) {
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
