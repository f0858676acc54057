import assert from "node:assert/strict";
import { test } from "node:test";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import { testApp } from "../../../../../test/support/test-app.ts";

const payload = {
	email: "ann@example.com",
	name: "Ann",
	password: "correct horse battery staple 7",
	accept_terms: true,
};

test("where plans are sold a registration says so, and its link leads to the public address", async () => {
	const env = { REGISTRATION: "open", STRIPE_SECRET_KEY: "sk_test_1", PUBLIC_URL: "https://stats.example.com" };
	const app = await testApp({ env });
	try {
		const response = await app.inject({ method: "POST", url: "/api/v1/auth/register", payload });
		assert.equal(response.json().data.requires_subscription, true);
		const [mail] = await mailbox(app).to("ann@example.com");
		const link = mail?.links.find((candidate) => candidate.includes("token=")) ?? "";
		assert.match(link, /^https:\/\/stats\.example\.com\/verify-email\?token=/);
		const token = new URL(link).searchParams.get("token");
		const verified = await app.inject({ method: "POST", url: "/api/v1/email/verify", payload: { token } });
		assert.equal(verified.json().data.verified, true);
	} finally {
		await app.close();
	}
});
