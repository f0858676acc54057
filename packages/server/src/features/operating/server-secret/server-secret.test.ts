import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cli } from "../../../../test/support/cli.ts";
import { findings, ills } from "../../../../test/support/doctor-findings.ts";
import { newDirectory } from "../../../../test/support/new-directory.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { migratedSchema, postgresSkip, type TestSchema } from "../../../../test/support/test-schema.ts";

const OLD = "the first secret of these processes, long enough";
const NEW = "the second secret of these processes, long enough";
const OTHER = "a secret that another machine made for itself";
const REFUSED = /SECRET_KEY is not the secret of the other processes on DATABASE_URL/;
const DIFFERS = "fault accounts: SECRET_KEY differs from that of the other processes on DATABASE_URL";

describe("processes on one PostgreSQL", { skip: postgresSkip }, () => {
	const directory = newDirectory();
	let schema: TestSchema;
	let minute = 10;
	before(async () => {
		schema = await migratedSchema();
	});
	after(() => schema.drop());

	/** Starts a process of its own machine with these secrets, and ends it; answers what it warned of. */
	async function start(secrets: Readonly<Record<string, string>>, meanwhile?: () => Promise<unknown>) {
		const now = `2026-11-21T12:${minute++}:00.000Z`;
		const app = await testApp({ now, env: { DATABASE_URL: schema.url, ALLOW_DIFFERENT_SETTINGS: "true", ...secrets } });
		await meanwhile?.();
		await app.close();
		return app.logLines.filter((line) => line.includes("SECRET_KEY has been followed by another one")).length;
	}

	const examined = async (secretKey: string) => {
		const env = { DATABASE_URL: schema.url, SECRET_KEY: secretKey };
		return ills(await findings(directory, { env })).filter((line) => line.includes("SECRET_KEY"));
	};

	test("start with the same secret alone", async () => {
		assert.equal(await start({ SECRET_KEY: OLD }, () => start({ SECRET_KEY: OLD })), 0);
		await assert.rejects(start({ SECRET_KEY: OTHER }), REFUSED);
		assert.deepEqual([await examined(OLD), await examined(OTHER)], [[], [DIFFERS]]);
	});

	test("go over to another secret one by one, and who stays behind is told", async () => {
		assert.equal(await start({ SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD }), 0);
		assert.equal(await start({ SECRET_KEY: OLD }), 1);
		assert.equal(await start({ SECRET_KEY: NEW }), 0);
		assert.deepEqual([await examined(NEW), await examined(OLD)], [[], [DIFFERS]]);
		await assert.rejects(start({ SECRET_KEY: OTHER, SECRET_KEY_PREVIOUS: OLD }), REFUSED);
	});

	test("start with a secret that nothing leads to once the operator accepts it", async () => {
		const env = { DATA_DIR: directory, DATABASE_URL: schema.url, SECRET_KEY: OTHER };
		const { out, code } = await cli(["secret", "accept"], { env });
		assert.deepEqual([code, out.includes("Start all processes with it")], [0, true]);
		assert.equal(await start({ SECRET_KEY: OTHER }), 0);
		assert.equal(await start({ SECRET_KEY: NEW }), 1);
	});
});
