import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { after, test } from "node:test";
import { listenLocally } from "../../../test/support/local-server.ts";
import { testCertificate } from "../../../test/support/test-certificate.ts";
import { words } from "../../../test/support/words.ts";
import { systemClock } from "../lib/clock.ts";
import { parseIpAddress } from "../lib/ip-address.ts";
import { createGuardedFetch, isPublicAddress } from "./guarded-fetch.ts";
import { OutboundError } from "./outbound-error.ts";

const limits = { timeoutMs: 2_000, maxBytes: 1_000 };
/** Resolution of names in these tests; each answer is used once, the last one stays. */
const names = new Map<string, string[][]>();

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const answers: Readonly<Record<string, Answer>> = {
	"/redirect": (_, response) => response.writeHead(302, { location: "https://169.254.169.254/" }).end(),
	"/large": (_, response) => response.end("x".repeat(5_000)),
	"/silent": () => undefined,
	"/drip": (_, response) => response.write("x"),
	"/last": (_, response) => response.writeHead(200, { connection: "close" }).end("last"),
	"/broken": (request) => request.socket.destroy(),
};
const echo: Answer = (request, response) => {
	response.setHeader("set-cookie", ["a=1", "b=2"]);
	response.end(`${request.method} ${request.headers["x-note"] ?? ""}`);
};

const { cert: certificate, key } = await testCertificate();
const hits: string[] = [];
const server = createServer({ key, cert: certificate }, (request, response) => {
	hits.push(request.url ?? "");
	const answer = answers[request.url ?? ""] ?? echo;
	answer(request, response);
});
const { port, close } = await listenLocally(server);
const extraCertificates = [certificate];
const open = createGuardedFetch({ clock: systemClock, allowPrivate: true, extraCertificates });
const guarded = createGuardedFetch({
	clock: systemClock,
	allowPrivate: false,
	extraCertificates,
	resolveName: (hostname, _options, done) => {
		const answers = names.get(hostname) ?? [];
		const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
		if (addresses.length === 0) return done(Object.assign(new Error("unknown"), { code: "ENOTFOUND" }), []);
		done(
			null,
			addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
		);
	},
});

after(async () => {
	await Promise.all([open.close(), guarded.close(), close()]);
});

const failureOf = (promise: Promise<unknown>): Promise<string> =>
	promise.then(
		() => "answered",
		(error: unknown) => (error instanceof OutboundError ? error.failure : String(error)),
	);

/** Hosts of URLs that lead into a network, in all their spellings. */
const hostileHosts = words(`
	127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 0 0.0.0.0 127.255.255.255 10.0.0.1
	10.255.255.255 0xa.0.0.1 167772161 012.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1 192.168.1 3232235521 0xc0a80001
	0300.0250.0.1 169.254.169.254 169.254.0.1 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518 100.64.0.1
	100.127.255.255 100.100.100.200 192.0.0.192 192.0.2.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1
	239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16 192.88.99.1 １２７.０.０.１ 127。0。0。1 %31%32%37.0.0.1 [::1] [::]
	[0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::ffff:a9fe:a9fe] [::127.0.0.1]
	[::ffff:0:127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::169.254.169.254] [64:ff9b:1::a00:1] [2002:7f00:1::]
	[2002:a9fe:a9fe::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [fc00::1] [fd00:ec2::254] [fe80::1] [febf::1] [fec0::1]
	[ff02::1] [ff0e::1] [100::1] [2001:db8::1] [3fff::1] [5f00::1] [2001:10::1] [2001:20::1] localhost LOCALHOST
	localhost. a.localhost printer.local metadata.google.internal nas.home.arpa
`);

test("no spelling of an address inside a network is accepted or connected to", async () => {
	for (const host of hostileHosts) {
		const url = `https://${host}:${port}/inside`;
		assert.ok(guarded.urlFault(url) !== undefined, host);
		assert.equal(await failureOf(guarded.send({ url, ...limits })), "blocked_address", host);
	}
	assert.deepEqual(hits, []);
});

test("a name is refused as soon as one of its addresses is inside a network", async () => {
	for (const addresses of [
		["127.0.0.1"],
		["10.1.2.3"],
		["::1"],
		["::ffff:192.168.0.1"],
		["64:ff9b::a00:1"],
		["fd00::1"],
		["93.184.215.14", "127.0.0.1"],
		["2606:2800:21f:cb07:6820:80da:af6b:8b2c", "169.254.169.254"],
	]) {
		names.set("hostile.example", [addresses]);
		const url = `https://hostile.example:${port}/`;
		assert.equal(guarded.urlFault(url), undefined);
		assert.equal(await failureOf(guarded.send({ url, ...limits })), "blocked_address", addresses.join());
	}
	assert.deepEqual(hits, []);
});

