/** A name for addresses, made of the one that people read: `Búsqueda móvil` -> `busqueda-movil`. */
export function nameFor(shown: string, now = Date.now()): string {
	const name = shown
		.normalize("NFD")
		.toLowerCase()
		.replaceAll(/\p{Mark}/gu, "")
		.replaceAll(/[^a-z0-9]+/g, "-")
		.slice(0, 50)
		.replaceAll(/^-+|-+$/g, "");
	return name === "" ? `segment-${now.toString(36)}` : name;
}

/** The name itself, or with a number where another segment has it. */
export function freeName(name: string, taken: readonly string[]): string {
	if (!taken.includes(name)) return name;
	for (let number = 2; ; number += 1) {
		const end = `-${number}`;
		const next = name.slice(0, 50 - end.length) + end;
		if (!taken.includes(next)) return next;
	}
}
