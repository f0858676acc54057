// Real time, as clients break real connections, and the kernel closes the files of a broken-off answer in its own time.
import assert from "node:assert/strict";
import { existsSync, readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createRandom } from "../../src/features/collecting/seed/random.ts";
import { breakOff, bytesOf, openFilesBelow, type RawRequest } from "../support/break-off.ts";
import { days, type ExportSite, exportSite } from "../support/export-site.ts";
import { sendHit } from "../support/hits.ts";
import { formOf, log } from "../support/import-site.ts";
import { newKey } from "../support/mcp-client.ts";
import { operationsOf } from "../support/operations.ts";
import { testApp } from "../support/test-app.ts";
import { until } from "../support/until.ts";

/** Times that each route is broken off. */
const ROUNDS = 8;
const skip = process.platform === "linux" ? false : "open files are read from /proc";
const random = createRandom(2026);
const below = (bytes: number) => Math.floor(random.next() * bytes);

let site: ExportSite;
let streamed: Record<string, RawRequest>;
let upload: RawRequest;
before(async () => {
	const app = await testApp({ env: { RATE_LIMIT_ENABLED: "false" } });
	site = await exportSite(app);
	await site.addConversions(5_000);
	const { headers } = site.ann;
	const json = { ...headers, "content-type": "application/json" };
	const job = await site.create({ export_type: "conversions", format: "csv" });
	const overview = {
		endpoint: "/stats/overview",
		params: { site_id: "shop", start_date: days.date_from, end_date: days.date_to },
	};
	const form = formOf({ source: "access_log" }, { bytes: log.repeat(300) });
	upload = {
		method: "POST",
		path: "/api/v1/imports?account_id=shop",
		headers: { ...headers, ...form.headers },
		body: form.payload,
	};
	streamed = {
		"a download": {
			method: "GET",
			path: new URL(job.download_url).pathname + new URL(job.download_url).search,
			headers: {},
		},
		"an export that is made meanwhile": {
			method: "POST",
			path: "/api/v1/exports/stream?account_id=shop",
			headers: json,
			body: JSON.stringify({ export_type: "conversions", format: "csv", ...days }),
		},
		"a live stream": { method: "GET", path: "/api/v1/stats/live/stream?site_id=shop", headers },
		"a batch by lines": {
			method: "POST",
			path: "/api/v1/batch",
			headers: { ...json, accept: "application/x-ndjson" },
			body: JSON.stringify({ queries: ["a", "b", "c"].map((id) => ({ id, ...overview })) }),
		},
		"a tool of MCP": {
			method: "POST",
			path: "/mcp",
			headers: {
				...(await newKey(app, site.ann)),
				"content-type": "application/json",
				accept: "application/json, text/event-stream",
			},
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
		},
		"the tracker": { method: "GET", path: "/t.js?id=shop", headers: {} },
		"the API description": { method: "GET", path: "/api/v1/openapi.json", headers: {} },
	};
});
after(() => site.app.close());

const folder = (name: string) => join(site.app.config.dataDir, name);
const openFiles = () => openFilesBelow([folder("imports"), folder("exports")]);
const importFiles = () => (existsSync(folder("imports")) ? readdirSync(folder("imports")) : []);

test("uploads that break off at any byte leave no open file and no part of a file", { skip }, async () => {
	const bytes = bytesOf(upload);
	for (let round = 0; round < 4 * ROUNDS; round++) await breakOff(site.app, bytes, { sent: below(bytes.length) });
	const whole = await site.app.inject({
		method: "POST",
		url: upload.path,
		headers: { ...upload.headers },
		payload: Buffer.from(upload.body ?? ""),
	});
	assert.equal(whole.statusCode, 201, whole.body);
	assert.deepEqual(await openFiles(), []);
	assert.equal(importFiles().length, 1);
});

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

for (const [title, form] of refused) {
	test(`an upload ${title} is refused and leaves no open file`, { skip }, async () => {
		const files = importFiles().length;
		const { payload, headers } = form();
		const answer = await site.app.inject({
			method: "POST",
			url: upload.path,
			headers: { ...site.ann.headers, ...headers },
			payload,
		});
		assert.ok(answer.statusCode >= 400 && answer.statusCode < 500, answer.body);
		assert.deepEqual(await openFiles(), []);
		assert.equal(importFiles().length, files);
	});
}

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

test("answers that are broken off at any byte leave no open file, and every route goes on", { skip }, async () => {
	for (const request of Object.values(streamed)) {
		const bytes = bytesOf(request);
		for (let round = 0; round < ROUNDS; round++) {
			await breakOff(site.app, bytes, {});
			await breakOff(site.app, bytes, { read: 1 + below(500) });
		}
	}
	for (const [name, { method, path, headers, body }] of Object.entries(streamed)) {
		if (name === "a live stream") continue;
		const answer = await fetch(`${await site.app.address()}${path}`, { method, headers, ...(body && { body }) });
		assert.equal(answer.status, 200, name);
		await answer.arrayBuffer();
	}
	assert.equal(await sendHit(site.app, { site: "shop", url: "https://shop.example/" }), 204);
	assert.deepEqual(await openFiles(), []);
});

test("the head of a download tells how long the file is, and leaves it unread", { skip }, async () => {
	const { app } = site;
	const name = readdirSync(folder("exports")).find((file) => file.endsWith(".csv")) ?? "";
	truncateSync(join(folder("exports"), name), 2 ** 40);
	const head = await app.inject({ method: "HEAD", url: streamed["a download"]?.path ?? "" });
	assert.deepEqual([head.statusCode, head.headers["content-length"]], [200, String(2 ** 40)]);
	await until(async () => (await openFiles()).length === 0);
});
