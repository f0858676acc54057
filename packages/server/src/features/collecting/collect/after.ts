/** Goes on with a value: at once where it is there, later where it is promised. So only what has to wait waits. */
export function after<Value, Result>(
	value: Value | Promise<Value>,
	next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
	return value instanceof Promise ? value.then(next) : next(value);
}

/** The values of several, in their order. */
export function all<Value>(values: readonly (Value | Promise<Value>)[]): readonly Value[] | Promise<readonly Value[]> {
	const known: Value[] = [];
	for (const value of values) {
		if (value instanceof Promise) return Promise.all(values);
		known.push(value);
	}
	return known;
}
