import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { answered, RedisAway } from "./answered.ts";

/** A server in a process of its own, which says back what it is told, but for "silence". */
const server = `
const net = require("node:net");
const echo = (socket) => socket.on("data", (text) => String(text) === "silence" || socket.write(text));
const listening = net.createServer(echo).listen(0, "127.0.0.1", () => console.log(listening.address().port));
`;

let child: ChildProcess;
let socket: Socket;
before(async () => {
	child = spawn(process.execPath, ["-e", server], { stdio: ["ignore", "pipe", "inherit"] });
	const [port] = child.stdout === null ? [] : await once(child.stdout, "data");
	socket = connect(Number(port), "127.0.0.1");
	await once(socket, "connect");
});
after(async () => {
	socket.destroy();
	child.kill();
	await once(child, "exit");
});

const say = (text: string): Promise<string> => {
	const answer = once(socket, "data");
	socket.write(text);
	return answer.then(([data]) => String(data));
};

/** Keeps this process from doing anything else. */
const keepBusy = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

for (const ms of [460, 500, 540, 700]) {
	test(`an answer that came while this process was busy for ${ms} ms is taken`, async () => {
		const answer = answered(say("hello"));
		// All writes have been sent.
		await new Promise(setImmediate);
		keepBusy(ms);
		assert.equal(await answer, "hello");
	});
}

test("a server that says nothing for half a second is away", async () => {
	await assert.rejects(answered(say("silence")), RedisAway);
});
