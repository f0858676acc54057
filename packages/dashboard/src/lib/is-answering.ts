/** Whether the server can be reached and is ready. */
export const isAnswering = (): Promise<boolean> =>
	fetch("/api/v1/config").then(
		({ ok }) => ok,
		() => false,
	);
