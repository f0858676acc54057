import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedTestApp } from "../../../../test/support/accounts.ts";
import { appOnBothEngines } from "../../../../test/support/app-on-both-engines.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../test/support/mailbox.ts";
import { pageClient } from "../../../../test/support/page-client.ts";
import { freshAddress, postClaim, provision, provisionEnv, tokenOf } from "../../../../test/support/provisioning.ts";

appOnBothEngines("provisioning and claims at once", (open) => {
	const app = sharedTestApp({ env: provisionEnv }, open);

	const statuses = (answers: readonly { readonly statusCode: number }[]) =>
		answers.map(({ statusCode }) => statusCode).sort();
	const claimLink = async (email: string): Promise<string> => {
		await provision(app, { email });
		const [mail] = await mailbox(app).to(email);
		return mail?.links.find((link) => link.includes("/claim?token=")) ?? assert.fail("No link was mailed");
	};

	test("of two for one address one is served", async () => {
		const both = await Promise.all([1, 2].map(() => provision(app, { email: "oli@example.com" })));
		assert.deepEqual(statuses(both), [200, 409]);
		assert.equal((await auditTrail(app, "site.created")).length, 1);
		assert.equal((await auditTrail(app, "user.created")).length, 1);
	});

	test("two sites of one name get different ids", async () => {
		const emails = ["pia@example.com", "quentin@example.com"];
		const both = await Promise.all(emails.map((email) => provision(app, { email, site_name: "Twin" })));
		assert.deepEqual(both.map((response) => response.json().data.account_id).sort(), ["twin", "twin-2"]);
	});

	test("of two claims with one token one succeeds", async () => {
		const token = tokenOf(await claimLink("rita@example.com"));
		const claim = () => postClaim(app, "/claim", { token, password: "nine lives of a cat" });
		assert.deepEqual(statuses(await Promise.all([claim(), claim()])), [200, 400]);
	});

	test("of two forms of one claim link one succeeds", async () => {
		const { pathname, search } = new URL(await claimLink("sam@example.com"));
		const both = [pageClient(app.inject, freshAddress()), pageClient(app.inject, freshAddress())];
		for (const one of both) await one.open(pathname + search);
		const answers = await Promise.all(both.map((one) => one.submit("/claim", { password: "nine lives of a cat" })));
		assert.deepEqual(statuses(answers), [200, 400]);
	});
});
