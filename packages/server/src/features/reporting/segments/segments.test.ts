import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHits } from "../../../../test/support/hits.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";

const NOW = "2026-11-21T12:00:00.000Z";
const noFilters = { conditions: [], groups: [], not_groups: [] };
const condition = (field: string, operator: string, value: string | readonly string[]) => ({ field, operator, value });
const all = (...conditions: readonly object[]) => ({ conditions });
const one = condition("utm_source", "eq", "google");
const organic = condition("utm_medium", "eq", "organic");
const autumn = condition("utm_campaign", "eq", "autumn");

/** Segments with what else is asked, and the entrances and page views of their visits. */
const chosen: readonly (readonly [filters: object, parameters: string, ...figures: number[]])[] = [
	[all(condition("utm_source", "eq", "GOOGLE")), "", 2, 3],
	[all(condition("utm_source", "neq", "GOOGLE")), "", 4, 4],
	[all(condition("utm_source", "starts_with", "goo")), "", 1, 1],
	[all(condition("utm_source", "not_in", ["bing", "newsletter"])), "", 4, 5],
	[all(condition("utm_source", "not_regex", "(?i)^(bing|google)$")), "", 3, 3],
	// One that takes engines without RE2 for ever.
	[all(condition("path", "regex", "(x+x+)+y")), "", 0, 0],
	[all(condition("country", "eq", "fr")), "", 1, 1],
	[all(condition("path", "eq", "/cart")), "", 0, 0],
	[{}, "", 6, 7],
	[all(one, organic), "", 1, 1],
	[{ groups: [all(one, organic), all(autumn)] }, "", 3, 4],
	[{ not_groups: [all(one), all(autumn)] }, "", 3, 3],
	[{ groups: [all()], not_groups: [all()] }, "", 6, 7],
	// A parameter replaces the segment's own condition on its field and joins the others; groups always hold.
	[all(organic, one), "&utm_medium=cpc", 1, 2],
	[all(organic), "&filters=utm_medium:eq:email&utm_medium=cpc", 1, 1],
	[{ groups: [all(organic)] }, "&utm_medium=cpc", 0, 0],
];
/** Chooses two visits with a page view each. */
const composed = {
	conditions: [condition("utm_medium", "in", ["organic", "cpc"])],
	groups: [all(one), all(condition("country", "eq", "FR"))],
	not_groups: [all(autumn)],
};

const phone =
	"Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36";

const broken = (more: object) => all({ field: "path", operator: "regex", value: "(", ...more });
/** Segments of an address that cannot be, and where their fault is. */
const refused: readonly (readonly [filters: unknown, place: string])[] = [
	[[], ""],
	[null, ""],
	[{ conditions: "x" }, ".conditions"],
	[broken({ operator: "in", value: "x" }), ".conditions.0.value"],
	[{ not_groups: [broken({})] }, ".not_groups.0.conditions.0.value"],
	// Only the engine finds this one too large.
	[broken({ value: "((a{100}){100}){100}" }), ".conditions.0.value"],
	[{ ...broken({ field: "os", operator: "eq", value: "é".repeat(999) }), note: "é".repeat(4000) }, ""],
];

for (const onPostgres of [false, true]) {
	const title = `segments (${onPostgres ? "PostgreSQL" : "SQLite"})`;
	describe(title, { skip: onPostgres && postgresSkip }, () => suite(onPostgres));
}

