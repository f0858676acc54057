/** Lets a limited number of tasks run at a time; the others wait in order. */
export interface Lane {
	run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** A lane of `width` places. A task whose signal aborts while it waits is rejected with the signal's reason. */
export function createLane(width: number): Lane {
	let free = width;
	const waiting: (() => void)[] = [];

	const enter = (signal: AbortSignal | undefined): Promise<void> => {
		signal?.throwIfAborted();
		if (free > 0) {
			free--;
			return Promise.resolve();
		}
		return new Promise((resolve, reject) => {
			const start = () => {
				signal?.removeEventListener("abort", giveUp);
				resolve();
			};
			const giveUp = () => {
				waiting.splice(waiting.indexOf(start), 1);
				reject(signal?.reason);
			};
			signal?.addEventListener("abort", giveUp, { once: true });
			waiting.push(start);
		});
	};
	const leave = () => {
		const next = waiting.shift();
		if (next) next();
		else free++;
	};

	return {
		async run(task, signal) {
			await enter(signal);
			try {
				return await task();
			} finally {
				leave();
			}
		},
	};
}
