import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHits } from "../../../../test/support/hits.ts";

const here = collectingSite({ env: { ROLES: "collect,api" } });

test("counts that could not be written are in the answer as soon as they can be", async () => {
	const { metadata } = here.app;
	const rejections = () => here.call(`GET /sites/${here.site}/pixel/rejections`);
	await sql`ALTER TABLE hit_counts RENAME TO away`.execute(metadata);
	await sendHits(here.app, [here.view("/", { url: "https://evil.example/" }), here.view("/")]);
	assert.equal((await rejections()).status, 500);
	await sql`ALTER TABLE away RENAME TO hit_counts`.execute(metadata);
	const { accepted, rejected } = (await rejections()).data;
	assert.deepEqual({ accepted, rejected }, { accepted: 1, rejected: 1 });
});
