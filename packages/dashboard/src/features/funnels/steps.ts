/** A step of a funnel: a page that is seen, or an event that happens. */
export interface Step {
	readonly kind: "page" | "event";
	/** A path, with `*` at its end all paths that begin so; or a type of event. */
	readonly value: string;
}

/** Numbers of steps that the API takes. */
export const fewest = 2;
export const most = 10;

/** Reads the steps of an address, `page:/cart` and `event:purchase`. Invalid ones are skipped. */
export const readSteps = (view: readonly string[]): readonly Step[] =>
	view
		.map((entry): Step | undefined => {
			const at = entry.indexOf(":");
			const [kind, value] = [entry.slice(0, at), entry.slice(at + 1)];
			return kind === "page" || kind === "event" ? { kind, value } : undefined;
		})
		.filter((step) => step !== undefined)
		.slice(0, most);

/** Its counterpart. */
export const writeSteps = (steps: readonly Step[]): readonly string[] =>
	steps.map(({ kind, value }) => `${kind}:${value}`);

/** A step as the API knows it: pages begin with a slash, events don't. */
export function asked({ kind, value }: Step): string {
	const text = value.trim();
	if (kind === "page") return text.startsWith("/") || text === "" ? text : `/${text}`;
	return text.replace(/^\/+/, "");
}

/** The steps of the question that can be asked; undefined while one is empty or there are too few. */
export function question(steps: readonly Step[]): readonly string[] | undefined {
	const texts = steps.map(asked);
	return texts.length < fewest || texts.includes("") ? undefined : texts;
}
