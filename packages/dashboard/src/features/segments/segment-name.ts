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
