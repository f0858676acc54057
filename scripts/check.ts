// The static checks alone: types, style, import rules, unused code. `npm run check`
import { checks, runCheck } from "./lib/checks.ts";
import { inParallel } from "./lib/in-parallel.ts";

const results = await inParallel(checks, 2, async (check) => {
	const result = await runCheck(check);
	console.log(`${result.passed ? "ok    " : "FAILED"} ${result.name} (${result.seconds.toFixed(1)} s)`);
	if (!result.passed) console.log(result.output.trimEnd());
	return result;
});
process.exitCode = results.every((result) => result.passed) ? 0 : 1;
