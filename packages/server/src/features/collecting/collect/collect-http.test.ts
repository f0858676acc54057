import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { collectKey } from "../../../composition/collector.ts";
import { issueToken } from "./token.ts";

const here = collectingSite();

const headers = {
	"user-agent":
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
	"accept-language": "en",
	"accept-encoding": "gzip, deflate, br",
	"sec-fetch-site": "cross-site",
	"sec-fetch-mode": "cors",
	"sec-fetch-dest": "empty",
};

const payload = (path: string) =>
	JSON.stringify({
		a: here.site,
		t: issueToken(collectKey(here.app.config.secretKey), here.site, here.app.clock.now()),
		u: `https://shop.example${path}`,
	});

/** Posts a body in the pieces given, each a chunk of its own, and answers what came back until the connection ended. */
async function postPieces(pieces: readonly Buffer[], more: Record<string, string> = {}): Promise<string> {
	const socket = connect(Number(new URL(await here.app.address()).port), "127.0.0.1");
	const lines = Object.entries({ host: "x", "transfer-encoding": "chunked", ...headers, ...more });
	socket.write(`POST /event HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n`);
	for (const piece of pieces) {
		socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]));
	}
	socket.write("0\r\n\r\n");
	let answer = "";
	socket.setEncoding("latin1").on("data", (text: string) => {
		answer += text;
		if (!answer.toLowerCase().includes("connection: close")) socket.end();
	});
	await once(socket, "close");
	return answer;
}

const cut = (text: string, size: number) => {
	const bytes = Buffer.from(text);
	return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
		bytes.subarray(index * size, (index + 1) * size),
	);
};

test("a body in many pieces is put together, characters that were cut through included", async () => {
	const pieces = cut(payload("/caña-👍🏽"), 5);
	assert.ok(pieces.length > 20 && pieces.length <= 64);
	assert.match(await postPieces(pieces), /^HTTP\/1\.1 204 /);
	assert.deepEqual(await here.storedRows("path"), [{ path: "/ca%C3%B1a-%F0%9F%91%8D%F0%9F%8F%BD" }]);
});

test("a body in more than sixty-four pieces is counted as unreadable, and its connection ends", async () => {
	const unread = () => here.app.collector?.rejections.window(here.site, 1, here.app.clock.now()).rejected ?? 0;
	const before = unread();
	const answer = await postPieces(cut(payload("/tiny"), 1));
	assert.match(answer, /^HTTP\/1\.1 204 /);
	assert.match(answer, /\r\nConnection: close\r\n/);
	assert.equal(unread() - before, 1);
	assert.deepEqual(await here.storedRows("path"), []);
});

test("whether a hit came over https is what the proxy says, not what the sender wrote before it", async () => {
	const send = async (path: string, proto: string, from: string) => {
		const forwarded = { "x-forwarded-for": from, "x-forwarded-proto": proto };
		assert.match(await postPieces([Buffer.from(payload(path))], forwarded), /^HTTP\/1\.1 204 /);
	};
	await send("/replaced", "https", "203.0.113.1");
	await send("/added", "http, https", "203.0.113.2");
	await send("/two-proxies", "https, https, http", "203.0.113.3, 10.0.0.1");
	await send("/plain", "https, http", "203.0.113.4");
	// A Chrome without client hints is odd over https alone.
	const rows = await here.storedRows("path, bot_score");
	assert.deepEqual(Object.fromEntries(rows.map(({ path, bot_score }) => [path, bot_score])), {
		"/replaced": 25,
		"/added": 25,
		"/two-proxies": 25,
		"/plain": 0,
	});
});
