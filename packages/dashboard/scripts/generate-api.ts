// Writes what code knows of the API from `docs/openapi.json`: `packages/client/src/routes.generated.ts`, what each route
// takes and answers, and `src/api/api.generated.ts`, which role its writes need. With `--check` it writes nothing and
// fails when a file is not what it would write.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { operations } from "../../client/scripts/description.ts";
import { routesText } from "../../client/scripts/routes-text.ts";

const roles = operations.flatMap(({ route, operation }) => {
	const guard = operation["x-guard"];
	return guard?.write && guard.role ? [`\t${JSON.stringify(route)}: ${JSON.stringify(guard.role)},`] : [];
});

const rolesText = `// Written by scripts/generate-api.ts from docs/openapi.json. Do not edit.
export type { Routes } from "../../../client/src/routes.generated.ts";

/** The least role that a write needs. */
export const writeRoles = {
${roles.join("\n")}
} as const;
`;

const files = {
	"packages/client/src/routes.generated.ts": routesText(),
	"packages/dashboard/src/api/api.generated.ts": rolesText,
};
const root = fileURLToPath(new URL("../../../", import.meta.url));
const isRead = (name: string, text: string) => {
	try {
		return readFileSync(root + name, "utf8") === text;
	} catch {
		return false;
	}
};
for (const [name, text] of Object.entries(files)) {
	if (!process.argv.includes("--check")) writeFileSync(root + name, text);
	else if (!isRead(name, text)) {
		console.error(`${name} is not what docs/openapi.json says: run packages/dashboard/scripts/generate-api.ts`);
		process.exitCode = 1;
	}
}
