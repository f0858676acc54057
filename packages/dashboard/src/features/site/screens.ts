import { Activity, BarChart3, Bot, Filter, Grid3x3, Settings, Target } from "lucide-react";
import { texts } from "../../lib/language.ts";

const t = texts({
	en: {
		report: "Report",
		live: "Live",
		goals: "Goals",
		funnels: "Funnels",
		explore: "Explore",
		bots: "Bots",
		settings: "Settings",
	},
	es: {
		report: "Informe",
		live: "En vivo",
		goals: "Objetivos",
		funnels: "Embudos",
		explore: "Explorar",
		bots: "Bots",
		settings: "Ajustes",
	},
});

/** The screens of a site, in the order of the rail; `key` follows G. */
export const siteScreens = [
	{ to: "/sites/$id", below: "", label: t.report, icon: BarChart3, key: "r" },
	{ to: "/sites/$id/live", below: "/live", label: t.live, icon: Activity, key: "l" },
	{ to: "/sites/$id/goals", below: "/goals", label: t.goals, icon: Target, key: "g" },
	{ to: "/sites/$id/funnels", below: "/funnels", label: t.funnels, icon: Filter, key: "f" },
	{ to: "/sites/$id/explore", below: "/explore", label: t.explore, icon: Grid3x3, key: "e" },
	{ to: "/sites/$id/bots", below: "/bots", label: t.bots, icon: Bot, key: "b" },
	{ to: "/sites/$id/settings", below: "/settings", label: t.settings, icon: Settings, key: "s" },
] as const;

/** The screen that an address belongs to: the report where it is no other's. */
export function screenAt(path: string): (typeof siteScreens)[number] {
	const below = path.replace(/^\/sites\/[^/]+/, "");
	return siteScreens.find((screen) => screen.below !== "" && below.startsWith(screen.below)) ?? siteScreens[0];
}
