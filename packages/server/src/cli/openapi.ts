import { openApiText } from "../composition/openapi-text.ts";
import type { DefineCommand } from "./command.ts";

/** `footfall openapi` */
export const defineOpenApi: DefineCommand = (command) => {
	command.action(async () => {
		process.stdout.write(await openApiText());
	});
};
