import {
	Activity,
	BarChart3,
	Bot,
	Filter,
	Grid3x3,
	Lightbulb,
	MessageCircleQuestionMark,
	Settings,
	Target,
} from "lucide-react";
import { boot } from "../../api/boot.ts";
import { texts } from "../../lib/language.ts";

const t = texts({
	en: {
		report: "Report",
		live: "Live",
		goals: "Goals",
		funnels: "Funnels",
		explore: "Explore",
		ask: "Ask",
		insights: "Insights",
		bots: "Bots",
		settings: "Settings",
	},
	es: {
		report: "Informe",
		live: "En vivo",
		goals: "Objetivos",
		funnels: "Embudos",
		explore: "Explorar",
		ask: "Preguntar",
		insights: "Hallazgos",
		bots: "Bots",
		settings: "Ajustes",
	},
});

const screens = [
	{ to: "/sites/$id", below: "", label: t.report, icon: BarChart3, key: "r" },
	{ to: "/sites/$id/live", below: "/live", label: t.live, icon: Activity, key: "l" },
	{ to: "/sites/$id/goals", below: "/goals", label: t.goals, icon: Target, key: "g" },
	{ to: "/sites/$id/funnels", below: "/funnels", label: t.funnels, icon: Filter, key: "f" },
	{ to: "/sites/$id/explore", below: "/explore", label: t.explore, icon: Grid3x3, key: "e" },
	{ to: "/sites/$id/ask", below: "/ask", label: t.ask, icon: MessageCircleQuestionMark, key: "a" },
	{ to: "/sites/$id/insights", below: "/insights", label: t.insights, icon: Lightbulb, key: "i" },
	{ to: "/sites/$id/bots", below: "/bots", label: t.bots, icon: Bot, key: "b" },
	{ to: "/sites/$id/settings", below: "/settings", label: t.settings, icon: Settings, key: "s" },
] as const;
type SiteScreen = (typeof screens)[number];

const hasAssistant = boot.config?.features.includes("assistant") === true;

/** The screens of a site that this installation has, in the order of the rail; `key` follows G. */
export const siteScreens: readonly SiteScreen[] = screens.filter(({ key }) => key !== "a" || hasAssistant);

/** The screen that an address belongs to: the report where it is no other's. */
export function screenAt(path: string): SiteScreen {
	const below = path.replace(/^\/sites\/[^/]+/, "");
	return screens.find((screen) => screen.below !== "" && below.startsWith(screen.below)) ?? screens[0];
}
