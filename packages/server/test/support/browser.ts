import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
	type Browser,
	type BrowserContext,
	type BrowserContextOptions,
	chromium,
	type LaunchOptions,
} from "playwright-core";
import { isRunTogether, removeAtTheEnd } from "./remove-at-the-end.ts";

const chromiumPackage = import.meta.resolve("@sparticuz/chromium");
const packageFolder = fileURLToPath(new URL("..", chromiumPackage));
const cache = fileURLToPath(new URL("../../../../node_modules/.cache/", import.meta.url));

export type { Browser, BrowserContext, BrowserContextOptions, Page, Request, Route } from "playwright-core";

/** Names under `.test` lead to this machine, so that pages and service have real origins of their own. */
const flags = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
	"--host-resolver-rules=MAP *.test 127.0.0.1",
];

/** A browser as people have it: the headless one calls itself so, which the bot score counts. */
const userAgent =
	"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";

const person = { userAgent, locale: "en-GB", timezoneId: "Europe/Madrid" };

/** Open handles of a running Chromium: its process, and the pipes to it. */
const BROWSER_KEEPS_OPEN = ["ProcessWrap", "PipeWrap", "PipeWrap", "PipeWrap", "PipeWrap"];

/** The runner of the tests ends what they started; a file that is run by hand ends its browser itself. */
const signals = { handleSIGINT: !isRunTogether, handleSIGTERM: !isRunTogether, handleSIGHUP: !isRunTogether };

interface Resting {
	readonly browser: Browser;
	readonly end: () => Promise<void>;
}

/** Chromium takes longer to start than many tests: the next file of this process gets it again, without the contexts. */
const resting: Resting[] = [];
let isShared = isRunTogether;
if (isRunTogether) {
	removeAtTheEnd({
		keepsOpen: () => resting.flatMap(() => BROWSER_KEEPS_OPEN),
		remove: async () => {
			isShared = false;
			await Promise.all(resting.splice(0).map(({ end }) => end()));
		},
	});
}

/** A Chromium that no other test has: the one that `FOOTFALL_CHROMIUM` names, else the one in the npm package. */
export async function launchBrowser(): Promise<Browser> {
	const { browser, end } = resting.pop() ?? (await startBrowser());
	browser.close = async () => {
		await Promise.all(browser.contexts().map((context) => context.close()));
		if (isShared && browser.isConnected()) resting.push({ browser, end });
		else await end();
	};
	return browser;
}

async function startBrowser(): Promise<Resting> {
	const browser = await chromium.launch({ ...(await program()), ...signals });
	return { browser, end: browser.close.bind(browser) };
}

async function program(): Promise<LaunchOptions> {
	const installed = process.env.FOOTFALL_CHROMIUM;
	if (installed) return { executablePath: installed, args: flags };
	const folder = await unpackChromium();
	return { executablePath: join(folder, "chromium"), args: flags, env: environment(folder) };
}

/** A fresh profile, in Madrid and with an ordinary user agent unless told otherwise. */
export async function newVisitor(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
	const context = await browser.newContext({ ...person, ...options });
	const folder = process.env.NODE_V8_COVERAGE;
	if (folder !== undefined) countPages(context, folder);
	return context;
}

/** Writes what the pages of a context ran beside what this process did: `npm run coverage`. */
function countPages(context: BrowserContext, folder: string) {
	context.on("page", (page) => void page.coverage.startJSCoverage({ resetOnNavigation: false }).catch(() => undefined));
	const close = context.close.bind(context);
	context.close = async () => {
		for (const page of context.pages()) {
			const scripts = await page.coverage.stopJSCoverage().catch(() => []);
			const result = scripts.map(({ url, functions }) => ({ url, functions }));
			writeFileSync(join(folder, `page-${randomUUID()}.json`), JSON.stringify({ result }));
		}
		await close();
	};
}

/** Unpacks once a version; a folder of its own is renamed at the end, so test files may run side by side. */
async function unpackChromium(): Promise<string> {
	const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
	const folder = join(cache, `chromium-${version}`);
	if (existsSync(folder)) return folder;
	mkdirSync(cache, { recursive: true });
	const fresh = mkdtempSync(`${folder}-`);
	await unpackInto(fresh, "await bundled.executablePath()");
	if (!runs(fresh))
		await unpackInto(fresh, `await inflate(${JSON.stringify(join(packageFolder, "bin/al2023.tar.br"))})`);
	try {
		renameSync(fresh, folder);
	} catch (error) {
		// Another test file was faster.
		rmSync(fresh, { recursive: true });
		if (!existsSync(folder)) throw error;
	}
	return folder;
}

/**
 * The package unpacks into the folder for temporary files. In a process of its own: in this one, whatever a test makes
 * meanwhile would land there too, and lose its place when the folder is renamed.
 */
async function unpackInto(folder: string, work: string): Promise<void> {
	const script = `const { default: bundled, inflate } = await import(${JSON.stringify(chromiumPackage)}); ${work};`;
	const env = { ...process.env, TMPDIR: folder };
	await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], { env });
}

/** False where a library that Chromium links to (NSS) is missing from the machine; the package brings it. */
function runs(folder: string): boolean {
	try {
		execFileSync(join(folder, "chromium"), ["--version"], { stdio: "ignore", timeout: 20_000 });
		return true;
	} catch {
		return false;
	}
}

function environment(folder: string): Record<string, string> {
	const libraries = join(folder, "al2023/lib");
	const env: Record<string, string> = {};
	for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
	if (existsSync(libraries)) env.LD_LIBRARY_PATH = [libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(":");
	return env;
}
