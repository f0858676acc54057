import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, test } from "node:test";
import { createTransport } from "nodemailer";
import { type JobProcess, type JobStore, openJobStore } from "../../../../test/support/job-stores.ts";
import { type MailServers, mailServers } from "../../../../test/support/mail-servers.ts";
import { parseMail } from "../../../../test/support/parse-mail.ts";
import { silentLog } from "../../../../test/support/test-store.ts";
import { createMailer, type Mailer } from "./mailer.ts";
import { smtpOptions, smtpTransport } from "./smtp.ts";

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

const refusal = (responseCode: number) => Object.assign(new Error("not ann@example.com"), { responseCode });
const mailerFor = (url: string, limits?: { greetingTimeout: number; socketTimeout: number }, { jobs } = app): Mailer =>
	createMailer({
		jobs,
		clock: store.clock,
		log: silentLog,
		secretKey: "a secret of the tests, 32 characters or more",
		dataDir: "",
		mailFrom: "Ops <ops@stats.example>",
		transport: smtpTransport(url, limits),
	});

const link = "https://stats.example/reset-password?token=abc";

/** State and error of a mail once its jobs have run. */
async function sendBy(mailer: Mailer) {
	const body = ["Hello", { link, label: "Choose it" }];
	await mailer.queue(app.metadata, { to: "ann@example.com", subject: "Another password", body });
	return runAgain();
}
async function runAgain({ jobs } = app) {
	store.clock.advance(20_000);
	await jobs.runDue();
	const row = (await store.rows()).find(({ kind }) => kind === "mail");
	return [row?.state, row?.last_error];
}

test("a mail server receives the message from the sender, for the receiver", async () => {
	const { received, port } = await servers.smtp();
	const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
	assert.deepEqual(await sendBy(mailer), ["done", null]);
	const [arrived, ...more] = received;
	assert.deepEqual([arrived?.from, arrived?.to, more], ["ops@stats.example", ["ann@example.com"], []]);
	const mail = parseMail(arrived?.source ?? "");
	assert.deepEqual([mail.subject, mail.links], ["Another password", [link]]);
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
	const waits = ["pending", "The mail server did not take the mail (EAUTH, answer 535)"];
	assert.deepEqual([await sendBy(wrong), received.length], [waits, 0]);
	const two = await store.process();
	mailerFor(`smtp://relay%40stats:p%40ss%3Aword@127.0.0.1:${port}`, undefined, two);
	await runAgain(two);
	assert.equal(received.length, 1);
});

type Fault = NonNullable<Parameters<MailServers["smtp"]>[0]>;
const faults: readonly [what: string, fault: Fault, state: string, error: string][] = [
	["a receiver for now", { onRcptTo: (_to, _session, done) => done(refusal(451)) }, "pending", "EENVELOPE, answer 451"],
	["a receiver for good", { onRcptTo: (_to, _session, done) => done(refusal(550)) }, "failed", "EENVELOPE, answer 550"],
	// The operator can mend it.
	["a sender", { onMailFrom: (_from, _session, done) => done(refusal(550)) }, "pending", "EENVELOPE, answer 550"],
	[
		"a content for good",
		{ onData: (stream, _session, done) => void text(stream).then(() => done(refusal(554))) },
		"failed",
		"EMESSAGE, answer 554",
	],
];
for (const [what, fault, state, error] of faults) {
	test(`a mail of which the server refuses ${what} is ${state}; no address is stored or logged`, async () => {
		const { port } = await servers.smtp(fault);
		const ended = await sendBy(mailerFor(`smtp://127.0.0.1:${port}`));
		assert.deepEqual(ended, [state, `The mail server did not take the mail (${error})`]);
		assert.doesNotMatch(app.logLines.join("\n"), /ann@example/);
		assert.equal(app.logLines.join().includes("A job was given up"), state === "failed");
	});
}

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

