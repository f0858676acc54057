import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, test } from "node:test";
import { type JobProcess, type JobStore, openJobStore } from "../../../../test/support/job-stores.ts";
import { type MailServers, mailServers } from "../../../../test/support/mail-servers.ts";
import { parseMail } from "../../../../test/support/parse-mail.ts";
import { createMailer, type Mailer } from "./mailer.ts";
import { smtpTransport } from "./smtp.ts";

let store: JobStore;
let app: JobProcess;
let servers: MailServers;
beforeEach(async () => {
	store = await openJobStore("sqlite");
	app = await store.process();
	servers = mailServers();
});
afterEach(async () => {
	await store.close();
	servers.close();
});

function mailerFor(url: string, limits?: { greetingTimeout: number; socketTimeout: number }, { jobs } = app): Mailer {
	return createMailer({
		jobs,
		clock: store.clock,
		log: { info: () => {}, warn: () => {}, error: () => {} },
		secretKey: "a secret of the tests, 32 characters or more",
		dataDir: "",
		mailFrom: "Ops <ops@stats.example>",
		transport: smtpTransport(url, limits),
	});
}

const link = "https://stats.example/reset-password?token=abc";
const queue = (mailer: Mailer, to = "ann@example.com") =>
	mailer.queue(app.metadata, { to, subject: "Another password", body: ["Hello", { link, label: "Choose it" }] });

const mailJob = async () => {
	const row = (await store.rows()).find(({ kind }) => kind === "mail");
	return [row?.state, row?.last_error];
};

/** Runs due jobs, and then those due in 20 seconds. */
const runAgain = async () => {
	store.clock.advance(20_000);
	await app.jobs.runDue();
};

test("a mail server receives the message from the sender, for the receiver", async () => {
	const { received, port } = await servers.smtp();
	const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
	await queue(mailer);
	await app.jobs.runDue();
	assert.deepEqual(
		received.map(({ from, to }) => ({ from, to })),
		[{ from: "ops@stats.example", to: ["ann@example.com"] }],
	);
	const mail = parseMail(received[0]?.source ?? "");
	assert.deepEqual([mail.subject, mail.links], ["Another password", [link]]);
	assert.deepEqual(await mailJob(), ["done", null]);
	assert.equal(await mailer.check(), "the mail server accepts us");
});

test("user and password of SMTP_URL are given to the server; wrong ones make mails wait for the operator", async () => {
	const { received, port } = await servers.smtp({
		authOptional: false,
		allowInsecureAuth: true,
		onAuth: ({ username, password }, _session, done) =>
			username === "relay@stats" && password === "p@ss:word" ? done(null, { user: "relay" }) : done(new Error("no")),
	});
	const wrong = mailerFor(`smtp://relay%40stats:guess@127.0.0.1:${port}`);
	await assert.rejects(wrong.check());
	await queue(wrong);
	await app.jobs.runDue();
	assert.deepEqual(await mailJob(), ["pending", "The mail server did not take the mail (EAUTH, answer 535)"]);
	assert.equal(received.length, 0);

	const two = await store.process();
	mailerFor(`smtp://relay%40stats:p%40ss%3Aword@127.0.0.1:${port}`, undefined, two);
	store.clock.advance(20_000);
	await two.jobs.runDue();
	assert.equal(received.length, 1);
});

test("what the server refuses for now is tried again, and arrives once", async () => {
	let isBusy = true;
	const { received, port } = await servers.smtp({
		onRcptTo: (_address, _session, done) =>
			done(isBusy ? Object.assign(new Error("greylisted ann@example.com"), { responseCode: 451 }) : null),
	});
	await queue(mailerFor(`smtp://127.0.0.1:${port}`));
	await app.jobs.runDue();
	assert.deepEqual(await mailJob(), ["pending", "The mail server did not take the mail (EENVELOPE, answer 451)"]);
	isBusy = false;
	await runAgain();
	await runAgain();
	assert.equal(received.length, 1);
	assert.deepEqual(await mailJob(), ["done", null]);
});

test("what the server refuses for good is given up at once, without the address in the store or the log", async () => {
	const { received, port } = await servers.smtp({
		onRcptTo: ({ address }, _session, done) =>
			done(Object.assign(new Error(`no mailbox ${address}`), { responseCode: 550 })),
	});
	await queue(mailerFor(`smtp://127.0.0.1:${port}`));
	await app.jobs.runDue();
	assert.deepEqual(await mailJob(), ["failed", "The mail server did not take the mail (EENVELOPE, answer 550)"]);
	await runAgain();
	assert.equal(received.length, 0);
	assert.doesNotMatch(app.logLines.join("\n"), /ann@example|no mailbox/);
	assert.match(app.logLines.join("\n"), /A job was given up/);
});

for (const [title, fault, expected] of [
	[
		"a refused sender makes mails wait for the operator",
		{
			onMailFrom: (_address, _session, done) => done(Object.assign(new Error("not from here"), { responseCode: 550 })),
		},
		["pending", "The mail server did not take the mail (EENVELOPE, answer 550)"],
	],
	[
		"a content that the server refuses for good is given up at once",
		{
			onData: (stream, _session, done) => {
				void text(stream).then(() => done(Object.assign(new Error("spam"), { responseCode: 554 })));
			},
		},
		["failed", "The mail server did not take the mail (EMESSAGE, answer 554)"],
	],
] as const satisfies readonly (readonly [string, Parameters<MailServers["smtp"]>[0], readonly string[]])[]) {
	test(title, async () => {
		const { port } = await servers.smtp(fault);
		await queue(mailerFor(`smtp://127.0.0.1:${port}`));
		await app.jobs.runDue();
		assert.deepEqual(await mailJob(), expected);
	});
}

const failing: readonly [title: string, answer: (socket: Socket) => void][] = [
	["says nothing", () => undefined],
	["hangs up at once", (socket) => socket.destroy()],
	["sends nonsense", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
	["takes no connections at present", (socket) => socket.end("421 try later\r\n")],
	["dies in the middle of a message", (socket) => dieAtData(socket)],
	["stops answering after the message", (socket) => dieAtData(socket, () => undefined)],
];

/** Speaks SMTP up to the message, then does something else. */
function dieAtData(socket: Socket, end: (socket: Socket) => void = (peer) => peer.destroy()): void {
	const answers: Record<string, string> = { EHLO: "250 here", MAIL: "250 ok", RCPT: "250 ok", DATA: "354 go on" };
	let isMessage = false;
	socket.write("220 here\r\n");
	socket.on("data", (bytes) => {
		if (isMessage) return end(socket);
		const command = bytes.toString().slice(0, 4);
		isMessage = command === "DATA";
		socket.write(`${answers[command] ?? "250 ok"}\r\n`);
	});
}

for (const [title, answer] of failing) {
	test(`a mail server that ${title} makes the mail wait`, async () => {
		const port = await servers.raw(answer);
		// An answer that a busy machine gives later than this fails in the same way.
		const mailer = mailerFor(`smtp://127.0.0.1:${port}`, { greetingTimeout: 150, socketTimeout: 300 });
		await queue(mailer);
		await app.jobs.runDue();
		const [state, error] = await mailJob();
		assert.equal(state, "pending");
		assert.match(error ?? "", /^The mail server did not take the mail \(E[A-Z]+(, answer 421)?\)$/);
	});
}

test("a mail server that is not there makes the mail wait, and the health check fail", async () => {
	const port = await servers.raw(() => undefined);
	servers.close();
	const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
	await queue(mailer);
	await app.jobs.runDue();
	assert.equal((await mailJob())[0], "pending");
	await assert.rejects(mailer.check());
});
