import assert from "node:assert/strict";
import { cpSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { connect } from "node:tls";
import { Agent } from "undici";
import { createSite, signIn } from "../test/support/accounts.ts";
import { askPlainly } from "../test/support/ask-plainly.ts";
import { freePort } from "../test/support/free-port.ts";
import { newDirectory } from "../test/support/new-directory.ts";
import { testApp } from "../test/support/test-app.ts";
import { testCertificate } from "../test/support/test-certificate.ts";
import { listen } from "./listen.ts";

const directory = newDirectory();

/** A pair of files with a new certificate. */
async function pairIn(name: string) {
	const { cert, key } = await testCertificate();
	const [certFile, keyFile] = [join(directory, `${name}.crt`), join(directory, `${name}.key`)];
	writeFileSync(certFile, cert);
	writeFileSync(keyFile, key);
	return { cert, key, certFile, keyFile };
}

async function listeningApp(t: TestContext, env: Record<string, string>) {
	const app = await testApp({ env });
	const listening = await listen(app, app.config);
	t.after(async () => {
		await listening.close();
		await app.close();
	});
	return { app, address: listening.address };
}

/** The certificate that a new connection is shown, PEM without line ends. */
async function shownAt(address: string): Promise<string> {
	const { port } = new URL(address);
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	const socket = connect({ port: Number(port), host: "127.0.0.1", servername: "localhost", rejectUnauthorized: false });
	socket.once("secureConnect", () => {
		resolve(socket.getPeerCertificate().raw.toString("base64"));
		socket.destroy();
	});
	socket.once("error", reject);
	return promise;
}
const bare = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, "");

test("with a certificate of files pages, API and hits are answered over HTTPS, and plain HTTP leads there", async (t) => {
	const { cert, certFile, keyFile } = await pairIn("first");
	const plainPort = await freePort();
	const env = { TLS_CERT: certFile, TLS_KEY: keyFile, TLS_HTTP_PORT: String(plainPort), TRUST_PROXY: "false" };
	const { app, address } = await listeningApp(t, env);
	assert.match(address, /^https:\/\/127\.0\.0\.1:\d+$/);
	const dispatcher = new Agent({ connect: { ca: cert, servername: "localhost" } });
	t.after(() => dispatcher.destroy());
	const config = await askPlainly(`${address}/api/v1/config`, { dispatcher });
	assert.deepEqual([config.status, config.headers["strict-transport-security"]], [200, "max-age=31536000"]);
	const site = await createSite(app, await signIn(app));
	const script = await askPlainly(`${address}/t.js?id=${site}`, { dispatcher });
	assert.ok(script.text.includes(address), "the script sends hits to where it came from");
	const hit = await askPlainly(`${address}/event`, { method: "POST", body: "{}", dispatcher });
	assert.equal(hit.status, 204);

	const plain = `http://127.0.0.1:${plainPort}`;
	const led = await askPlainly(`${plain}/login?a=1`);
	assert.deepEqual([led.status, led.headers.location], [308, `${address}/login?a=1`]);
	const refused = await askPlainly(`${plain}/event`, { method: "POST", body: "{}" });
	assert.deepEqual([refused.status, refused.error().code], [403, "forbidden"]);
	assert.equal((await askPlainly(`${plain}/.well-known/acme-challenge/abc`)).status, 404);
	await assert.rejects(askPlainly(`${address.replace("https:", "http:")}/livez`));
});

test("new files are shown without a restart, also behind a link; a pair that does not fit leaves the old one and is logged", async (t) => {
	const [first, second] = [await pairIn("one"), await pairIn("two")];
	const live = join(directory, "live");
	const turnTo = (name: string) => {
		symlinkSync(join(directory, `${name}.crt`), `${live}.next`);
		renameSync(`${live}.next`, `${live}.crt`);
	};
	turnTo("one");
	const keyFile = join(directory, "live.key");
	cpSync(first.keyFile, keyFile);
	const { app, address } = await listeningApp(t, { TLS_CERT: `${live}.crt`, TLS_KEY: keyFile });
	const look = async () => app.certificates?.look();
	assert.equal(await shownAt(address), bare(first.cert));
	turnTo("two");
	await look();
	assert.equal(await shownAt(address), bare(first.cert), "the new certificate without its key");
	assert.equal(app.certificates?.failures(), 0);
	await look();
	assert.equal(app.certificates?.failures(), 1);
	const [told, ...more] = app.logLines.map((line) => JSON.parse(line)).filter(({ setting }) => setting === "TLS_KEY");
	assert.deepEqual([told.level, told.reason, more], [50, "is not the key of the certificate", []]);
	await look();
	cpSync(second.keyFile, keyFile);
	await look();
	assert.equal(await shownAt(address), bare(second.cert));
	assert.equal(app.certificates?.failures(), 0);
	assert.doesNotMatch(app.logLines.join(""), /PRIVATE KEY/);
});

test("settings of TLS that cannot be used end the start with one line that names the setting", async () => {
	const { certFile, keyFile } = await pairIn("good");
	const other = await pairIn("other");
	const empty = join(directory, "empty.pem");
	writeFileSync(empty, "");
	const table: readonly [env: Record<string, string>, line: RegExp][] = [
		[{ TLS_CERT: certFile }, /^TLS_KEY must name the key of TLS_CERT$/],
		[{ TLS_KEY: keyFile }, /^TLS_CERT must name/],
		[{ TLS_CERT: certFile, TLS_KEY: other.keyFile }, /^TLS_KEY is not the key of the certificate$/],
		[{ TLS_CERT: empty, TLS_KEY: keyFile }, /^TLS_CERT holds no certificate in PEM$/],
		[{ TLS_CERT: certFile, TLS_KEY: empty }, /^TLS_KEY holds no private key/],
		[{ TLS_CERT: join(directory, "none"), TLS_KEY: keyFile }, /^TLS_CERT names a file that cannot be read \(ENOENT\)$/],
		[{ TLS_CERT: certFile, TLS_KEY: keyFile, TLS_ACME_DOMAINS: "a.example" }, /^TLS_ACME_DOMAINS must not be set/],
		[{ TLS_HTTP_PORT: "8080" }, /^TLS_HTTP_PORT must not be set without/],
		[{ TLS_CERT: certFile, TLS_KEY: keyFile, PORT: "3000", TLS_HTTP_PORT: "3000" }, /^TLS_HTTP_PORT must be another/],
	];
	for (const [env, message] of table) await assert.rejects(testApp({ env }), { name: "ConfigError", message });
});
