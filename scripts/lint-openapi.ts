// Holds docs/openapi.json to the recommended rules of Redocly and Spectral. Part of `npm run check`.
import { readFileSync } from "node:fs";
import { createConfig, lint } from "@redocly/openapi-core";
import spectralCore, { type RulesetDefinition } from "@stoplight/spectral-core";
import parsers from "@stoplight/spectral-parsers";
import rulesets from "@stoplight/spectral-rulesets";
import { root } from "./lib/root.ts";

const file = `${root}docs/openapi.json`;

/** Accepted findings of a rule, with the reason. */
const accepted: ReadonlySet<string> = new Set([
	// Ends in a redirect, or in a page that says why not (RFC 6749, 4.1.1): it has no answer of its own.
	"operation-2xx-response #/paths/~1api~1v1~1oauth~1authorize/get/responses",
]);

async function redocly(): Promise<string[]> {
	const config = await createConfig({ extends: ["recommended"] });
	const problems = await lint({ ref: file, config });
	return problems
		.map(({ ruleId, message, location }) => ({ at: `${ruleId} ${location[0]?.pointer ?? ""}`, message }))
		.filter(({ at }) => !accepted.has(at))
		.map(({ at, message }) => `${at}: ${message}`);
}

async function spectral(): Promise<string[]> {
	const linter = new spectralCore.Spectral();
	// The ruleset's own type is not the one that it is taken for.
	linter.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, "recommended"]] });
	const text = new spectralCore.Document(readFileSync(file, "utf8"), parsers.Json, file);
	const problems = await linter.run(text);
	return problems.map(({ code, message, path }) => `${code} ${path.join("/")}: ${message}`);
}

const problems = [...(await redocly()), ...(await spectral())];
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
