/** What the engine calls partitions and parts, as it stands in a statement. */
export function quotedName(name: string): string {
	if (!/^[\w-]{1,200}$/.test(name)) throw new Error("Not a name of the engine's");
	return `'${name}'`;
}
