// Real processes, as the promises are about several of them on one SQLite file, and about one that is killed.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, test } from "node:test";
import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { createJobs } from "../../src/platform/jobs/create-jobs.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
import { migrateMetadata } from "../../src/platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";
import { createMailer } from "../../src/platform/outbound/mail/mailer.ts";
import { mailServers } from "../support/mail-servers.ts";
import { parseMail } from "../support/parse-mail.ts";

const secretKey = "a secret of the tests, 32 characters or more";
const log = { info: () => {}, warn: () => {}, error: () => {} };
const platform = new URL("../../src/platform/", import.meta.url).href;

let dataDir: string;
let metadata: Metadata;
let children: ChildProcess[];
beforeEach(async () => {
	dataDir = mkdtempSync(join(tmpdir(), "footfall-job-faults-"));
	metadata = await openMetadata({ dataDir });
	await migrateMetadata(metadata, metadataMigrations, systemClock.now());
	children = [];
});
afterEach(async () => {
	for (const child of children) child.kill("SIGKILL");
	await metadata.destroy();
	rmSync(dataDir, { recursive: true, force: true });
});

/** A process that does jobs on the same SQLite file: `body` registers them, its clock is some milliseconds ahead. */
function worker(body: string, aheadMs = 0): ChildProcess {
	const script = `
		import { appendFileSync } from "node:fs";
		import { openMetadata } from "${platform}metadata/open-metadata.ts";
		import { createJobs } from "${platform}jobs/create-jobs.ts";
		import { createMailer } from "${platform}outbound/mail/mailer.ts";
		import { systemClock } from "${platform}lib/clock.ts";
		const dataDir = ${JSON.stringify(dataDir)};
		const clock = { ...systemClock, now: () => Date.now() + ${aheadMs} };
		const log = { info() {}, warn() {}, error() {} };
		const metadata = await openMetadata({ dataDir });
		const jobs = createJobs({ metadata, clock, log });
		${body}
	`;
	const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
		stdio: ["ignore", "ignore", "inherit"],
	});
	children.push(child);
	return child;
}

test("processes on one SQLite file do each job once", async () => {
	const jobs = createJobs({ metadata, clock: systemClock, log });
	await metadata.transaction().execute(async (trx) => {
		for (let payload = 1; payload <= 200; payload++) await jobs.enqueue(trx, { kind: "note", payload });
	});
	const notes = (name: string) => `
		jobs.register("note", async (payload) => {
			await new Promise(setImmediate);
			appendFileSync(dataDir + "/${name}", payload + "\\n");
		});
		await jobs.runDue();
		await metadata.destroy();
	`;
	const ends = await Promise.all(["one", "two", "three"].map((name) => once(worker(notes(name)), "exit")));
	assert.deepEqual(
		ends.map(([code]) => code),
		[0, 0, 0],
	);
	const files = readdirSync(dataDir).filter((file) => ["one", "two", "three"].includes(file));
	const done = files.flatMap((file) => readFileSync(join(dataDir, file), "utf8").trim().split("\n").map(Number));
	assert.deepEqual(
		done.sort((a, b) => a - b),
		Array.from({ length: 200 }, (_, index) => index + 1),
	);
});

test("a mail whose sender is killed before it could note the end is sent again, as the same mail", async () => {
	const received: string[] = [];
	let sender: ChildProcess | undefined;
	const servers = mailServers();
	const { port } = await servers.smtp({
		onData: (stream, _session, done) => {
			void text(stream).then(async (source) => {
				received.push(parseMail(source).headers["message-id"] ?? "");
				if (received.length === 1 && sender !== undefined) {
					const ended = once(sender, "exit");
					sender.kill("SIGKILL");
					await ended;
				}
				done();
			});
		},
	});
	const smtpUrl = `smtp://127.0.0.1:${port}`;
	const deps = { clock: systemClock, log, secretKey, dataDir, mailFrom: "ops@stats.example", smtpUrl };
	const mailer = createMailer({ ...deps, jobs: createJobs({ metadata, clock: systemClock, log }) });
	await mailer.queue(metadata, { to: "ann@example.com", subject: "Hello", body: ["Hello"] });
	const send = `
		createMailer({ jobs, clock, log, dataDir, ...${JSON.stringify({ secretKey, mailFrom: "ops@stats.example", smtpUrl })} });
		await jobs.runDue();
		await metadata.destroy();
	`;
	try {
		sender = worker(send);
		await once(sender, "exit");
		assert.equal(received.length, 1);
		await once(worker(send), "exit");
		assert.equal(received.length, 1, "not while the lease lasts");
		await once(worker(send, 3_600_000), "exit");
		assert.equal(received.length, 2);
		assert.equal(received[0], received[1]);
		await once(worker(send, 2 * 3_600_000), "exit");
		assert.equal(received.length, 2);
	} finally {
		servers.close();
	}
});
