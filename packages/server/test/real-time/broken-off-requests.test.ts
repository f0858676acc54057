// Real time, as clients break real connections, and the kernel closes files in its own time. `npm run faults -- hang-ups` breaks off
// all that stream.
import assert from "node:assert/strict";
import { existsSync, readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { createRandom } from "../../src/features/collecting/seed/random.ts";
import { breakOff, bytesOf, openFilesBelow } from "../support/break-off.ts";
import { exportSite } from "../support/export-site.ts";
import { formOf, log } from "../support/import-site.ts";
import { operationsOf } from "../support/operations.ts";
import { testApp } from "../support/test-app.ts";
import { until } from "../support/until.ts";

const skip = process.platform === "linux" ? false : "open files are read from /proc";
const random = createRandom(2026);
const below = (bytes: number) => Math.floor(random.next() * bytes);

const site = await exportSite(await testApp({ env: { RATE_LIMIT_ENABLED: "false" } }));
after(() => site.app.close());
await site.addConversions(10);
const download = new URL((await site.create({ export_type: "conversions", format: "csv" })).download_url);

const folder = (name: string) => join(site.app.config.dataDir, name);
const openFiles = () => openFilesBelow([folder("imports"), folder("exports")]);
const importFiles = () => (existsSync(folder("imports")) ? readdirSync(folder("imports")) : []);

const refused: readonly (readonly [title: string, form: () => ReturnType<typeof formOf>])[] = [
	["without its end", () => cutForm(formOf({ source: "access_log" }, { bytes: log }), 60)],
	["that ends at the head of its file", () => cutForm(formOf({ source: "access_log" }, { bytes: "" }), 70)],
	["with two files", () => twoFiles()],
	["with a file of another name before its own", () => twoFiles("other")],
	["with a file that is no text", () => formOf({ source: "umami_csv" }, { bytes: "a,b\n\0\0".repeat(200_000) })],
	["with an archive that is none", () => formOf({ source: "plausible_zip" }, { bytes: "PK\x03\x04".repeat(300_000) })],
	["with a gzip file that is none", () => formOf({ source: "access_log" }, { bytes: Buffer.from([0x1f, 0x8b, 9, 9]) })],
	["with a table of another tool", () => formOf({ source: "matomo_csv" }, { bytes: "x,y\n1,2\n".repeat(200_000) })],
];

function cutForm(form: ReturnType<typeof formOf>, bytes: number): ReturnType<typeof formOf> {
	return { ...form, payload: form.payload.subarray(0, form.payload.length - bytes) };
}

function twoFiles(first = "file"): ReturnType<typeof formOf> {
	const one = formOf({ source: "access_log" }, { bytes: log.repeat(300) });
	const text = one.payload.toString("latin1");
	const end = text.lastIndexOf("--form-");
	const file = text.slice(text.indexOf("--form-", 10), end);
	return {
		...one,
		payload: Buffer.from(text.slice(0, end).replace('"file"', `"${first}"`) + file + text.slice(end), "latin1"),
	};
}

test("an upload that is no form, or holds no file of its kind, is refused and leaves no open file", {
	skip,
}, async () => {
	const files = importFiles().length;
	for (const [title, form] of refused) {
		const { payload, headers: types } = form();
		const headers = { ...site.ann.headers, ...types };
		const url = "/api/v1/imports?account_id=shop";
		const answer = await site.app.inject({ method: "POST", url, headers, payload });
		assert.ok(answer.statusCode >= 400 && answer.statusCode < 500, `${title}: ${answer.body}`);
		assert.deepEqual([await openFiles(), importFiles().length], [[], files], title);
	}
});

test("every route that takes a body bears one that breaks off", { skip }, async () => {
	const { headers } = site.ann;
	for (const { method, path } of operationsOf(site.app).filter(({ hasBody }) => hasBody)) {
		const address = path.replace(/\{\w+\}/g, "1");
		const request = { method, path: `${address}?site_id=shop&account_id=shop`, body: '{"a": ['.padEnd(4_000) };
		const bytes = bytesOf({ ...request, headers: { ...headers, "content-type": "application/json" } });
		await breakOff(site.app, bytes, { sent: bytes.length - 1 - below(4_000) });
	}
	assert.deepEqual(await openFiles(), []);
});

test("the head of a download tells how long the file is, and leaves it unread", { skip }, async () => {
	const { app } = site;
	const name = readdirSync(folder("exports")).find((file) => file.endsWith(".csv")) ?? "";
	truncateSync(join(folder("exports"), name), 2 ** 40);
	const head = await app.inject({ method: "HEAD", url: download.pathname + download.search });
	assert.deepEqual([head.statusCode, head.headers["content-length"]], [200, String(2 ** 40)]);
	await until(async () => (await openFiles()).length === 0);
});
