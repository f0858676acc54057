import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { type JobProcess, type JobStore, openJobStore } from "../../../../test/support/job-stores.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { newDirectory } from "../../../../test/support/new-directory.ts";
import { silentLog } from "../../../../test/support/test-store.ts";
import { JobFailure } from "../../jobs/job-failure.ts";
import { createJobs } from "../../jobs/job-runner.ts";
import { createMailer, type Mail, type Mailer } from "./mailer.ts";

const secretKey = "a secret of the tests, 32 characters or more";
const mailFrom = "Footfall <footfall@stats.example>";

let store: JobStore;
let app: Pick<JobProcess, "metadata" | "jobs" | "logLines"> &
	Pick<JobStore, "clock"> & {
		readonly dataDir: string;
		readonly mailer: Mailer;
	};
beforeEach(async () => {
	store = await openJobStore("sqlite");
	const { metadata, jobs } = await store.process();
	const dataDir = newDirectory();
	const logLines: string[] = [];
	const write = (fields: object, message: string) => void logLines.push(JSON.stringify({ ...fields, message }));
	const log = { info: write, warn: write, error: write };
	const { clock } = store;
	const mailer = createMailer({ jobs, clock, log, secretKey, dataDir, mailFrom });
	app = { metadata, jobs, logLines, clock, dataDir, mailer };
});
afterEach(() => store.close());

const link = "https://stats.example/verify-email?token=abcDEF-_123=&x=<1>";
const mail: Mail = {
	to: "ann@example.com",
	subject: "Confirm your address",
	body: ["Hello Ann, you are nearly done: 50 % of the way = good.", { link, label: "Confirm address" }, "Bye"],
};
const queue = (change: Partial<Mail> = {}) => app.mailer.queue(app.metadata, { ...mail, ...change });
const outbox = () => join(app.dataDir, "outbox");
const subjects = async () => (await mailbox(app).all()).map(({ subject }) => subject);

/** State and error of the mails in the store. */
const mails = async () =>
	(await store.rows())
		.filter(({ kind }) => kind === "mail")
		.map(({ state, last_error }) => `${state}${last_error === null ? "" : `: ${last_error}`}`);

test("a mail is a file in the outbox, as text and as HTML, with the links of its parts", async () => {
	await queue();
	const [sent, ...more] = await mailbox(app).to("ann@example.com");
	assert.ok(sent);
	assert.equal(more.length, 0);
	assert.equal(sent.subject, "Confirm your address");
	const found = sent.text;
	assert.equal(found, `Hello Ann, you are nearly done: 50 % of the way = good.\n\nConfirm address:\n${link}\n\nBye\n`);
	assert.deepEqual(sent.links, [link]);
	assert.match(sent.html, /<a href="https:\/\/stats\.example\/verify-email\?token=abcDEF-_123=&amp;x=&lt;1&gt;"/);
	const { date, from, "auto-submitted": origin } = sent.headers;
	const expected = ["Sat, 21 Nov 2026 12:00:00 +0000", "Footfall <footfall@stats.example>", "auto-generated"];
	assert.deepEqual([date, from, origin], expected);
	assert.match(sent.headers["message-id"] ?? "", /^<[0-9a-f-]{36}@stats\.example>$/);
	assert.match(sent.headers["content-type"] ?? "", /^multipart\/alternative/);
	const [file = ""] = readdirSync(outbox());
	assert.ok(readFileSync(join(outbox(), file), "utf8").includes(`\n${link}\n`), "the link is in one piece");
});

test("line ends and signs that turn writing around add no header, receiver or paragraph", async () => {
	const foreign = "Žofie «O'Hara & Söhne» 🦊 <script>alert(1)</script>";
	for (const [name, arrives] of [
		[foreign, foreign],
		["Ann\r\nBcc: eve@example.com\r\n\r\nPay here\u2028now\u202e!", "Ann Bcc: eve@example.com Pay here now !"],
	] as const) {
		await queue({ subject: name, body: [name, { link, label: name }] });
		const sent = (await mailbox(app).all()).at(-1);
		assert.ok(sent);
		assert.deepEqual([sent.subject, sent.text], [arrives, `${arrives}\n\n${arrives}:\n${link}\n`]);
		assert.deepEqual([sent.to, sent.headers["bcc"]], ["ann@example.com", undefined]);
		assert.doesNotMatch(sent.html, /<script>/);
	}
	await queue({ subject: "=?utf-8?q?Pay?= here" });
	assert.equal((await subjects()).at(-1), "= ?utf-8?q?Pay?= here");
});

