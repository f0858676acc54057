import type { DefineCommand } from "./command.ts";

/** `footfall start` */
export const defineStart: DefineCommand = (command) => {
	command.action(async () => {
		const { main } = await import("../main.ts");
		await main(process.env);
	});
};
