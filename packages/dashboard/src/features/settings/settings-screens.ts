import { texts } from "../../lib/language.ts";
import type { SideGroup } from "../../ui/side-nav/side-nav.tsx";

const t = texts({
	en: {
		counted: "What is counted",
		told: "Who is told",
		looks: "Who may look",
		data: "Data",
		install: "Installation",
	},
	es: {
		counted: "Qué se cuenta",
		told: "Quién se entera",
		looks: "Quién puede mirar",
		data: "Datos",
		install: "Instalación",
	},
});

/** The settings of a site in their order. */
export function settingsScreens(id: string): readonly SideGroup[] {
	const at = (below: string, label: string) => ({ to: `/sites/${id}/settings${below}`, label });
	const groups: readonly SideGroup[] = [
		{ links: [at("/install", t.install)] },
		{ label: t.counted, links: [] },
		{ label: t.told, links: [] },
		{ label: t.looks, links: [] },
		{ label: t.data, links: [] },
	];
	return groups.filter(({ links }) => links.length > 0);
}