function suite(onPostgres: boolean): void {
	const here = collectingSite({ onPostgres });
	const call = (request: string, body?: object) => here.call(request.replace(" ", " /segments"), body);
	const fault = (request: string, body?: object) => here.refusal(request.replace(" ", " /segments"), body);
	const save = (name: string, filters: object = all(one), more: object = {}) =>
		call("POST ", { name, display_name: name, filters, ...more });
	const overviewOf = async (segment: string) => (await here.call(`GET /stats/overview?segment=${segment}`)).status;

	test("a site has at most 100 segments, however many are saved at once", async () => {
		for (let index = 0; index < 97; index++) assert.equal((await save(`s-${index}`)).status, 201);
		const answers = await Promise.all(["a", "b", "c", "d", "e"].map((name) => save(name)));
		assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 409, 409]);
		assert.deepEqual(await fault("POST ", { name: "more", display_name: "x", filters: {} }), [409, "conflict"]);
		assert.deepEqual(await fault("POST ", { name: "s-1", display_name: "x", filters: {} }), [409, "duplicate_entry"]);
		assert.equal((await call("GET ?include_system=false")).data.length, 100);
	});

	if (onPostgres) return;

	test("a segment is saved, read by id and by name, changed by PATCH and PUT, and removed", async () => {
		const saved = await call("POST ", {
			name: "big-spenders-2",
			display_name: " Big spenders ",
			filters: { conditions: [{ field: "utm_source", value: "google" }], not_groups: [all(one)], x: 1 },
			unknown: true,
		});
		assert.equal(saved.status, 201);
		const { id, ...segment } = saved.data;
		assert.match(id, /^seg_[A-Za-z0-9]{12}$/);
		assert.deepEqual(segment, {
			...{ name: "big-spenders-2", display_name: "Big spenders", description: null, color: null },
			...{ is_system: false, filter_count: 2, account_id: here.site },
			filters: { conditions: [one], groups: [], not_groups: [all(one)] },
			...{ created_by: here.owner.userId, created_at: NOW, updated_at: NOW },
		});
		assert.deepEqual((await call(`GET /${id}`)).data, { id, ...segment });
		assert.deepEqual((await call("GET /big-spenders-2")).data, { id, ...segment });
		const patched = await call(`PATCH /${id}`, { description: "those", color: "#00ffAA", name: "ignored" });
		assert.deepEqual(patched.data, { id, ...segment, description: "those", color: "#00ffAA" });
		const put = await call("PUT /big-spenders-2", { color: null, display_name: "All", filters: {} });
		const emptied = { display_name: "All", filters: noFilters, filter_count: 0 };
		assert.deepEqual(put.data, { id, ...segment, description: "those", ...emptied });
		assert.equal((await call(`PATCH /${id}`, {})).status, 200);
		assert.deepEqual(await call(`DELETE /${id}`), { status: 204 });
		for (const gone of [`DELETE /${id}`, `GET /${id}`]) assert.deepEqual(await fault(gone), [404, "not_found"]);
		assert.deepEqual(await fault("PATCH /big-spenders-2", {}), [404, "not_found"]);
	});

	test("the list begins with the system segments, which can be left out", async () => {
		assert.deepEqual((await call("GET ?include_system=0")).data, []);
		await save("mine");
		const ids = "all-traffic organic-search paid-search social direct referral mobile desktop".split(" ");
		const [own] = (await call("GET ?include_system=false")).data;
		const listed = (await call("GET ")).data.map(({ id }: { id: string }) => id);
		assert.deepEqual(listed, [...ids.map((name) => `seg_sys_${name}`), own.id]);
		const shown = { name: "mine", display_name: "mine", description: null, color: null };
		assert.deepEqual(own, { id: own.id, ...shown, is_system: false, filter_count: 1 });
	});

	test("system segments can be read and copied, not changed, and their names are taken", async () => {
		const mobile = (await call("GET /mobile")).data;
		assert.deepEqual(mobile, {
			...{ id: "seg_sys_mobile", name: "mobile", display_name: "Mobile", description: "Visits from phones" },
			...{ color: null, is_system: true, filter_count: 1, account_id: here.site },
			filters: { ...noFilters, ...all(condition("device_type", "eq", "mobile")) },
			...{ created_by: null, created_at: null, updated_at: null },
		});
		assert.deepEqual((await call("GET /seg_sys_mobile")).data, mobile);
		assert.deepEqual(await fault("PATCH /mobile", { display_name: "x" }), [403, "forbidden"]);
		assert.deepEqual(await fault("DELETE /seg_sys_mobile"), [403, "forbidden"]);
		const taken = await fault("POST ", { name: "mobile", display_name: "x", filters: {} });
		assert.deepEqual(taken, [409, "duplicate_entry"]);
		const copy = await call("POST /mobile/duplicate?new_name=phones");
		assert.equal(copy.status, 201);
		const { id } = copy.data;
		const own = { id, name: "phones", display_name: "Mobile (copy)", is_system: false };
		const made = { created_by: here.owner.userId, created_at: NOW, updated_at: NOW };
		assert.deepEqual(copy.data, { ...mobile, ...own, ...made });
	});

	test("a copy needs a free name, and its display name stays within its length", async () => {
		await save("long", {}, { display_name: "💛".repeat(50) });
		const copied = (await call("POST /long/duplicate?new_name=longer")).data.display_name;
		assert.ok(copied.endsWith(" (copy)") && copied.length <= 100, copied);
		assert.deepEqual(await fault("POST /long/duplicate?new_name=longer"), [409, "duplicate_entry"]);
		assert.deepEqual(await fault("POST /long/duplicate?new_name=No"), [422, "query.new_name"]);
		assert.deepEqual(await fault("POST /long/duplicate"), [422, "query.new_name"]);
		assert.deepEqual(await fault("POST /none/duplicate?new_name=x"), [404, "not_found"]);
	});

	test("faulty fields answer 422 with their place, as does an expression that reports could not run", async () => {
		await save("good");
		const values = [
			...["a", []].map((value) => condition("utm_source", "in", value)),
			...[condition("utm_source", "eq", ["a"]), condition("country", "eq", "Spain")],
			...["(", "(?=a)", "\\p{Emoji}", "(\\pL{30}\\pN{30}){15}"].map((value) => condition("path", "regex", value)),
		];
		for (const [body, field] of [
			[{ name: "Upper" }, "name"],
			[{ filters: null }, "filters"],
			[{ filters: all(...Array(21).fill(one)) }, "filters.conditions"],
			...values.map((value) => [{ filters: all(one, value) }, "filters.conditions.1.value"] as const),
			[
				{ filters: { groups: [all(one), all(one, condition("country", "eq", "Spain"))] } },
				"filters.groups.1.conditions.1.value",
			],
		] as const) {
			const answer = await fault("POST ", { name: "x", display_name: "x", filters: {}, ...body });
			assert.deepEqual(answer, [422, `body.${field}`], JSON.stringify(body).slice(0, 200));
		}
		const filters = { not_groups: [all(one, condition("path", "not_regex", "\\p{Emoji}"))] };
		assert.deepEqual(await fault("PATCH /good", { filters }), [422, "body.filters.not_groups.0.conditions.1.value"]);
		assert.deepEqual((await call("GET /good")).data.filters.conditions, [one]);
	});

	test("a large segment is kept as it was sent and can be asked about, a larger one is refused", async () => {
		const value = "é💛%'\"\\\u0000\n`".repeat(10);
		const conditions = Array(10).fill(condition("path", "not_contains", value));
		const filters = {
			conditions: [...conditions, ...conditions],
			groups: Array(10).fill({ conditions }),
			not_groups: Array(10).fill({ conditions }),
		};
		const saved = await save("large", filters);
		assert.equal(saved.status, 201);
		assert.equal(saved.data.filter_count, 220);
		assert.deepEqual((await call("GET /large")).data.filters, filters);
		assert.equal(await overviewOf("large"), 200);
		const larger = all(...Array(20).fill(condition("path", "in", Array(10).fill("x".repeat(400)))));
		const refusal = await fault("POST ", { name: "larger", display_name: "x", filters: larger });
		assert.deepEqual(refusal, [422, "body.filters"]);
		assert.deepEqual(await fault("PATCH /large", { filters: larger }), [422, "body.filters"]);
	});

	test("segments of another site do not exist, and names that cannot be are not found", async () => {
		const { id } = (await save("mine")).data;
		here.site = await createSite(here.app, here.owner, { name: "Other" });
		for (const key of [id, "mine", "a%00b", "x".repeat(300), "%F0%9F%92%9B", "'%20or%201=1--", "__proto__"]) {
			assert.deepEqual(await fault(`GET /${key}`), [404, "not_found"], key);
			assert.deepEqual(await fault(`DELETE /${key}`), [404, "not_found"], key);
			assert.equal(await overviewOf(key), 404, key);
		}
		assert.equal((await save("mine")).status, 201);
	});

	/** Six visits, seven page views. */
	async function sendVisits(): Promise<void> {
		const from = (visitor: number, path: string, more: object = {}) =>
			here.view(path, { ip: `203.0.113.${visitor}`, ...more });
		await sendHits(here.app, [
			from(1, "/?utm_source=Google&utm_medium=cpc&utm_campaign=autumn"),
			from(1, "/cart", { referrer: "https://shop.example/" }),
			from(2, "/blog/a?utm_source=google&utm_medium=organic"),
			from(3, "/blog/b?utm_source=bing&utm_medium=organic", { timezone: "Europe/Paris" }),
			from(4, "/offer?utm_source=newsletter&utm_medium=email&utm_campaign=autumn"),
			from(5, "/", { referrer: "https://partner.example/x" }),
			from(6, "/", { userAgent: phone }),
		]);
	}

	async function figuresOf(parameters: string): Promise<readonly number[]> {
		const { traffic } = (await here.call(`GET /stats/overview?period=today${parameters}`)).data;
		return [traffic.entrances, traffic.page_views];
	}
	const written = (filters: object) => `&segment_filters=${encodeURIComponent(JSON.stringify(filters))}`;

	test("all conditions hold, one group must hold, no not_group may, and parameters rank over conditions", async () => {
		await sendVisits();
		for (const [filters, parameters, ...expected] of chosen) {
			const found = await figuresOf(`${written(filters)}${parameters}`);
			assert.deepEqual(found, expected, JSON.stringify([filters, parameters]));
		}
		const { id } = (await save("saved", composed)).data;
		for (const same of [written(composed), `&segment=${id}`, "&segment=saved"]) {
			assert.deepEqual(await figuresOf(same), [2, 2], same);
		}
		// On reports of pages a path is the page, elsewhere the landing page.
		const pages = await here.call(`GET /stats/pages?period=today${written(all(condition("path", "eq", "/cart")))}`);
		assert.deepEqual([pages.total, pages.data[0].path], [1, "/cart"]);
	});

	test("the system segments choose what they are called, and a segment in the request ranks over a saved one", async () => {
		await sendVisits();
		for (const [name, entrances] of Object.entries({
			...{ "all-traffic": 6, "organic-search": 2, "paid-search": 1, social: 0, direct: 1, referral: 1, mobile: 1 },
			...{ desktop: 5, seg_sys_mobile: 1 },
		})) {
			assert.equal((await figuresOf(`&segment=${name}`))[0], entrances, name);
		}
		assert.deepEqual(await figuresOf(`&segment=mobile${written({})}`), [1, 1]);
		const desktop = written(all(condition("device_type", "eq", "desktop")));
		assert.deepEqual(await figuresOf(`&segment=mobile${desktop}`), [5, 6]);
	});

	test("the open query, its export, a batch and live figures take a segment of the request too", async () => {
		await sendVisits();
		const segment = all(condition("country", "eq", "fr"));
		const body = { date_from: "2026-11-21", date_to: "2026-11-21", metrics: ["entrances"] };
		assert.deepEqual((await here.call(`POST /stats/query?${written(segment)}`, body)).data, [{ entrances: 1 }]);
		const url = `/api/v1/stats/query/export?site_id=${here.site}${written(segment)}`;
		const file = await here.app.inject({ method: "POST", url, headers: here.owner.headers, payload: body });
		assert.equal(file.body, "entrances\r\n1\r\n");
		const params = { site_id: here.site, segment_filters: JSON.stringify(segment) };
		const { results } = await here.call("POST /batch", {
			queries: [
				{ id: "open", endpoint: "/stats/query", params: { ...params, ...body } },
				{ id: "list", endpoint: "/stats/geo/countries", params: { ...params, period: "today" } },
			],
		});
		assert.deepEqual([results.open.data.data, results.list.data.total], [[{ entrances: 1 }], 1]);
		assert.equal((await here.call(`GET /stats/live?${written(segment)}`)).data.now.active_visits, 1);
	});

	test("a segment of the request that cannot be is refused at the place of its fault", async () => {
		for (const [filters, place] of refused) {
			const url = `GET /stats/overview?segment_filters=${encodeURIComponent(JSON.stringify(filters))}`;
			assert.deepEqual(await here.refusal(url), [422, `query.segment_filters${place}`]);
		}
		assert.deepEqual(await here.refusal(`GET /stats/overview?segment=none${written(all(one))}`), [404, "not_found"]);
	});
}
