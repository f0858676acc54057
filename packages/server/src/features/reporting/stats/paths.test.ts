import assert from "node:assert/strict";
import { test } from "node:test";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHits } from "../../../../test/support/hits.ts";

const here = collectingSite();

const ask = async (url: string, payload?: object) => {
	const answer = await here.app.inject({
		method: payload === undefined ? "GET" : "POST",
		url: `/api/v1${url}`,
		headers: here.owner.headers,
		...(payload && { payload }),
	});
	assert.equal(answer.statusCode < 300, true, answer.body);
	return answer;
};

/** Paths as people see them, with the stored path; each has one page view, from a visitor of its own. */
const stored = {
	"/été/": "/%C3%A9t%C3%A9/",
	"/νήματα": "/%CE%BD%CE%AE%CE%BC%CE%B1%CF%84%CE%B1",
	"/絨毯/小": "/%E7%B5%A8%E6%AF%AF/%E5%B0%8F",
	"/na%EFve": "/na%EFve",
	"/30%-off": "/30%-off",
	"/hand-made": "/hand-made",
	"/rugs%2Fwool": "/rugs%2Fwool",
};
const send = () =>
	sendHits(
		here.app,
		Object.values(stored).map((path, n) => here.view(path, { ip: `203.0.113.${n + 1}` })),
	);
const days = "start_date=2026-11-21&end_date=2026-11-21";
const pages = async (more: string) => {
	const { data } = (await ask(`/stats/pages?site_id=${here.site}&${days}&${more}`)).json();
	return data.map(({ path }: { path: string }) => path).sort();
};

test("filters, searches and segments find a path by either spelling and by what is seen", async () => {
	await send();
	const summer = ["/%C3%A9t%C3%A9/"];
	for (const spelling of ["/été/", "/%C3%A9t%C3%A9/", "/%c3%a9t%c3%a9/"]) {
		const value = encodeURIComponent(spelling);
		assert.deepEqual(await pages(`filters=path:eq:${value}`), summer, spelling);
		assert.deepEqual(await pages(`filters=landing_page:in:${value}`), summer, spelling);
		assert.deepEqual(await pages(`filters=path:starts_with:${value}`), summer, spelling);
		assert.deepEqual(await pages(`path_filter=${encodeURIComponent(spelling.slice(1, -1))}`), summer, spelling);
		const segment = JSON.stringify({ conditions: [{ field: "path", operator: "eq", value: spelling }] });
		assert.deepEqual(await pages(`segment_filters=${encodeURIComponent(segment)}`), summer, spelling);
		const { data } = (await ask(`/stats/exit-pages?site_id=${here.site}&${days}&search=${value}`)).json();
		assert.deepEqual(
			data.map((row: { path: string }) => row.path),
			summer,
			spelling,
		);
	}
	assert.deepEqual(await pages(`filters=path:contains:${encodeURIComponent("絨毯")}`), [stored["/絨毯/小"]]);
	assert.deepEqual(await pages(`filters=path:eq:${encodeURIComponent("/hand%2Dmade")}`), ["/hand-made"]);
	assert.deepEqual(await pages("filters=path:eq:/rugs/wool"), []);
	assert.deepEqual(await pages(`path_filter=${encodeURIComponent("30%")}`), ["/30%-off"]);
});

test("steps of funnels take either spelling, what is seen, and the beginning of a path", async () => {
	await send();
	for (const step of ["/été/", "/%c3%a9t%C3%A9/", "/ét*"]) {
		const answer = await ask(`/stats/funnel?site_id=${here.site}&${days}`, { steps: [step, "/nowhere"] });
		assert.equal(answer.json().data.steps[0].count, 1, step);
	}
});

test("files for people have paths as they are read, files for programs as they are stored", async () => {
	await send();
	const cells = (csv: string) =>
		csv
			.split("\r\n")
			.slice(1, -1)
			.map((line) => line.split(",")[0]);
	const query = { date_from: "2026-11-21", date_to: "2026-11-21", dimensions: ["path"], metrics: ["page_views"] };
	const seen = Object.keys(stored).sort();
	assert.deepEqual(cells((await ask(`/stats/query/export?site_id=${here.site}`, query)).body).sort(), seen);
	const file = async (format: string) => {
		const range = { date_from: "2026-11-21", date_to: "2026-11-21" };
		const url = `/exports/stream?account_id=${here.site}`;
		return (await ask(url, { export_type: "pages", format, ...range })).body;
	};
	assert.deepEqual(cells(await file("csv")).sort(), seen);
	const rows = JSON.parse(await file("json")) as { path: string }[];
	assert.deepEqual(rows.map(({ path }) => path).sort(), Object.values(stored).sort());
});
