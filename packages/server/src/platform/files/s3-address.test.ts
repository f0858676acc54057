import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../lib/clock.ts";
import { openFileStore } from "./open-file-store.ts";
import { readS3Address } from "./s3-address.ts";

test("addresses of servers and of Amazon, with and without prefix and region, have the bucket in the path", () => {
	const parts = (text: string) => {
		const { bucket, base, region } = readS3Address(text);
		return [bucket, base, region];
	};
	const minio = "http://minio.internal:9000/stats";
	assert.deepEqual(parts("http://K:S@minio.internal:9000/stats"), [minio, `${minio}/`, "us-east-1"]);
	assert.deepEqual(parts("http://K:S@minio.internal:9000/stats/a/b/?region=eu-west-1"), [
		minio,
		`${minio}/a/b/`,
		"eu-west-1",
	]);
	const amazon = "https://s3.eu-west-1.amazonaws.com/stats";
	assert.deepEqual(parts("s3://K:S@stats/a?region=eu-west-1"), [amazon, `${amazon}/a/`, "eu-west-1"]);
	assert.deepEqual(parts("s3://K:S@stats"), [
		"https://s3.us-east-1.amazonaws.com/stats",
		"https://s3.us-east-1.amazonaws.com/stats/",
		"us-east-1",
	]);
});

test("key and secret are percent-decoded", () => {
	const { accessKeyId, secretAccessKey } = readS3Address("https://AK%2FIA:a%2Fb%2Bc%25d%40e@host/bucket");
	assert.deepEqual([accessKeyId, secretAccessKey], ["AK/IA", "a/b+c%d@e"]);
});

test("an address without bucket or key is refused at start, without quoting it", () => {
	for (const address of [
		"https://host/bucket",
		"https://KEY:secret1@host",
		"https://KEY@host/bucket",
		"s3://bucket",
		"https://KEY:secret1%@host/bucket",
		"https://KEY:secret1/x@host/bucket",
	]) {
		assert.throws(
			() => openFileStore({ s3Url: address, dataDir: ".", clock: systemClock }, "exports"),
			(error: Error) => /S3_URL must read/.test(error.message) && !JSON.stringify(error).includes("secret1"),
			address,
		);
	}
});
