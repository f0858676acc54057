import assert from "node:assert/strict";
import { test } from "node:test";
import packageInfo from "../../../../package.json" with { type: "json" };
import { signIn } from "../../../../test/support/accounts.ts";
import { testApp } from "../../../../test/support/test-app.ts";

async function configWith(env: Record<string, string>) {
	const app = await testApp({ env });
	try {
		const before = (await app.inject({ url: "/api/v1/config" })).json().data;
		await signIn(app, { role: "superadmin" });
		const after = (await app.inject({ url: "/api/v1/config" })).json().data;
		return { before, after };
	} finally {
		await app.close();
	}
}

test("anybody learns what this installation offers, and that its first account is missing until there is one", async () => {
	const { before, after } = await configWith({});
	assert.deepEqual(before, {
		version: packageInfo.version,
		setup_required: true,
		registration: "invited",
		mail: "outbox",
		payments: "none",
		features: ["billing", "imports", "bigquery", "lens"],
		languages: ["en", "es"],
		limits: { session_timeout_minutes: 30, max_amount: 1_000_000_000, max_import_bytes: 536_870_912 },
	});
	assert.deepEqual(after, { ...before, setup_required: false });
});

test("it follows the operator's settings, and tells none of their values", async () => {
	const { after } = await configWith({
		REGISTRATION: "closed",
		SMTP_URL: "smtp://user:hidden@mail.example",
		MAIL_FROM: "footfall@mail.example",
		PROVISIONING_ENABLED: "true",
		SESSION_TIMEOUT_MINUTES: "45",
		MAX_AMOUNT: "5000",
		MAX_IMPORT_BYTES: "1MB",
	});
	const limits = { session_timeout_minutes: 45, max_amount: 5000, max_import_bytes: 1_048_576 };
	const features = ["provisioning", "billing", "imports", "bigquery", "lens"];
	assert.deepEqual(
		[after.registration, after.mail, after.features, after.limits],
		["closed", "smtp", features, limits],
	);
	assert.doesNotMatch(JSON.stringify(after), /hidden|mail\.example/);
});
