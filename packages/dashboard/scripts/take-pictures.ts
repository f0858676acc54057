// Makes the pictures of the README from a running `npm run demo`: `node packages/dashboard/scripts/take-pictures.ts [address]`
import { fileURLToPath } from "node:url";
import { launchBrowser, newVisitor } from "../../server/test/support/browser.ts";

const address = process.argv[2] ?? "http://127.0.0.1:3000";
const guest = { email: "guest@demo.example", password: "demo for everybody" };
const target = (name: string) => fileURLToPath(new URL(`../../../docs/images/${name}.png`, import.meta.url));

const pictures = [
	{ name: "report-light", width: 1280, height: 1000, scheme: "light" },
	{ name: "report-dark", width: 1280, height: 1000, scheme: "dark" },
	{ name: "report-phone", width: 390, height: 844, scheme: "light" },
] as const;

const browser = await launchBrowser();
for (const { name, width, height, scheme } of pictures) {
	const context = await newVisitor(browser, { viewport: { width, height }, colorScheme: scheme });
	const answer = await context.request.post(`${address}/api/v1/auth/token`, { data: guest });
	if (!answer.ok()) throw new Error(`The guest of the demo is not let in: ${await answer.text()}`);
	const page = await context.newPage();
	await page.goto(`${address}/sites/shop`);
	await page.locator("main section").first().waitFor();
	await page.waitForFunction(() => document.querySelector("[data-loading]") === null);
	// They come when the page rests.
	await page.getByRole("region", { name: "Annotations and alerts" }).getByRole("button").first().waitFor();
	await page.screenshot({ path: target(name) });
	await context.close();
}
await browser.close();
