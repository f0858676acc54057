import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { sql } from "kysely";
import { accountsApp } from "../../../../test/support/accounts-app.ts";
import { recordAudit, systemActor } from "./index.ts";

test("no code beside this slice and its migration names the table", () => {
	const root = new URL("../../../../", import.meta.url);
	const naming = ["src", "migrations"].flatMap((folder) =>
		readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
			.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
			.filter((file) => readFileSync(new URL(`${folder}/${file}`, root), "utf8").includes("audit_log")),
	);
	assert.deepEqual(naming.sort(), [
		"features/auditing/audit-log/store.ts",
		"metadata/0007-audit-log.ts",
		"metadata/tables/auditing.ts",
	]);
});

test("every action that can be filtered by is told, also to members", async () => {
	const app = await accountsApp();
	const { actions } = (await app.call("GET /audit/actions", { as: await app.user("Ann") })).json().data;
	assert.equal(new Set(actions.map(({ action }: { action: string }) => action)).size, actions.length);
	assert.deepEqual(actions[0], { action: "alert_rule.created", resource_type: "alert_rule" });
	assert.deepEqual(
		actions.filter((known: { resource_type: string }) => known.resource_type === "webhook"),
		["created", "deleted", "secret_rotated", "updated"].map((verb) => {
			return { action: `webhook.${verb}`, resource_type: "webhook" };
		}),
	);
	await app.close();
});

test("long texts are cut in an entry", async () => {
	const app = await accountsApp();
	const details = { filters: ["short", "x".repeat(5000)] };
	await recordAudit(app.metadata, systemActor, { action: "segment.updated", details }, 0);
	const { rows } = await sql<{ details: string }>`select details from audit_log`.execute(app.metadata);
	assert.deepEqual(JSON.parse(rows[0]?.details ?? ""), { filters: ["short", `${"x".repeat(1000)}…`] });
	await app.close();
});
