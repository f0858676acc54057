import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { answered, RedisAway } from "./answered.ts";

/** A server in a process of its own, which says back what it is told, but for "silence". */
const server = `
const net = require("node:net");
const echo = (socket) => socket.on("data", (text) => String(text) === "silence" || socket.write(text));
const listening = net.createServer(echo).listen(0, "127.0.0.1", () => console.log(listening.address().port));
`;

test("an answer that came while this process was busy is taken; a server that says nothing for half a second is away", async (t) => {
	const child = spawn(process.execPath, ["-e", server], { stdio: ["ignore", "pipe", "inherit"] });
	const [port] = await once(child.stdout, "data");
	const socket = connect(Number(port), "127.0.0.1");
	await once(socket, "connect");
	t.after(async () => {
		socket.destroy();
		child.kill();
		await once(child, "exit");
	});
	const say = async (text: string): Promise<string> => {
		const answer = once(socket, "data");
		socket.write(text);
		return String((await answer)[0]);
	};
	for (const ms of [460, 500, 540, 700]) {
		const answer = answered(say("hello"));
		// All writes have been sent.
		await new Promise(setImmediate);
		// Keeps this process from doing anything else.
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
		assert.equal(await answer, "hello", `busy for ${ms} ms`);
	}
	await assert.rejects(answered(say("silence")), RedisAway);
});
