/** Hands a resource to `use` and closes it afterwards, whatever happens: the checker of imports cannot read `await using`. */
export async function withResource<Resource extends AsyncDisposable | undefined, Result>(
	resource: Resource,
	use: (resource: Resource) => Result | Promise<Result>,
): Promise<Result> {
	try {
		return await use(resource);
	} finally {
		await resource?.[Symbol.asyncDispose]();
	}
}

/** Does the rest of what has begun, and takes the beginning back when that fails. */
export async function orUndo<Result>(undo: () => unknown, rest: () => Result | Promise<Result>): Promise<Result> {
	try {
		return await rest();
	} catch (error) {
		await undo();
		throw error;
	}
}
