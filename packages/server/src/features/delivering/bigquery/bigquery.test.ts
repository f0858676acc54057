import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { type BigQuerySite, bigQuerySite, connection } from "../../../../test/support/bigquery-site.ts";
import { serviceAccount } from "../../../../test/support/bigquery-stand-in.ts";

const usualTables = [
	"fact_traffic_daily",
	"fact_pages",
	"fact_landing_pages",
	"fact_conversions",
	"fact_microconversions",
	"dim_countries",
	"sync_metadata",
];
appOnBothEngines("a site and BigQuery", (open) => {
	let at: BigQuerySite;
	beforeEach(async () => {
		at = await bigQuerySite((env) => open({ env }));
	});
	afterEach(() => at.close());

	test("connecting makes the dataset and its tables, partitioned by day and clustered by site, and begins the first sync", async () => {
		const answer = await at.call("POST ", connection);
		assert.equal(answer.statusCode, 201, answer.body);
		const { integration, dataset_ref, tables_created, message } = answer.json();
		assert.deepEqual([dataset_ref, tables_created], ["shop-project.footfall", usualTables]);
		assert.match(message, /first sync/);
		assert.deepEqual(integration, {
			id: 1,
			account_id: "shop",
			gcp_project_id: "shop-project",
			dataset_id: "footfall",
			location: "EU",
			service_account_email: serviceAccount.client_email,
			sync_frequency: "daily",
			data_types: ["traffic", "conversions", "microconversions", "pages", "landing_pages"],
			backfill_days: 30,
			initial_date_from: "2026-11-19",
			initial_date_to: "2026-11-21",
			is_active: true,
			setup_completed: true,
			setup_completed_at: "2026-11-21T12:00:00.000Z",
			tables_created: usualTables,
			next_sync_at: integration.next_sync_at,
			last_sync_at: null,
			last_sync_status: null,
			last_error: null,
			created_at: "2026-11-21T12:00:00.000Z",
			updated_at: "2026-11-21T12:00:00.000Z",
			created_by: at.site.ann.userId,
		});
		assert.match(integration.next_sync_at, /^2026-11-22T03:\d\d:00\.000Z$/);
		assert.deepEqual([...at.google.datasets], [["footfall", { location: "EU" }]]);
		const { timePartitioning, clustering } = at.google.tables.get("footfall.fact_traffic_daily")?.resource ?? {};
		assert.deepEqual(timePartitioning, { type: "DAY", field: "date" });
		assert.deepEqual(clustering, { fields: ["account_id", "channel_group", "utm_source", "country"] });
		await at.app.jobs.runDue();
		const [log, ...others] = await at.logs();
		assert.deepEqual(others, []);
		assert.deepEqual(
			[log?.sync_type, log?.status, log?.date_from, log?.date_to, log?.total_chunks, log?.completed_chunks],
			["initial", "success", "2026-11-19", "2026-11-21", 1, 1],
		);
		const shown = (await at.call("GET ")).json();
		assert.deepEqual(
			[shown.last_sync_at, shown.last_sync_status, shown.last_error],
			["2026-11-21T12:00:00.000Z", "success", null],
		);
	});

	test("rows are what the reports say, with the attribution of the service, and texts and money are exact", async () => {
		await at.connect({
			data_types: ["traffic", "conversions", "microconversions", "pages", "landing_pages", "accounts"],
		});
		const formula = { utm_source: "=cmd|'/c calc'!A1", utm_medium: "a,b", country: "Unknown" };
		const sale = at.google.rows("fact_conversions").find((row) => row.date === "2026-11-21");
		assert.deepEqual(sale, {
			account_id: "shop",
			date: "2026-11-21",
			conversion_type: "purchase",
			...formula,
			utm_campaign: "",
			utm_term: "",
			utm_content: "",
			channel_group: "Direct",
			device_type: "desktop",
			browser: 'The "best"',
			os: "Linux",
			landing_page: "/",
			click_id: "",
			count: 1,
			amount: "-3",
			revenue: "-3",
			properties: {},
		});
		assert.deepEqual(at.google.rows("fact_microconversions"), [
			{
				account_id: "shop",
				date: "2026-11-21",
				conversion_type: "signup",
				...formula,
				utm_campaign: "",
				channel_group: "Direct",
				device_type: "desktop",
				count: 1,
				properties: { plan: "ünïcode\\" },
			},
		]);
		assert.deepEqual(at.google.rows("fact_pages")[0], {
			account_id: "shop",
			date: "2026-11-19",
			page_path: "/",
			content_grouping: "Home",
			country: "ES",
			channel_group: "Direct",
			entrances: 1,
			engaged_entrances: 1,
			page_views: 1,
		});
		assert.deepEqual(at.google.rows("dim_accounts"), [
			{
				account_id: "shop",
				account_name: "Shop",
				timezone: "UTC",
				currency: "EUR",
				created_at: "2026-11-21T12:00:00.000Z",
			},
		]);
		const spain = at.google.rows("dim_countries").find((row) => row.country_code === "ES");
		assert.deepEqual(spain, {
			account_id: "shop",
			country_code: "ES",
			country_name: "Spain",
			continent: "Europe",
			region: "Southern Europe",
		});
	});

	test("the schema that is told is that of the tables, and needs no site", async () => {
		const all = ["traffic", "traffic_hourly", "conversions", "microconversions", "pages", "landing_pages", "accounts"];
		await at.connect({ data_types: all });
		const { tables } = (await at.call("GET /schema", undefined, { query: "" })).json();
		const made = [...at.google.tables].map(([name, { fields }]) => [name.replace("footfall.", ""), fields]);
		assert.deepEqual(
			made.sort(),
			Object.entries<{ schema: unknown }>(tables)
				.map(([name, { schema }]) => [name, schema])
				.sort(),
		);
		const { schema: _, ...hourly } = tables.fact_traffic_hourly;
		assert.deepEqual(hourly, {
			description: "The same by hour, of the last 90 days",
			data_type: "traffic_hourly",
			partition_field: "date",
			clustering_fields: ["account_id", "channel_group", "utm_source", "country"],
			partition_expiration_days: 90,
		});
		const { timePartitioning } = at.google.tables.get("footfall.fact_traffic_hourly")?.resource ?? {};
		assert.deepEqual(timePartitioning, { type: "DAY", field: "date", expirationMs: "7776000000" });
		const named = (table: string) => tables[table].schema.map(({ name }: { name: string }) => name).join();
		assert.equal(
			named("fact_conversions"),
			"sync_id,synced_at,account_id,date,conversion_type,utm_source,utm_medium,utm_campaign,utm_term,utm_content,channel_group,country,device_type,browser,os,landing_page,click_id,count,amount,revenue,properties",
		);
		assert.equal(
			named("fact_traffic_hourly"),
			"sync_id,synced_at,account_id,date,hour,utm_source,utm_medium,channel_group,country,device_type,browser,os,day_of_week,entrances,engaged_entrances,page_views,microconversions,conversions,revenue",
		);
	});

	test("a key file comes as a form too, the rest in the address", async () => {
		const form = new FormData();
		form.append("service_account_file", new Blob([JSON.stringify(serviceAccount)]), "key.json");
		const body = new Response(form);
		const query =
			"gcp_project_id=shop-project&backfill_days=1&data_types=pages&data_types=accounts&sync_frequency=manual";
		const send = async (payload: Buffer, type: string) =>
			at.app.inject({
				method: "POST",
				url: `/api/v1/integrations/bigquery?account_id=shop&${query}`,
				headers: { ...at.site.ann.headers, "content-type": type },
				payload,
			});
		const type = body.headers.get("content-type") ?? "";
		const answer = await send(Buffer.from(await body.arrayBuffer()), type);
		assert.equal(answer.statusCode, 201, answer.body);
		const { integration } = answer.json();
		assert.deepEqual(
			[integration.data_types, integration.backfill_days, integration.sync_frequency, integration.next_sync_at],
			[["pages", "accounts"], 1, "manual", null],
		);
		assert.equal((await send(Buffer.from("no form"), type)).statusCode, 400);
		assert.equal((await send(Buffer.from("{}"), "text/plain")).statusCode, 400);
	});
});
