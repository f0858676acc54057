// Walks the way of a newcomer: clones this repository, and does what its README says, word by word, until the first figure
// is there. Only what is committed is cloned. npm may take its packages from its cache.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser, newVisitor } from "../../packages/server/test/support/browser.ts";
import { freePort } from "../../packages/server/test/support/free-port.ts";
import { commandsOf, guideBlocks } from "../../packages/server/test/support/guide.ts";
import { GuideShell, guidePassword } from "../../packages/server/test/support/guide-shell.ts";
import { root } from "../../scripts/lib/root.ts";
import { describeMachine } from "../support/machine.ts";

const LIMIT_S = 90;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "footfall-newcomer-")));
const checkout = join(folder, "footfall");
const began = performance.now();

async function step<T>(name: string, work: () => T | Promise<T>): Promise<T> {
	const from = performance.now();
	const result = await work();
	console.log(`${name.padEnd(76)} ${((performance.now() - from) / 1000).toFixed(1).padStart(6)} s`);
	return result;
}

function clone(): void {
	const done = spawnSync("git", ["clone", "--quiet", root, checkout], { encoding: "utf8" });
	if (done.status !== 0) throw new Error(done.stderr);
}

/** `npm start`, and its first output. */
async function npmStart(env: NodeJS.ProcessEnv) {
	const child = spawn("npm", ["start"], { cwd: checkout, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	let text = "";
	child.stdout.setEncoding("utf8").on("data", (piece: string) => {
		text += piece;
		const link = /http:\S+\/setup\?token=\S+/.exec(text)?.[0];
		if (link !== undefined) resolve(link);
	});
	child.once("exit", () => reject(new Error(`npm start ended:\n${text}`)));
	return { child, link: await promise };
}

/** The link that the start printed, in a browser: the form, which leads into the dashboard. */
async function createAccount(link: string): Promise<void> {
	const browser = await launchBrowser();
	try {
		const page = await (await newVisitor(browser)).newPage();
		await page.goto(link);
		await page.fill("[name=name]", "Ann Example");
		await page.fill("[name=email]", "you@example.com");
		await page.fill("[name=password]", guidePassword);
		await page.click("button");
		await page.waitForURL(({ pathname }) => pathname !== "/setup");
	} finally {
		await browser.close();
	}
}

/** Commands of the README between the first account and the first figure. */
function commandsToFigure(): { readonly command: string; readonly place: string }[] {
	const readme = readFileSync(join(checkout, "README.md"), "utf8");
	const first = readme.indexOf("## From a site to a figure");
	const line = readme.slice(0, first).split("\n").length;
	const commands = guideBlocks(readme)
		.filter((block) => block.language === "sh" && block.line > line)
		.flatMap((block) => commandsOf(block).map((command) => ({ command, place: `README.md:${block.line}` })));
	const figure = commands.findIndex(({ command }) => command.includes("/stats/overview"));
	if (first < 0 || figure < 0) throw new Error("The README leads to no figure");
	return commands.slice(0, figure + 1);
}

/** Ends the group of npm and what it started. */
async function end(child: ChildProcess): Promise<void> {
	const gone = new Promise((resolve) => child.once("exit", resolve));
	if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
	await gone;
}

console.log(describeMachine());
const port = await freePort();
/** Variables that a computer's access to package registries may need. */
const line = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"];
// A computer on which nothing of Footfall ever ran.
const env = {
	...Object.fromEntries(line.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
	PATH: process.env.PATH ?? "",
	HOME: process.env.HOME ?? "",
	RUNTIME_DIRECTORY: join(folder, "run"),
};
let service: ChildProcess | undefined;
let seconds = Number.POSITIVE_INFINITY;
try {
	await step("git clone", clone);
	const { child, link } = await step("npm start", () => npmStart({ ...env, PORT: String(port) }));
	service = child;
	await step("the first account, in a browser", () => createAccount(link));
	const shell = new GuideShell({ cwd: checkout, address: `http://127.0.0.1:${port}`, notes: folder, env });
	for (const { command, place } of commandsToFigure()) {
		await step(command.replace(/\s+/g, " ").slice(0, 75), () => shell.follow(command, place));
	}
	seconds = (performance.now() - began) / 1000;
} finally {
	if (service !== undefined) await end(service);
	rmSync(folder, { recursive: true, force: true });
}
console.log(`From nothing to the first figure in ${seconds.toFixed(1)} s, of at most ${LIMIT_S}.`);
if (seconds > LIMIT_S) process.exitCode = 1;
