// Loaded before `node:test`, which follows each promise to the test that made it, at 5 µs an `await`. Without that an unhandled rejection
// fails its file instead of its test.
import asyncHooks, { type HookCallbacks } from "node:async_hooks";

const { createHook } = asyncHooks;
Object.assign(asyncHooks, {
	createHook: (callbacks: HookCallbacks) => createHook({ ...callbacks, trackPromises: false }),
});
