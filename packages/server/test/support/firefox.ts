import { existsSync } from "node:fs";
import { firefox } from "playwright-core";

const program = [process.env.FOOTFALL_FIREFOX, "/usr/bin/firefox-esr", "/usr/bin/firefox"].find(
	(path) => path !== undefined && existsSync(path),
);

/** Why tests in Firefox are skipped; false when they run. */
export const firefoxSkip: string | false =
	program === undefined && "install Firefox (Debian: firefox-esr), or set FOOTFALL_FIREFOX to the path of its program";

/** A Firefox as people have it, without a window. */
export type Firefox = Awaited<ReturnType<typeof openFirefox>>;

/** Starts the machine's Firefox, driven by WebDriver BiDi; `hosts` lead to this machine. */
export async function openFirefox(hosts: readonly string[]) {
	if (program === undefined) throw new Error("Firefox is not installed");
	const firefoxUserPrefs = { "network.dns.localDomains": hosts.join() };
	const browser = await firefox.launch({ channel: "moz-firefox", executablePath: program, firefoxUserPrefs });
	return {
		/** Opens an address in a new tab, resolves when it has loaded, and runs code in it, which may answer a promise. */
		async open(address: string, acts: readonly string[] = []) {
			const page = await browser.newPage();
			await page.goto(address);
			for (const act of acts) await page.evaluate(act);
		},
		close: () => browser.close(),
	};
}
