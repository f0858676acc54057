import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { days } from "../../../../test/support/export-site.ts";
import { exportsOnBothEngines } from "../../../../test/support/exports-on-both-engines.ts";

exportsOnBothEngines("telling of exports", (at) => {
	test("completion is told with the link, and recorded in the audit log without it", async () => {
		const job = await at.site.create({ export_type: "pages" });
		await at.site.app.jobs.runDue();
		assert.deepEqual(
			at.told.map(({ type, siteId, data }) => [type, siteId, data]),
			[
				[
					"export.completed",
					"shop",
					{
						export_id: job.job_id,
						export_type: "pages",
						row_count: 2,
						file_size_bytes: job.file_size_bytes,
						download_url: job.download_url,
						expires_at: "2026-11-22T12:00:00.000Z",
					},
				],
			],
		);
		const entries = await at.site.app.metadata
			.withTables<Tables>()
			.selectFrom("audit_log")
			.select(["resource_id", "site_id", "details"])
			.where("action", "=", "export.created")
			.execute();
		assert.deepEqual(
			entries.map(({ details, ...entry }) => ({ ...entry, details: JSON.parse(details) })),
			[
				{
					resource_id: job.job_id,
					site_id: "shop",
					details: { export_type: "pages", format: "csv", ...days, estimated_rows: 2 },
				},
			],
		);
		const token = /download\/([\w-]{43})/.exec(job.download_url)?.[1] ?? "none";
		const { rows } = await at.site.app.metadata.transaction().execute(async (trx) => ({
			rows: await trx.withTables<Tables>().selectFrom("exports").selectAll().execute(),
		}));
		assert.equal(JSON.stringify(rows).includes(token), false, "the token is not in the store");
		assert.equal(at.site.app.logLines.join("").includes(token), false, "the token is in no log line");
	});
});
