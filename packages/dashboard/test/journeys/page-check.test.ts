import { after, before, test } from "node:test";
import { openWebhookReceiver, type WebhookReceiver } from "../../../server/test/support/webhook-receiver.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

/** Any HTTPS server will do for a website. */
let website: WebhookReceiver;
let service: DashboardService;
before(async () => {
	website = await openWebhookReceiver();
	service = await openDashboard({}, { outbound: { allowPrivate: true, extraCertificates: [website.certificate] } });
});
after(async () => {
	await service?.close();
	await website?.close();
});

test("a page is looked at, and each thing that stands in the way is said in words", async () => {
	const { page, goto, leave } = await service.read();
	const html = { "content-type": "text/html" };
	const tag = (id: string) => `<script src="${service.root}/t.js?id=${id}" defer></script>`;
	const closed = "script-src 'self'; connect-src 'self'";
	website.answers("/ok", { status: 200, headers: html, body: tag("shop") });
	website.answers("/none", { status: 200, headers: html, body: "<h1>Hello</h1>" });
	website.answers("/other", { status: 200, headers: html, body: tag("blog") });
	website.answers("/closed", {
		status: 200,
		headers: { ...html, "content-security-policy": closed },
		body: tag("shop"),
	});
	website.answers("/broken", { status: 500, headers: html, body: "" });
	website.answers("/dropped", "drop");
	website.answers("/moved", { status: 301, headers: { location: "/ok" } });
	website.answers("/file", { status: 200, headers: { "content-type": "application/pdf" }, body: "" });

	await goto("/sites/shop/settings/install");
	const card = page.getByRole("region").or(page.locator("section")).filter({ hasText: "Check a page" }).last();
	const said = async (path: string, words: string | RegExp) => {
		await card.getByLabel("Page URL").fill(website.url + path);
		await card.getByRole("button", { name: "Check" }).click();
		await card.getByRole("status").getByText(words).waitFor();
	};
	await said("/none", "The snippet is not in the page.");
	await said("/other", "The snippet on the page belongs to another site: blog.");
	await said("/closed", "The snippet is installed, but the page's Content-Security-Policy blocks it.");
	await card.getByText("script-src must allow the script.").waitFor();
	await card.getByText("connect-src must allow sending data.").waitFor();
	await card.getByText(closed).waitFor();
	await said("/broken", "The page responded with 500.");
	await said("/dropped", /^Couldn't open the page: /);
	await said("/moved", `The page redirects to ${website.url}/ok. Check that one.`);
	await said("/file", "This address is not a web page.");
	await said("/ok", "The snippet is installed and nothing blocks it.");
	await leave();
});

test("an address that no page can have is refused at the field", async () => {
	const { page, goto, context } = await service.read();
	await goto("/sites/shop/settings/install");
	await page.getByLabel("Page URL").fill("shop example");
	await page.getByRole("button", { name: "Check" }).click();
	await page.locator("input[name=url][aria-invalid=true]").waitFor();
	await page.getByText("must be a URL").waitFor();
	await context.close();
});
