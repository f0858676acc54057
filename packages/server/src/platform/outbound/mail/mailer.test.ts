import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { sql } from "kysely";
import { type JobProcess, type JobStore, openJobStore } from "../../../../test/support/job-stores.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { createJobs } from "../../jobs/create-jobs.ts";
import { createMailer, type Mail, type Mailer } from "./mailer.ts";

const secretKey = "a secret of the tests, 32 characters or more";

let store: JobStore;
let app: Pick<JobProcess, "metadata" | "jobs" | "logLines"> &
	Pick<JobStore, "clock"> & {
		readonly dataDir: string;
		readonly mailer: Mailer;
	};
beforeEach(async () => {
	store = await openJobStore("sqlite");
	const { metadata, jobs } = await store.process();
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-mailer-"));
	const logLines: string[] = [];
	const write = (fields: object, message: string) => void logLines.push(JSON.stringify({ ...fields, message }));
	const log = { info: write, warn: write, error: write };
	const { clock } = store;
	const mailFrom = "Footfall <footfall@stats.example>";
	const mailer = createMailer({ jobs, clock, log, secretKey, dataDir, mailFrom });
	app = { metadata, jobs, logLines, clock, dataDir, mailer };
});
afterEach(async () => {
	await store.close();
	rmSync(app.dataDir, { recursive: true });
});

const link = "https://stats.example/verify-email?token=abcDEF-_123=&x=<1>";
const mail: Mail = {
	to: "ann@example.com",
	subject: "Confirm your address",
	body: ["Hello Ann, you are nearly done: 50 % of the way = good.", { link, label: "Confirm the address" }, "Bye"],
};
const queue = (change: Partial<Mail> = {}) =>
	app.metadata.transaction().execute((trx) => app.mailer.queue(trx, { ...mail, ...change }));
const outbox = () => join(app.dataDir, "outbox");
const silent = { info: () => {}, warn: () => {}, error: () => {} };

const failures = async () => {
	const { rows } = await sql<{ state: string; last_error: string | null }>`
		select state, last_error from jobs where kind = 'mail'
	`.execute(app.metadata);
	return rows;
};

test("a mail is a file in the outbox, as text and as HTML, with the links of its parts", async () => {
	await queue();
	const [sent, ...more] = await mailbox(app).to("ann@example.com");
	assert.ok(sent);
	assert.equal(more.length, 0);
	assert.equal(sent.subject, "Confirm your address");
	assert.equal(
		sent.text,
		`Hello Ann, you are nearly done: 50 % of the way = good.\n\nConfirm the address:\n${link}\n\nBye\n`,
	);
	assert.deepEqual(sent.links, [link]);
	assert.match(sent.html, /<a href="https:\/\/stats\.example\/verify-email\?token=abcDEF-_123=&amp;x=&lt;1&gt;"/);
	assert.equal(sent.headers["date"], "Sat, 21 Nov 2026 12:00:00 +0000");
	assert.equal(sent.headers["auto-submitted"], "auto-generated");
	assert.equal(sent.headers["from"], "Footfall <footfall@stats.example>");
	assert.match(sent.headers["message-id"] ?? "", /^<[0-9a-f-]{36}@stats\.example>$/);
	assert.match(sent.headers["content-type"] ?? "", /^multipart\/alternative/);
});

test("a mail of a change that was undone is never sent", async () => {
	await assert.rejects(
		app.metadata.transaction().execute(async (trx) => {
			await app.mailer.queue(trx, mail);
			throw new Error("undone");
		}),
	);
	assert.deepEqual(await mailbox(app).all(), []);
});

