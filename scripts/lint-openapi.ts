// Holds docs/openapi.json to the recommended rules of Redocly, to valid examples and to declared tags. Part of `npm run check`.
import { createConfig, lint } from "@redocly/openapi-core";
import { root } from "./lib/root.ts";

/** Accepted findings of a rule, with the reason. */
const accepted: ReadonlySet<string> = new Set([
	// Ends in a redirect, or in a page with the reason (RFC 6749, 4.1.1): it has no answer of its own.
	"operation-2xx-response #/paths/~1api~1v1~1oauth~1authorize/get/responses",
]);

const rules = {
	"no-invalid-media-type-examples": "error",
	"no-invalid-parameter-examples": "error",
	"no-invalid-schema-examples": "error",
	"no-unused-components": "error",
	"no-enum-type-mismatch": "error",
	"operation-singular-tag": "error",
	"operation-tag-defined": "error",
	"spec-components-invalid-map-name": "error",
} as const;

const config = await createConfig({ extends: ["recommended"], rules });
const problems = (await lint({ ref: `${root}docs/openapi.json`, config }))
	.map(({ ruleId, message, location }) => ({ at: `${ruleId} ${location[0]?.pointer ?? ""}`, message }))
	.filter(({ at }) => !accepted.has(at));
for (const { at, message } of problems) console.log(`${at}: ${message}`);
process.exitCode = problems.length === 0 ? 0 : 1;
