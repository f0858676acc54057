import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { after, afterEach, describe, test } from "node:test";
import { collectGarbage } from "../../../test/support/live-heap.ts";
import { BUCKET, type PeerFault, startS3Peer } from "../../../test/support/s3-peer.ts";
import { fastClock } from "../../../test/support/test-clock.ts";
import { openS3Store } from "./s3-store.ts";

const MEGABYTE = 1024 * 1024;

async function* pieces(count: number, bytes = MEGABYTE): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < count; at++) yield Buffer.alloc(bytes, at);
}

const peer = await startS3Peer();
after(() => peer.close());
afterEach(() => {
	peer.fault = () => undefined;
});

const open = (path = `${BUCKET}/exports`, credential = {}) => openS3Store(peer.url(path, credential), fastClock);

/** Fails the first requests of a kind. */
function failing(request: RegExp, fault: PeerFault, times: number): { readonly seen: () => number } {
	let seen = 0;
	peer.fault = (asked) => {
		if (!request.test(asked)) return undefined;
		seen++;
		return seen <= times ? fault : undefined;
	};
	return { seen: () => seen };
}

describe("who may use a bucket", () => {
	test("a request with a wrong key, secret or region is refused at once, and no error holds a part of the credential", async () => {
		for (const store of [
			open(undefined, { secret: "a/secret+with%signz" }),
			open(undefined, { secret: "WRONG" }),
			open(undefined, { key: "WRONG" }),
			openS3Store(peer.url(`${BUCKET}/exports`).replace("eu-west-1", "us-east-1"), fastClock),
		]) {
			const from = peer.requests.length;
			for (const use of [
				() => store.write("refused.csv", pieces(1)),
				() => store.read("refused.csv"),
				() => store.remove("refused.csv"),
				() => store.check(),
			]) {
				await assert.rejects(use, (error: Error) => {
					assert.match(error.message, /answered 403/);
					assert.doesNotMatch(String(error.stack), /WRONG|PEER|with%signs|with%25signs/);
					return true;
				});
			}
			assert.equal(peer.requests.length - from, 4, "a refusal is not repeated");
		}
	});

	test("a missing bucket is named as such, and takes no file", async () => {
		const missing = open("nothing/exports");
		await assert.rejects(missing.check(), /The bucket does not exist/);
		await assert.rejects(missing.write("x.csv", pieces(1)), /The bucket does not exist/);
		assert.equal(await missing.read("x.csv"), undefined);
	});
});

describe("a store that fails for a while", () => {
	const requests = {
		"the begin of an upload": /^POST .*uploads=/,
		"a part": /^PUT .*partNumber=2/,
		"the end of an upload": /^POST .*uploadId=/,
	};
	for (const [title, fault, times] of [
		["the begin of an upload", 500, 3],
		["a part", 429, 3],
		["a part", "cut before", 3],
		["the end of an upload", "cut before", 3],
		// The answer gets lost after the upload has ended.
		["the end of an upload", "cut after", 1],
	] as const) {
		test(`${title} that meets ${fault} is sent again, and the file is whole`, async () => {
			const { seen } = failing(requests[title], fault, times);
			assert.equal(await open().write("again.csv", pieces(9)), 9 * MEGABYTE);
			assert.equal(seen(), times + 1);
			const file = await open().read("again.csv");
			assert.ok(file);
			assert.equal((await buffer(file.content)).length, 9 * MEGABYTE);
			assert.deepEqual(peer.uploads(), []);
		});
	}

	test("an upload that the store has lost is no file, also where an older file has its name", async () => {
		await open().write("lost.csv", pieces(1));
		failing(requests["the end of an upload"], 404, 1);
		await assert.rejects(open().write("lost.csv", pieces(9)), /did not complete the upload/);
	});

	test("reading, removing and checking are tried again too", async () => {
		await open().write("b.csv", pieces(1));
		for (const [use, request] of [
			[() => open().check(), /^HEAD/],
			[async () => (await open().read("b.csv"))?.content.destroy(), /^GET/],
			[() => open().remove("b.csv"), /^DELETE/],
		] as const) {
			const { seen } = failing(request, "cut before", 2);
			await use();
			assert.equal(seen(), 3);
		}
	});

	test("a store that stays away is given up after six attempts, parts and all", async () => {
		const { seen } = failing(requests["a part"], 503, Number.POSITIVE_INFINITY);
		await assert.rejects(open().write("away.csv", pieces(9)), /The file store answered 503/);
		assert.equal(seen(), 6);
		assert.deepEqual(peer.uploads(), []);
		assert.equal(await open().read("away.csv"), undefined);
	});
});

describe("uploads", () => {
	test("one that is aborted before it begins or while a part is on its way ends at once and leaves no part behind", async () => {
		const from = peer.requests.length;
		await assert.rejects(open().write("never.csv", pieces(1), AbortSignal.abort(new Error("closed"))), /closed/);
		assert.equal(peer.requests.length, from);
		const abort = new AbortController();
		const { seen } = failing(/^PUT .*partNumber=2/, 503, Number.POSITIVE_INFINITY);
		const fault = peer.fault;
		peer.fault = (asked) => {
			if (seen() === 1) abort.abort(new Error("the service closes"));
			return fault(asked);
		};
		await assert.rejects(open().write("aborted.csv", pieces(20), abort.signal), /the service closes/);
		assert.equal(seen(), 2);
		assert.deepEqual(peer.uploads(), []);
	});

	test("a file of 60 MB takes no more memory than a few parts", async () => {
		const held = () => {
			collectGarbage();
			const { external, arrayBuffers } = process.memoryUsage();
			return Math.max(external, arrayBuffers) / MEGABYTE;
		};
		const began = held();
		let most = 0;
		async function* watched(): AsyncGenerator<Uint8Array> {
			let count = 0;
			for await (const piece of pieces(60)) {
				if (count++ % 9 === 0) most = Math.max(most, held() - began);
				yield piece;
			}
		}
		assert.equal(await open().write("large.csv", watched()), 60 * MEGABYTE);
		assert.ok(most < 40, `${Math.round(most)} MB were held`);
		await open().remove("large.csv");
	});
});
