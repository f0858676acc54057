import { ask, type RunDeps } from "./run.ts";

/**
 * Throws `BadQuestion` for an expression that the engine refuses although it reads well: the engine knows fewer names of
 * Unicode classes, and has a limit on its size. What is stored must be asked once, or every report would fail with it later.
 */
export async function checkExpression(deps: RunDeps, pattern: string): Promise<void> {
	await ask(deps, { sql: "SELECT match('', {pattern:String})", params: { pattern }, settings: {} }, []);
}