test("names of any language and sign arrive as they are, and as text only in HTML", async () => {
	const name = "Žofie «O'Hara & Söhne» 🦊 <script>alert(1)</script>";
	await queue({ subject: `${name} invites you`, body: [name, { link, label: name }] });
	const [sent] = await mailbox(app).to("ann@example.com");
	assert.ok(sent);
	assert.equal(sent.subject, `${name} invites you`);
	assert.equal(sent.text, `${name}\n\n${name}:\n${link}\n`);
	assert.doesNotMatch(sent.html, /<script>/);
	assert.match(sent.html, /Žofie «O&#39;Hara &amp; Söhne» 🦊 &lt;script&gt;/);
});

test("line ends and signs that turn writing around add no header, receiver or paragraph", async () => {
	const name = "Ann\r\nBcc: eve@example.com\r\n\r\nPay here\u2028now\u202e!";
	await queue({ subject: name, body: [name, { link, label: name }] });
	const [sent] = await mailbox(app).all();
	assert.ok(sent);
	const flat = "Ann Bcc: eve@example.com Pay here now !";
	assert.equal(sent.subject, flat);
	assert.equal(sent.text, `${flat}\n\n${flat}:\n${link}\n`);
	assert.equal(sent.to, "ann@example.com");
	assert.equal(sent.headers["bcc"], undefined);
});

test("a mail to several receivers or with a link that is no web page is a mistake of the program", async () => {
	const mistakes: Partial<Mail>[] = [
		{ to: "ann@example.com, eve@example.com" },
		{ to: "ann@example.com\r\nBcc: eve@example.com" },
		{ to: "Ann <ann@example.com>" },
		{ to: "" },
		{ body: [{ link: "javascript:alert(1)", label: "Click" }] },
		{ body: [{ link: "https://stats.example/ and more", label: "Click" }] },
	];
	for (const mistake of mistakes) await assert.rejects(queue(mistake), TypeError, JSON.stringify(mistake));
	assert.deepEqual(await mailbox(app).all(), []);
});

test("what waits in the store holds neither the address nor the link", async () => {
	await queue();
	const { rows } = await sql`select * from jobs`.execute(app.metadata);
	assert.equal(rows.length, 1);
	assert.doesNotMatch(JSON.stringify(rows), /ann@|example\.com|verify-email|abcDEF|Confirm/);
});

test("the log names the file of a mail, not its receiver, subject or link", async () => {
	await queue();
	await mailbox(app).all();
	const line = app.logLines.find((entry) => entry.includes("A mail was written to the outbox"));
	assert.equal(JSON.parse(line ?? "{}").file, readdirSync(outbox())[0]);
	assert.doesNotMatch(app.logLines.join("\n"), /ann@|verify-email|abcDEF|Confirm/);
});

test("the outbox can be read by the service's user alone", async () => {
	await queue();
	await mailbox(app).all();
	const [file = ""] = readdirSync(outbox());
	assert.match(file, /^2026-11-21T12-00-00\.000Z-000001\.eml$/);
	assert.equal(statSync(outbox()).mode & 0o777, 0o700);
	assert.equal(statSync(join(outbox(), file)).mode & 0o777, 0o600);
});

test("mails lie in the outbox in the order in which they were queued", async () => {
	for (const subject of ["first", "second", "third", "fourth", "fifth"]) await queue({ subject });
	const subjects = (await mailbox(app).to("ann@example.com")).map(({ subject }) => subject);
	assert.deepEqual(subjects, ["first", "second", "third", "fourth", "fifth"]);
});

test("an outbox that cannot be written makes mails wait, and leaves no half file", async () => {
	writeFileSync(outbox(), "a file in the way");
	await queue();
	await app.jobs.runDue();
	await assert.rejects(app.mailer.check());
	assert.deepEqual(await failures(), [{ state: "pending", last_error: "Error EEXIST" }]);
	rmSync(outbox());
	app.clock.advance(20_000);
	assert.equal((await mailbox(app).to("ann@example.com")).length, 1);
	assert.equal(await app.mailer.check(), "mails are written to DATA_DIR/outbox");
	chmodSync(outbox(), 0o700);
	assert.equal(readdirSync(outbox()).length, 1);
});

test("files in the outbox are removed after thirty days, other files stay", async () => {
	await queue({ subject: "old" });
	await mailbox(app).all();
	writeFileSync(join(outbox(), "2020-notes.txt"), "mine");
	app.clock.set("2026-12-21T11:59:00Z");
	await queue({ subject: "new" });
	assert.deepEqual(
		(await mailbox(app).all()).map(({ subject }) => subject),
		["old", "new"],
	);
	app.clock.set("2026-12-22T04:00:00Z");
	assert.deepEqual(
		(await mailbox(app).all()).map(({ subject }) => subject),
		["new"],
	);
	assert.ok(readdirSync(outbox()).includes("2020-notes.txt"));
});

test("a mail that was sealed with an earlier secret is sent while that is known, and given up when it is not", async () => {
	await queue();
	const shared = { clock: app.clock, log: silent, dataDir: app.dataDir, mailFrom: "ops@stats.example" };
	const withSecrets = (secretKey: string, secretKeyPrevious?: string) => {
		const jobs = createJobs({ metadata: app.metadata, clock: app.clock, log: silent });
		createMailer({ ...shared, jobs, secretKey, secretKeyPrevious });
		return jobs;
	};
	const other = "another secret of the tests, 32 characters or more";
	await withSecrets(other, secretKey).runDue();
	assert.equal((await mailbox(app).all())[0]?.headers["from"], "ops@stats.example");
	await queue();
	await withSecrets(other).runDue();
	assert.deepEqual((await failures())[1], {
		state: "failed",
		last_error: "SECRET_KEY is another one than when this mail was queued",
	});
});
