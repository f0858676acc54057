import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { createTransport } from "nodemailer";
import { type MailServers, mailServers } from "../../../../test/support/mail-servers.ts";
import { smtpOptions, smtpTransport } from "./smtp.ts";

let servers: MailServers;
beforeEach(() => {
	servers = mailServers();
});
afterEach(() => servers.close());

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
	for (const [url, secure, requireTLS, rejectUnauthorized, port] of table) {
		const options = smtpOptions(url);
		assert.deepEqual(
			[options.secure, options.requireTLS, options.tls?.rejectUnauthorized, options.port],
			[secure, requireTLS, rejectUnauthorized, port],
			url,
		);
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
	await smtpTransport(`smtp://127.0.0.1:${port}`).send({
		id: "1",
		number: 1,
		from: { name: "", address: "ops@stats.example" },
		to: "ann@example.com",
		subject: "Hello",
		date: new Date("2026-11-21T12:00:00Z"),
		text: "Hello\n",
		html: "<p>Hello</p>",
	});
	assert.deepEqual([received.length, wasEncrypted], [1, true]);
});

test("a server with a certificate that nobody vouches for gets no password", async () => {
	let wasAsked = false;
	const { port } = await servers.smtp({
		disabledCommands: [],
		onAuth: (_auth, _session, done) => {
			wasAsked = true;
			done(null, { user: "relay" });
		},
	});
	const options = { ...smtpOptions("smtp://user:secret@mail.example"), host: "127.0.0.1", port };
	await assert.rejects(createTransport(options).verify(), { code: "ESOCKET" });
	assert.equal(wasAsked, false);
});

test("without the STARTTLS that it insists on, no user name is sent", async () => {
	let heard = "";
	const port = await servers.raw((socket) => {
		socket.write("220 here\r\n");
		socket.on("data", (bytes) => {
			heard += bytes;
			socket.write(bytes.toString().startsWith("EHLO") ? "250-here\r\n250 AUTH PLAIN LOGIN\r\n" : "502 no\r\n");
		});
	});
	const options = { ...smtpOptions("smtp://user:secret@mail.example"), host: "127.0.0.1", port };
	assert.equal(options.requireTLS, true);
	await assert.rejects(createTransport(options).verify());
	assert.match(heard, /STARTTLS/);
	assert.doesNotMatch(heard, /AUTH|secret|dXNlcg/);
});
