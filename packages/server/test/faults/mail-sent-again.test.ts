import assert from "node:assert/strict";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { createMailer } from "../../src/platform/outbound/mail/mailer.ts";
import { openJobStore } from "../support/job-stores.ts";
import { mailServers } from "../support/mail-servers.ts";
import { parseMail } from "../support/parse-mail.ts";
import { silentLog as log } from "../support/test-store.ts";

test("a mail whose sender ends before it notes the end is sent again after its lease, as the same mail", async (t) => {
	const [store, servers] = [await openJobStore("sqlite"), mailServers()];
	t.after(() => store.close());
	t.after(() => servers.close());
	const received: string[] = [];
	const { promise: hasCome, resolve } = Promise.withResolvers<() => void>();
	const { port } = await servers.smtp({
		onData: async (stream, _session, done) => {
			received.push(parseMail(await text(stream)).headers["message-id"] ?? "");
			// The first sender does not hear that its mail was taken.
			if (received.length === 1) resolve(done);
			else done();
		},
	});
	const sender = async () => {
		const { jobs, metadata } = await store.process();
		const given = { secretKey: "a secret of the tests, 32 characters or more", smtpUrl: `smtp://127.0.0.1:${port}` };
		const mailer = createMailer({
			...given,
			jobs,
			clock: store.clock,
			log,
			dataDir: "",
			mailFrom: "ops@stats.example",
		});
		return { jobs, metadata, mailer };
	};
	const [first, second] = [await sender(), await sender()];
	await first.mailer.queue(first.metadata, { to: "ann@example.com", subject: "Hello", body: ["Hello"] });
	const sending = first.jobs.runDue();
	const end = await hasCome;
	await second.jobs.runDue();
	assert.equal(received.length, 1);
	store.clock.advance(3_600_000);
	await second.jobs.runDue();
	store.clock.advance(2 * 3_600_000);
	await second.jobs.runDue();
	assert.equal(received.length, 2);
	assert.equal(received[0], received[1]);
	end();
	await sending;
});
