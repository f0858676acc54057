import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { postgresSkip } from "../../../../test/support/test-schema.ts";

const NOW = "2026-11-21T12:00:00.000Z";
const noFilters = { conditions: [], groups: [], not_groups: [] };
const one = { field: "utm_source", operator: "eq", value: "google" };

for (const onPostgres of [false, true]) {
	const title = `segments (${onPostgres ? "PostgreSQL" : "SQLite"})`;
	describe(title, { skip: onPostgres && postgresSkip }, () => suite(onPostgres));
}

function suite(onPostgres: boolean): void {
	const here = collectingSite({ onPostgres });
	const call = (request: string, body?: object) => here.call(request.replace(" ", " /segments"), body);
	const fault = (request: string, body?: object) => here.refusal(request.replace(" ", " /segments"), body);
	const save = (name: string, filters: object = { conditions: [one] }, more: object = {}) =>
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
			filters: { conditions: [{ field: "utm_source", value: "google" }], not_groups: [{ conditions: [one] }], x: 1 },
			unknown: true,
		});
		assert.equal(saved.status, 201);
		const { id, ...segment } = saved.data;
		assert.match(id, /^seg_[A-Za-z0-9]{12}$/);
		assert.deepEqual(segment, {
			...{ name: "big-spenders-2", display_name: "Big spenders", description: null, color: null },
			...{ is_system: false, filter_count: 2, account_id: here.site },
			filters: { conditions: [one], groups: [], not_groups: [{ conditions: [one] }] },
			...{ created_by: here.owner.userId, created_at: NOW, updated_at: NOW },
		});
		assert.deepEqual((await call(`GET /${id}`)).data, { id, ...segment });
		assert.deepEqual((await call("GET /big-spenders-2")).data, { id, ...segment });
		const patched = await call(`PATCH /${id}`, { description: "those", color: "#00ffAA", name: "ignored" });
		assert.deepEqual(patched.data, { id, ...segment, description: "those", color: "#00ffAA" });
		const put = await call("PUT /big-spenders-2", { color: null, display_name: "All", filters: {} });
		const all = { display_name: "All", filters: noFilters, filter_count: 0 };
		assert.deepEqual(put.data, { id, ...segment, description: "those", ...all });
		assert.equal((await call(`PATCH /${id}`, {})).status, 200);
		assert.deepEqual(await call(`DELETE /${id}`), { status: 204 });
		assert.deepEqual(await fault(`DELETE /${id}`), [404, "not_found"]);
		assert.deepEqual(await fault(`GET /${id}`), [404, "not_found"]);
		assert.deepEqual(await fault("PATCH /big-spenders-2", {}), [404, "not_found"]);
	});

	test("the list begins with the system segments, which can be left out", async () => {
		await save("mine");
		const ids = "all-traffic organic-search paid-search social direct referral mobile desktop".split(" ");
		const [own] = (await call("GET ?include_system=false")).data;
		assert.deepEqual(
			(await call("GET ")).data.map((segment: { id: string }) => segment.id),
			[...ids.map((name) => `seg_sys_${name}`), own.id],
		);
		const shown = { name: "mine", display_name: "mine", description: null, color: null };
		assert.deepEqual(own, { id: own.id, ...shown, is_system: false, filter_count: 1 });
	});

	test("system segments can be read and copied, not changed, and their names are taken", async () => {
		const mobile = (await call("GET /mobile")).data;
		assert.deepEqual(mobile, {
			...{ id: "seg_sys_mobile", name: "mobile", display_name: "Mobile", description: "Visits from phones" },
			...{ color: null, is_system: true, filter_count: 1, account_id: here.site },
			filters: { ...noFilters, conditions: [{ field: "device_type", operator: "eq", value: "mobile" }] },
			...{ created_by: null, created_at: null, updated_at: null },
		});
		assert.deepEqual((await call("GET /seg_sys_mobile")).data, mobile);
		assert.deepEqual(await fault("PATCH /mobile", { display_name: "x" }), [403, "forbidden"]);
		assert.deepEqual(await fault("DELETE /seg_sys_mobile"), [403, "forbidden"]);
		assert.deepEqual(await fault("POST ", { name: "mobile", display_name: "x", filters: {} }), [
			409,
			"duplicate_entry",
		]);
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

	test("faulty fields answer 422 with their place", async () => {
		const values = [
			...["a", []].map((value) => ({ operator: "in", value })),
			...[{ value: ["a"] }, { operator: "regex", value: "(" }, { operator: "not_regex", value: "(?=a)" }],
			...[
				{ field: "country", value: "Spain" },
				{ field: "device_type", value: "tv" },
			],
		].map((more) => ({ conditions: [one, { ...one, ...more }] }));
		for (const [body, field] of [
			[{ name: "Upper" }, "name"],
			[{ filters: null }, "filters"],
			[{ filters: { conditions: Array(21).fill(one) } }, "filters.conditions"],
			...values.map((filters) => [{ filters }, "filters.conditions.1.value"] as const),
			[{ filters: { groups: values.slice(-1) } }, "filters.groups.0.conditions.1.value"],
		] as const) {
			const answer = await fault("POST ", { name: "x", display_name: "x", filters: {}, ...body });
			assert.deepEqual(answer, [422, `body.${field}`], JSON.stringify(body).slice(0, 200));
		}
		assert.deepEqual((await call("GET ?include_system=0")).data, []);
	});

	test("an expression that reports could not run is not saved", async () => {
		await save("good");
		for (const value of ["\\p{Emoji}", "(\\pL{30}\\pN{30}){15}"]) {
			const filters = { not_groups: [{ conditions: [one, { field: "path", operator: "not_regex", value }] }] };
			const refused = [422, "body.filters.not_groups.0.conditions.1.value"];
			assert.deepEqual(await fault("POST ", { name: "x", display_name: "x", filters }), refused);
			assert.deepEqual(await fault("PATCH /good", { filters }), refused);
		}
		assert.deepEqual((await call("GET /good")).data.filters.conditions, [one]);
	});

	test("a large segment is kept as it was sent and can be asked about, a larger one is refused", async () => {
		const value = "é💛%'\"\\\u0000\n`".repeat(10);
		const conditions = Array(10).fill({ field: "path", operator: "not_contains", value });
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
		const larger = Array(20).fill({ field: "path", operator: "in", value: Array(10).fill("x".repeat(400)) });
		const refused = { name: "larger", display_name: "x", filters: { conditions: larger } };
		assert.deepEqual(await fault("POST ", refused), [422, "body.filters"]);
		assert.deepEqual(await fault("PATCH /large", { filters: { conditions: larger } }), [422, "body.filters"]);
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
}