const failing: readonly [title: string, answer: (socket: Socket) => void][] = [
	["says nothing", () => undefined],
	["hangs up at once", (socket) => socket.destroy()],
	["sends nonsense", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
	["takes no connections at present", (socket) => socket.end("421 try later\r\n")],
	["dies in the middle of a message", (socket) => dieAtData(socket)],
	["stops answering after the message", (socket) => dieAtData(socket, () => undefined)],
];
for (const [title, answer] of failing) {
	test(`a mail server that ${title} makes the mail wait`, async () => {
		const port = await servers.raw(answer);
		// An answer that a busy machine gives later than this fails in the same way.
		const limits = { greetingTimeout: 150, socketTimeout: 300 };
		const [state, error] = await sendBy(mailerFor(`smtp://127.0.0.1:${port}`, limits));
		assert.equal(state, "pending");
		assert.match(error ?? "", /^The mail server did not take the mail \(E[A-Z]+(, answer 421)?\)$/);
	});
}

test("a mail server that is not there makes the mail wait for twelve attempts, and the health check fail", async () => {
	const port = await servers.raw(() => undefined);
	servers.close();
	const mailer = mailerFor(`smtp://127.0.0.1:${port}`);
	assert.equal((await sendBy(mailer))[0], "pending");
	for (let attempt = 2; attempt <= 12; attempt++) {
		store.clock.advance(3_600_000);
		assert.equal((await runAgain())[0], attempt < 12 ? "pending" : "failed", `${attempt}`);
	}
	await assert.rejects(mailer.check());
});

test("a password leaves this machine over an encrypted and verified connection only", () => {
	const table: readonly [url: string, secure: boolean, requireTLS: boolean, verifies: boolean, port: number][] = [
		["smtp://user:secret@mail.example", false, true, true, 587],
		["smtp://user:secret@mail.example:25", false, true, true, 25],
		["smtps://user:secret@mail.example", true, false, true, 465],
		["smtps://mail.example:4650", true, false, true, 4650],
		["smtp://mail.example:25", false, false, false, 25],
		["smtp+tls://mail.example", false, true, true, 587],
		["smtp+tls://127.0.0.1:1025", false, true, true, 1025],
		["smtp://user:secret@127.0.0.1:1025", false, false, false, 1025],
		["smtp://user:secret@localhost:1025", false, false, false, 1025],
		["smtp://user:secret@[::1]:1025", false, false, false, 1025],
		["smtp://user:secret@127.0.0.1.mail.example", false, true, true, 587],
		["smtp://user:secret@localhost.mail.example", false, true, true, 587],
	];
	for (const [url, ...expected] of table) {
		const { secure, requireTLS, tls, port } = smtpOptions(url);
		assert.deepEqual([secure, requireTLS, tls?.rejectUnauthorized, port], expected, url);
	}
	assert.equal(smtpOptions("smtp://[::1]:25").host, "::1");
	assert.deepEqual(smtpOptions("smtp://us%40er:100%@mail.example").auth, { user: "us@er", pass: "100%" });
});

test("an offered STARTTLS is taken, also with a certificate that nobody vouches for when no password is at stake", async () => {
	let wasEncrypted = false;
	const { received, port } = await servers.smtp({
		disabledCommands: [],
		onMailFrom: (_address, session, done) => {
			wasEncrypted = session.secure;
			done();
		},
	});
	await sendBy(mailerFor(`smtp://127.0.0.1:${port}`));
	assert.deepEqual([received.length, wasEncrypted], [1, true]);
});

test("a server with a certificate that nobody vouches for gets no password; one without STARTTLS not even the user's name", async () => {
	let heard = "";
	const unvouched = await servers.smtp({
		disabledCommands: [],
		onAuth: (_auth, _session, done) => {
			heard += "AUTH";
			done(null, { user: "relay" });
		},
	});
	const plain = await servers.raw((socket) => {
		socket.write("220 here\r\n");
		socket.on("data", (bytes) => {
			heard += bytes;
			socket.write(bytes.toString().startsWith("EHLO") ? "250-here\r\n250 AUTH PLAIN LOGIN\r\n" : "502 no\r\n");
		});
	});
	const options = { ...smtpOptions("smtp://user:secret@mail.example"), host: "127.0.0.1" };
	await assert.rejects(createTransport({ ...options, port: unvouched.port }).verify(), { code: "ESOCKET" });
	await assert.rejects(createTransport({ ...options, port: plain }).verify());
	assert.match(heard, /STARTTLS/);
	assert.doesNotMatch(heard, /AUTH|secret|dXNlcg/);
});