test("a mail to several receivers or with a link that is no web page is a mistake of the program", async () => {
	const mistakes: Partial<Mail>[] = [
		{ to: "ann@example.com, eve@example.com" },
		{ to: "ann@example.com\r\nBcc: eve@example.com" },
		{ to: "Ann <ann@example.com>" },
		{ to: "" },
		{ body: [{ link: "javascript:alert(1)", label: "Click" }] },
		{ body: [{ link: "https://stats.example/ and more", label: "Click" }] },
		{ unsubscribe: "mailto:a@example.com" },
		{ unsubscribe: "https://a.example/>\r\nBcc: b@example.com" },
		{ unsubscribe: "javascript:alert(1)" },
	];
	for (const mistake of mistakes) await assert.rejects(async () => queue(mistake), TypeError, JSON.stringify(mistake));
	assert.deepEqual(await mails(), []);
});

test("neither the store nor the log holds the address, subject or link, and only the service's user reads the outbox", async () => {
	await queue();
	assert.doesNotMatch(JSON.stringify(await store.rows()), /ann@|example\.com|verify-email|abcDEF|Confirm/);
	await mailbox(app).all();
	const [file = ""] = readdirSync(outbox());
	assert.match(file, /^2026-11-21T12-00-00\.000Z-000001\.eml$/);
	const modes = [outbox(), join(outbox(), file)].map((path) => statSync(path).mode & 0o777);
	assert.deepEqual(modes, [0o700, 0o600]);
	const line = app.logLines.find((entry) => entry.includes("Email written to the outbox"));
	assert.equal(JSON.parse(line ?? "{}").file, file);
	assert.doesNotMatch(app.logLines.join("\n"), /ann@|verify-email|abcDEF|Confirm/);
});

test("an outbox that cannot be written makes mails wait, and leaves no half file", async () => {
	writeFileSync(outbox(), "a file in the way");
	await queue();
	await app.jobs.runDue();
	await assert.rejects(app.mailer.check());
	assert.deepEqual(await mails(), ["pending: Error EEXIST"]);
	rmSync(outbox());
	app.clock.advance(20_000);
	assert.equal((await subjects()).length, 1);
	assert.equal(await app.mailer.check(), "mails are written to DATA_DIR/outbox");
	assert.equal(readdirSync(outbox()).length, 1);
});

test("mails lie in the outbox as they were queued, and go after thirty days; other files stay", async () => {
	const queued = ["first", "second", "third", "fourth", "fifth"];
	for (const subject of queued) await queue({ subject });
	assert.deepEqual(await subjects(), queued);
	writeFileSync(join(outbox(), "2020-notes.txt"), "mine");
	app.clock.set("2026-12-21T11:59:00Z");
	await queue({ subject: "new" });
	assert.deepEqual(await subjects(), [...queued, "new"]);
	app.clock.set("2026-12-22T04:00:00Z");
	assert.deepEqual(await subjects(), ["new"]);
	assert.ok(readdirSync(outbox()).includes("2020-notes.txt"));
});

test("a mail that is refused for good is told by its reference, once; one that may leave later is told to nobody", async () => {
	const heard: string[] = [];
	const { clock, dataDir, metadata } = app;
	for (const isFinal of [false, true]) {
		const send = async () => {
			throw new JobFailure("The mail server did not take the mail", { isFinal });
		};
		// Of another process.
		const jobs = createJobs({ metadata, clock, log: silentLog });
		const transport = { send, check: async () => "" };
		const mailer = createMailer({ jobs, clock, log: silentLog, secretKey, dataDir, mailFrom, transport });
		mailer.onRefused(async (reference) => void heard.push(`${reference} ${isFinal}`));
		await mailer.queue(app.metadata, { ...mail, reference: "report 1" });
		await mailer.queue(app.metadata, mail);
		await jobs.runDue();
	}
	assert.deepEqual(heard, ["report 1 true"]);
});
