import { AsyncResource, type HookCallbacks } from "node:async_hooks";

/**
 * Loads `node:test` without its hooks. They follow every promise and timer, to name the test in which a rejection was left unhandled,
 * and cost a seventh of the processor time of the service's tests. Here a test is known while its function or hook is called, until
 * the first `await`: enough to place what it declares. A rejection after that fails the file, by the exit code that `node:test` sets.
 */
export async function loadNodeTest() {
	const hooks = process.getBuiltinModule("node:async_hooks");
	const { createHook } = hooks;
	// `node:test` takes the function from the module when it is loaded, and calls it for each file.
	Object.assign(hooks, { createHook: followCalls });
	const loaded = await import("node:test");
	Object.assign(hooks, { createHook });
	return loaded;
}

const { runInAsyncScope } = AsyncResource.prototype;

/** In place of `createHook`: tests are resources, and their functions run in their scope. */
function followCalls({ init, destroy }: HookCallbacks) {
	function follow(this: AsyncResource, ...call: Parameters<typeof runInAsyncScope>) {
		init?.(this.asyncId(), "", 0, this);
		try {
			return Reflect.apply(runInAsyncScope, this, call);
		} finally {
			destroy?.(this.asyncId());
		}
	}
	const set = (method: typeof runInAsyncScope) => {
		Object.assign(AsyncResource.prototype, { runInAsyncScope: method });
	};
	return { enable: () => set(follow as typeof runInAsyncScope), disable: () => set(runInAsyncScope) };
}
