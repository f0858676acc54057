import { ask, type RunDeps } from "./run.ts";

/**
 * Throws `BadQuestion` for an expression that parses but that the engine refuses: the engine knows fewer names of
 * Unicode classes, and limits the size. Each expression is checked once before it is stored, or every later report
 * would fail.
 */
export async function checkExpression(deps: RunDeps, pattern: string): Promise<void> {
	await ask(deps, { sql: "SELECT match('', {pattern:String})", params: { pattern }, settings: {} }, []);
}
