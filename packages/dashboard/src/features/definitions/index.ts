import { lazily } from "../../lib/lazily.ts";
/** The definition of a metric that the address opens (`panel=definition:entrances`); it is loaded when it opens. */
export const DefinitionDrawer = lazily(() =>
	import("./definition-drawer.tsx").then(({ DefinitionDrawer: drawer }) => ({ default: drawer })),
);

/** The SQL of a metric, loaded when it is asked for. */
export async function sqlOf(
	metric: string,
	about: { readonly site: string; readonly from: string; readonly to: string },
): Promise<string | undefined> {
	const { statementOf } = await import("./statement.ts");
	return statementOf(metric, about);
}
