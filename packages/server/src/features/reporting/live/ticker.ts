/** Does work again and again until what it answers is called. */
export type Every = (ms: number, work: () => void) => () => void;

/** By the machine's clock; keeps no process alive. */
export const everyInterval: Every = (ms, work) => {
	const timer = setInterval(work, ms).unref();
	return () => clearInterval(timer);
};
