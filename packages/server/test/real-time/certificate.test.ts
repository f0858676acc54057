// A real process and real time, as a certificate authority asks the service on a port of its own by timers of either side.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { Agent } from "undici";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { openAcmeServer } from "../support/acme-server.ts";
import { askPlainly } from "../support/ask-plainly.ts";
import { cli } from "../support/cli.ts";
import { freePort } from "../support/free-port.ts";
import { runService } from "../support/service-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const directory = temporaryFolder();

test("a service with TLS_ACME_DOMAINS gets its certificate by itself, shows it, and `sites check` reaches it", async (t) => {
	const challengePort = await freePort();
	const authority = await openAcmeServer({ clock: systemClock, challengePort: () => challengePort });
	const env = {
		DATA_DIR: join(directory, "acme"),
		TLS_ACME_DOMAINS: "stats.example.test",
		TLS_ACME_DIRECTORY: authority.directoryUrl,
		TLS_HTTP_PORT: String(challengePort),
		XDG_RUNTIME_DIR: directory,
	};
	const service = runService(["start"], env);
	t.after(async () => {
		service.child.kill("SIGTERM");
		await service.ended;
		await authority.close();
	});
	const address = await service.listening;
	assert.match(address, /^https:\/\/stats\.example\.test:\d+$/);
	await service.wrote(/Certificate issued/);
	const shown = { ca: authority.root, servername: "stats.example.test" };
	const browser = new Agent({ connect: shown });
	t.after(() => browser.destroy());
	const { port } = new URL(address);
	assert.equal((await askPlainly(`https://127.0.0.1:${port}/livez`, { dispatcher: browser })).status, 200);
	const run = (...args: string[]) =>
		cli(args, { env: { ...env, NODE_ENV: "test" }, input: "a long enough passphrase" });
	await run("users", "create", "--email", "ann@example.test", "--name", "Ann", "--superadmin", "--password-stdin");
	await run("sites", "create", "--name", "Shop", "--domain", "shop.example");
	const checked = await run("sites", "check", "shop");
	assert.match(checked.out, /No hits stored yet/, checked.error);
});
