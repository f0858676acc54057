import assert from "node:assert/strict";
import { test } from "node:test";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHits } from "../../../../test/support/hits.ts";

const here = collectingSite();

async function ask(path: string, parameters: Readonly<Record<string, string>> = {}) {
	const query = new URLSearchParams({ site_id: here.site, period: "today", ...parameters });
	const response = await here.app.inject({ url: `/api/v1/stats/${path}?${query}`, headers: here.owner.headers });
	assert.equal(response.statusCode, 200, response.body);
	return response.json().data;
}

const wide = "\u00a0\ufeff";

test("names are stored without blanks at their ends, so that whatever is stored can be asked for", async () => {
	await sendHits(here.app, [
		here.view("/offer ?utm_source=%20news%20&utm_medium=email%0A&utm_campaign=%C2%A0may", { group: " blog " }),
		here.view("/offer", { event: " lead ", amount: 10, properties: { " k ": " a " } }),
		here.view("/offer", { event: `lead${wide}`, amount: 10, properties: { k: "b", " ": "c" } }),
		here.view("/offer", { event: "lead", amount: 10, properties: { [`${wide}k`]: "b" } }),
		here.view("/offer", { event: "\tmic ", isMicro: true }),
	]);
	const rows = (list: { conversion_type: string; count: number }[]) =>
		list.map(({ conversion_type: type, count }) => [type, count]);
	assert.deepEqual(rows(await ask("conversions")), [["lead", 3]]);
	for (const conversion_type of ["lead", " lead "])
		assert.equal((await ask("conversions/raw", { conversion_type })).length, 3);
	assert.deepEqual(rows(await ask("microconversions", { conversion_type: "mic" })), [["mic", 1]]);
	assert.deepEqual(
		(await ask("properties/keys")).map(({ key, total_count }: Record<string, unknown>) => [key, total_count]),
		[["k", 3]],
	);
	assert.deepEqual(
		(await ask("properties/values", { property_key: " k " })).map((row: Record<string, unknown>) => [
			row.property_value,
			row.revenue,
		]),
		[
			["b", 20],
			[" a ", 10],
		],
	);
	assert.equal((await ask("pages", { content_grouping: "blog" }))[0].page_views, 1);
	const filters = "path:eq:/offer,utm_source:eq:news,utm_medium:eq:email,utm_campaign:eq:may";
	assert.deepEqual((await ask("overview", { filters })).conversions, {
		conversions: 3,
		revenue: 30,
		microconversions: 1,
		conversion_rate: 100,
		average_order_value: 10,
	});
});

test("what is cut to its longest has no blank at its new end either", async () => {
	const cut = (length: number) => `${"x".repeat(length - 1)} y`;
	await sendHits(here.app, [
		here.view(`/?utm_campaign=${encodeURIComponent(cut(255))}`, { group: cut(64) }),
		here.view("/", { event: cut(100), properties: { [cut(100)]: "v" } }),
	]);
	assert.deepEqual(
		await here.storedRows("length(utm_campaign) AS c, length(content_group) AS g, length(event_type) AS e"),
		[
			{ c: 254, g: 63, e: 0 },
			{ c: 254, g: 0, e: 99 },
		],
	);
	assert.equal((await ask("properties/keys"))[0].key, "x".repeat(99));
});

test("property values are stored as text in one form, control characters left out but for the line ends of values", async () => {
	const properties = {
		whole: 42,
		large: 1e21,
		part: 0.1,
		yes: true,
		nothing: null,
		list: [1, { b: 2, a: "x" }],
		long: "é".repeat(600),
		"quote'\t\n\\": "a'b\\c\td\ne\0\u007f",
	};
	await sendHits(here.app, [here.view("/", { event: "signup", properties })]);
	const [row] = await here.storedRows("properties");
	assert.deepEqual(row?.properties, {
		whole: "42",
		large: "1000000000000000000000",
		part: "0.1",
		yes: "true",
		nothing: "",
		list: '[1,{"a":"x","b":2}]',
		long: "é".repeat(500),
		"quote'\\": "a'b\\c\td\ne",
	});
});
