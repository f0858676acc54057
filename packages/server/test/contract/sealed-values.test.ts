import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openStandby } from "../../src/composition/standby.ts";
import { addressesOf } from "../../src/features/delivering/alerts/rule-fields.ts";
import { openKey } from "../../src/features/delivering/bigquery/open-warehouse.ts";
import { downloadUrl } from "../../src/features/delivering/exports/download-link.ts";
import { readRecipientToken } from "../../src/features/delivering/mail-recipients/standings.ts";
import { readUnsubscribeToken } from "../../src/features/delivering/mail-reports/unsubscribe-routes.ts";
import { sentHeaders, signingSecrets } from "../../src/features/delivering/webhooks/endpoints/sealed-values.ts";
import { openSecret } from "../../src/features/people/two-factor/second-factor.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { createMailer } from "../../src/platform/outbound/mail/mailer.ts";
import { newDirectory } from "../support/new-directory.ts";

// The literals are what earlier releases stored and mailed. They must open for good: never replace them.
const earlier = "a secret of an earlier release, 32 characters";
const secrets = { secretKey: "another secret, and long enough too", secretKeyPrevious: earlier };
const rootUrl = "https://footfall.example";

test("second factors, webhooks, alert rules and exports of earlier releases open", () => {
	const factor = { user_id: 7, sealed_secret: "tJrVZHciXf49zp1DPNkmYqX4krPjbNWgIi7UpRNW0HfcvYSOhUzA52liOZI" };
	assert.equal(openSecret(secrets, factor), "JBSWY3DPEHPK3PXP");
	const endpoint = {
		id: "wh_1",
		sealed_headers: "RjMnvR3fHORPeYd81SZ0agRS-D7RtETFFvm_w6oZsG7mtaGBAOJqfiBzS09j",
		sealed_secret: "zwhnOp_piC2HAd_XEvjnAPGF63NRGhG92GuLsa3ef893hYk",
		sealed_previous_secret: null,
		previous_secret_expires_at: null,
	};
	assert.deepEqual(sentHeaders(secrets, endpoint), { "X-Team": "shop" });
	assert.deepEqual(signingSecrets(secrets, endpoint, 0), ["whsec_1"]);
	const rule = {
		site_id: "shop",
		sealed_slack_url: "vnDASVtmgbCBnUuRHpxG8SfU6ExnnjgQ_9vneodzHsjn1kRTtW-HixTZc9cYmR7TVXhN84Dtr7iurg",
		sealed_webhook_url: null,
	};
	const addresses = { slack_webhook_url: "https://hooks.slack.example/T1", custom_webhook_url: null };
	assert.deepEqual(addressesOf(secrets, rule), addresses);
	const sealed = "2p8INBSPWojxAq_iDySewEtFawj-k6LN1rnFk4Hkd3gA8_iaBDUQ2fG_n6CAzVunYZonoYHPQg0ekYh6aUeprSI6el6CM18";
	const file = { job_id: "job-1", site_id: "shop", status: "completed", download_token: sealed } as const;
	assert.match(String(downloadUrl({ ...secrets, rootUrl }, file)), /download\/[\w-]{43}\?account_id=shop$/);
});

test("keys of BigQuery of earlier releases open, for their site alone", () => {
	const sealed =
		"3ANc8NONTafxAe37GuzR6IBdujpASo1fq968zCSv2Dbvlh1I-WAZ_DhFuTyau_u2MOMv0HzK37RZ9MMvp786ZyTwyqPYkF6BbvQZI9rbdc9IZjYMdtzzpo_e-wjEiD4ZEZSyrIVEg9wuiN8g39AOEkA5s8IdH_wLYRDjCB4kgBH9qbW4cTy_gA";
	const client_email = "footfall@shop-project.iam.gserviceaccount.com";
	const account = { client_email, private_key: "a key", private_key_id: null };
	assert.deepEqual(openKey(secrets, { site_id: "shop", sealed_key: sealed }), account);
	assert.equal(openKey(secrets, { site_id: "other", sealed_key: sealed }), undefined);
});

test("links in mails of earlier releases open", () => {
	const token = "k_CHe8nlegNHX4v9BztNyq6cZ0UdqjkL44IF0QyKNYEaFCpJOzAc8mRg96e32WY2WJFlR1Lt";
	assert.deepEqual(readUnsubscribeToken(secrets, token), { siteId: "shop", email: "ann@example.org" });
	const asked = "r9wrx4aQpk13znAmo2Kiscb1yP21LVMhZERudfVjJNO8jAphPMy-ahqmoKOICTv35dnFL7re9CWZtRSfyN5ilOMz9zs";
	const recipient = { siteId: "shop", email: "ann@example.org", askedAt: 1_700_000_000_000 };
	assert.deepEqual(readRecipientToken(secrets, asked), recipient);
});

test("a mail that an earlier release queued is sent", async (t) => {
	const sealed =
		"G5VffgOeATSYdAlFXRxdrU0tvXqKW3MmA31GWKC0bXAp9jPJ437RhU1Svv1TrL1Uda8FjgQ9sinlaE1ubAV6VgVineY95dZGLSrb2Go9MQbkYcsWjb6CaANZ1GOIxd7UElgq2KI5Ayp3xw89HqFBevlUgNH8S8ElNffsmKiumHw";
	const sent: unknown[] = [];
	const register = t.mock.fn();
	const transport = { send: async (mail: { to: string }) => void sent.push(mail.to), check: async () => "" };
	const [nothing, later, noted] = [() => {}, async () => {}, async () => 0];
	const adding = { register, schedule: nothing, enqueue: async () => true, enqueueAll: noted, withdraw: later };
	const jobs = { ...adding, schedules: [], start: nothing, runDue: later, close: later, hold: async () => nothing };
	const log = { info: nothing, warn: nothing, error: nothing };
	const clock = { ...systemClock, now: () => 0 };
	createMailer({ ...secrets, jobs, clock, log, dataDir: "", mailFrom: "a@b.example", transport });
	await register.mock.calls[0]?.arguments[1]({ sealed }, { id: 1 });
	assert.deepEqual(sent, ["ann@example.org"]);
});

test("a copy of the settings that an earlier release wrote opens", async () => {
	const dataDir = newDirectory();
	writeFileSync(join(dataDir, "standby"), "0iazJzHc85P10GmGa8ltYa5HIJze7BVyD-ElB5jqG999mLjLvX90bQ");
	const metadata = await openStandby({ ...secrets, dataDir }, 0);
	assert.ok(metadata);
	await metadata.destroy();
	assert.equal(await openStandby({ ...secrets, secretKeyPrevious: undefined, dataDir }, 0), undefined);
});