test("a name that turns inward between a check and the connection gains nothing", async () => {
	names.set("rebind.example", [["93.184.215.14"], ["127.0.0.1"]]);
	const url = `https://rebind.example:${port}/`;
	// The first connection goes to a public address, where nobody answers here; the second is told the inner one.
	assert.match(await failureOf(guarded.send({ url, ...limits, timeoutMs: 300 })), /^(timeout|connection)$/);
	assert.equal(await failureOf(guarded.send({ url, ...limits })), "blocked_address");
	assert.deepEqual(hits, []);
});

test("public addresses are told from all others; other schemes, user names and broken URLs are refused", () => {
	const isPublic = (text: string) => isPublicAddress(parseIpAddress(text) ?? { family: 4, bits: 0n });
	const borders = ["9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0"];
	const more = ["192.167.255.255", "198.17.255.255", "198.20.0.0", "223.255.255.255", "1.1.1.1", "2606:4700::1111"];
	for (const text of [...borders, ...more]) assert.ok(isPublic(text), text);
	for (const url of words(`
		http://example.com/ ftp://example.com/ file:///etc/passwd https://a:b@example.com/ gopher://hooks.example/
		javascript:alert(1) data:text/plain,x
	`)) {
		assert.ok(open.urlFault(url) !== undefined, url);
	}
	assert.ok(guarded.urlFault("https:/\\127.0.0.1/") !== undefined);
	for (const url of ["", "example.com", "https://", "https://exa mple.com/", "//example.com"]) {
		assert.equal(open.urlFault(url), "must be a URL", url);
	}
	for (const url of ["https://example.com:8443/hook?x=1", "https://93.184.215.14/", "https://[2606:4700::1111]/"]) {
		assert.equal(guarded.urlFault(url), undefined, url);
	}
});

const at = (path: string) => ({ url: `https://localhost:${port}${path}`, ...limits });

test("a redirect is an answer and is not followed", async () => {
	const { status, headers } = await open.send(at("/redirect"));
	assert.deepEqual([status, headers.location], [302, "https://169.254.169.254/"]);
});

test("a request is answered, with its headers; a body beyond the limit is refused or cut, as asked", async () => {
	const answer = await open.send({ ...at("/echo"), method: "POST", body: "{}", headers: { "x-note": "hello" } });
	assert.deepEqual([answer.status, answer.body, answer.headers["set-cookie"]], [200, "POST hello", "a=1, b=2"]);
	assert.equal(await failureOf(open.send(at("/large"))), "too_large");
	assert.equal((await open.send({ ...at("/large"), excess: "cut" })).body.length, limits.maxBytes);
	assert.equal((await open.send({ ...at("/large"), maxBytes: 5_000 })).body.length, 5_000);
});

test("a server that never answers, never ends or hangs up is given up; a connection that it has ended is not used again", async () => {
	const endless = ["/silent", "/drip"].map((path) => failureOf(open.send({ ...at(path), timeoutMs: 200 })));
	assert.deepEqual(await Promise.all(endless), ["timeout", "timeout"]);
	assert.equal(await failureOf(open.send({ ...at("/broken"), timeoutMs: 60_000 })), "connection");
	const signal = AbortSignal.abort(new Error("nobody waits any more"));
	await assert.rejects(open.send({ ...at("/silent"), signal }), /nobody waits any more/);
	for (let request = 0; request < 3; request++) assert.equal((await open.send(at("/last"))).body, "last");
});

test("an unknown name, a closed port and a foreign certificate are told apart", async (t) => {
	const strict = createGuardedFetch({ clock: systemClock, allowPrivate: true });
	t.after(() => strict.close());
	assert.equal(await failureOf(guarded.send({ ...limits, url: "https://nowhere.example/" })), "dns");
	assert.equal(await failureOf(open.send({ ...limits, url: "https://localhost:1/" })), "connection");
	assert.equal(await failureOf(strict.send(at("/"))), "tls");
});

test("requests that follow each other share a connection, and one that waits for its answer holds up no other", async () => {
	const client = createGuardedFetch({ clock: systemClock, allowPrivate: true, extraCertificates: [certificate] });
	let connections = 0;
	const count = () => void connections++;
	server.on("secureConnection", count);
	const send = (path: string) => client.send(at(path));
	for (let request = 0; request < 10; request++) assert.equal((await send("/echo")).status, 200);
	// The second may begin before the first one's connection is known to be free.
	assert.ok(connections <= 2, `${connections} connections`);
	const silent = failureOf(client.send({ ...at("/silent"), timeoutMs: 500 }));
	assert.equal((await send("/echo")).status, 200);
	assert.equal(await silent, "timeout");
	server.off("secureConnection", count);
	await client.close();
});
