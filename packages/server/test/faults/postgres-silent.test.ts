import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createSite, signIn } from "../support/accounts.ts";
import { sendHit } from "../support/hits.ts";
import { testApp } from "../support/test-app.ts";
import { postgresSkip, testSchema } from "../support/test-schema.ts";
import { unsteadyServer } from "../support/unsteady-server.ts";

const directory = mkdtempSync(join(tmpdir(), "footfall-postgres-"));
after(() => rmSync(directory, { recursive: true, force: true }));

test("while PostgreSQL is silent hits are kept and the API answers 503; all goes on when it answers again", {
	skip: postgresSkip,
}, async () => {
	const schema = await testSchema();
	const url = new URL(schema.url);
	const server = await unsteadyServer(Number(url.port || 5432));
	url.port = String(server.port);
	await server.comeBack();
	const app = await testApp({ dataDir: directory, env: { DATABASE_URL: url.toString() } });
	try {
		const session = await signIn(app);
		const site = await createSite(app, session);
		const ask = () => app.inject({ url: "/api/v1/sites", headers: session.headers });
		assert.equal((await ask()).statusCode, 200);
		await server.fallSilent();
		const asked = ask();
		assert.equal(await sendHit(app, { site, url: "https://shop.example/" }), 204);
		const refused = await asked;
		assert.deepEqual([refused.statusCode, refused.json().error.code], [503, "database_unavailable"]);
		await server.comeBack();
		assert.equal((await ask()).statusCode, 200);
	} finally {
		await app.close();
		await server.close();
		await schema.drop();
	}
});
