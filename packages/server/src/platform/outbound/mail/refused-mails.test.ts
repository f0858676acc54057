import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type JobProcess, type JobStore, openJobStore } from "../../../../test/support/job-stores.ts";
import { JobFailure } from "../../jobs/job-failure.ts";
import { createMailer } from "./mailer.ts";

let store: JobStore;
let app: JobProcess;
beforeEach(async () => {
	store = await openJobStore("sqlite");
	app = await store.process();
});
afterEach(() => store.close());

function mailerThatFails(isFinal: boolean) {
	return createMailer({
		jobs: app.jobs,
		clock: store.clock,
		log: { info: () => {}, warn: () => {}, error: () => {} },
		secretKey: "a secret of the tests, 32 characters or more",
		dataDir: "",
		mailFrom: "ops@stats.example",
		transport: {
			send: async () => {
				throw new JobFailure("The mail server did not take the mail", { isFinal });
			},
			check: async () => "",
		},
	});
}

for (const [what, isFinal, expected] of [
	["refused for good is told by its reference, once", true, ["report 1"]],
	["that may leave later is told to nobody", false, []],
] as const) {
	test(`a mail ${what}`, async () => {
		const mailer = mailerThatFails(isFinal);
		const heard: string[] = [];
		mailer.onRefused(async (reference) => void heard.push(reference));
		const mail = { to: "ann@example.com", subject: "A week", body: ["Hello"] };
		await mailer.queue(app.metadata, { ...mail, reference: "report 1" });
		await mailer.queue(app.metadata, mail);
		await app.jobs.runDue();
		assert.deepEqual(heard, expected);
	});
}

test("what is no address of a page is no way to unsubscribe", async () => {
	const mailer = mailerThatFails(true);
	const mail = { to: "ann@example.com", subject: "A week", body: ["Hello"] };
	for (const unsubscribe of [
		"mailto:a@example.com",
		"https://a.example/>\r\nBcc: b@example.com",
		"javascript:alert(1)",
	]) {
		await assert.rejects(mailer.queue(app.metadata, { ...mail, unsubscribe }), TypeError, unsubscribe);
	}
});
