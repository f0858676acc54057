import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ExportSite, exportSite } from "../../../../test/support/export-site.ts";
import { BUCKET, type S3Peer, startS3Peer } from "../../../../test/support/s3-peer.ts";
import { testApp } from "../../../../test/support/test-app.ts";

let peer: S3Peer;
before(async () => {
	peer = await startS3Peer();
});
after(() => peer.close());

const openSite = async (url: string): Promise<ExportSite> => exportSite(await testApp({ env: { S3_URL: url } }));

test("with S3_URL the file of an export lies in the bucket, comes by its link, and goes with the export", async () => {
	const site = await openSite(peer.url(`${BUCKET}/exports`));
	try {
		const job = await site.create({ export_type: "pages" });
		assert.equal(job.status, "completed");
		assert.equal(peer.objects().length, 1);
		assert.match(String(peer.objects()[0]), new RegExp(`^exports/${job.job_id}-[0-9a-f]{8}\\.csv$`));
		const file = await site.download(job);
		assert.equal(
			file.body,
			"path,content_grouping,page_views,entrances,engaged_entrances\r\n/,Home,3,3,1\r\n/cart,,1,0,0\r\n",
		);
		assert.equal(file.headers["content-length"], String(job.file_size_bytes));
		await site.call(`DELETE /exports/${job.job_id}`);
		await site.app.jobs.runDue();
		assert.deepEqual([peer.objects(), peer.uploads()], [[], []]);
	} finally {
		await site.app.close();
	}
});

test("an export that the bucket refuses is failed without a word of why; the log names the answer and no part of the key", async () => {
	const site = await openSite(peer.url(`${BUCKET}/exports`, { secret: "a wrong secret" }));
	try {
		const job = await site.create({ export_type: "pages" });
		assert.deepEqual([job.status, job.error_message], ["failed", "The file could not be stored"]);
		const log = site.app.logLines.join("");
		assert.match(log, /"code":"http_403"/);
		assert.doesNotMatch(log, /a wrong secret|a%20wrong%20secret|PEER/);
	} finally {
		await site.app.close();
	}
});

test("a background export that the bucket refuses a part of goes on, and is whole in the end", async () => {
	const site = await openSite(peer.url(`${BUCKET}/exports`));
	try {
		await site.addConversions(400_000);
		const { job } = (
			await site.call("POST /exports", {
				export_type: "conversions",
				date_from: "2026-11-20",
				date_to: "2026-11-20",
				filters: { conversion_type: "order" },
			})
		).json();
		peer.fault = (request) => {
			if (!/^PUT .*partNumber=2/.test(request)) return undefined;
			peer.fault = () => undefined;
			return 503;
		};
		await site.app.jobs.runDue();
		const done = await site.job(job.job_id);
		assert.deepEqual([done.status, done.actual_rows], ["completed", 400_000]);
		assert.deepEqual(peer.uploads(), []);
		assert.equal((await site.download(done)).body.split("\r\n").length, 400_002);
	} finally {
		await site.app.close();
	}
});
