/** A name of a partition or part of the engine, quoted for a statement. */
export function quotedName(name: string): string {
	if (!/^[\w-]{1,200}$/.test(name)) throw new Error("Not a name of the engine's");
	return `'${name}'`;
}
