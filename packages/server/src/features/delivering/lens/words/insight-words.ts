import { readablePath } from "../../../../analytics/attribution/canonical-path.ts";
import type { Finding, RuleName } from "../rules/finding.ts";
import { type Language, numbersIn } from "./numbers.ts";

interface Told {
	readonly entity: string;
	readonly other: string;
	readonly value: string;
	readonly baseline: string;
	/** Without its sign. */
	readonly change: string;
	readonly isRise: boolean;
	readonly limit: string;
}

/** Texts of a rule, and the name of the group of its insights. */
interface RuleWords {
	readonly group: string;
	readonly title: (told: Told) => string;
	readonly description: (told: Told) => string;
	readonly recommendation: (told: Told) => string;
}

type InsightTexts = Readonly<Record<RuleName, RuleWords>>;

const weeks = ({ value, baseline }: Told) => `${value} in the last 7 days, ${baseline} in the 7 before.`;

const insightsInEnglish: InsightTexts = {
	tracking_broken: {
		group: "Tracking",
		title: () => "No hits for 24 hours",
		description: ({ baseline }) => `Nothing has arrived since yesterday; ${baseline} hits a day are usual.`,
		recommendation: () =>
			"Check that the site is up and that its pages still load the snippet: a new template, a consent banner or a content policy may have taken it away.",
	},
	traffic_drop: {
		group: "Fewer visits",
		title: ({ change }) => `Visits fell by ${change}`,
		description: (told) => `Visits: ${weeks(told)}`,
		recommendation: () =>
			"See which sources and landing pages lost visits. When all of them did, check that every page still has the snippet.",
	},
	traffic_spike: {
		group: "More visits",
		title: ({ change }) => `Visits rose by ${change}`,
		description: (told) => `Visits: ${weeks(told)}`,
		recommendation: () => "See where the new visits come from and whether they convert: what works can be done again.",
	},
	conversion_drop: {
		group: "Lower conversion rate",
		title: ({ change }) => `The conversion rate fell by ${change}`,
		description: (told) => `Conversions per visit: ${weeks(told)}`,
		recommendation: () =>
			"Go through the checkout yourself, on a phone too, and look at what changed on its pages in these days.",
	},
	conversion_spike: {
		group: "Higher conversion rate",
		title: ({ change }) => `The conversion rate rose by ${change}`,
		description: (told) => `Conversions per visit: ${weeks(told)}`,
		recommendation: () => "Find out what changed, and send more visits to the pages that gained.",
	},
	revenue_drop: {
		group: "Less revenue",
		title: ({ change }) => `Revenue fell by ${change}`,
		description: (told) => `Revenue: ${weeks(told)}`,
		recommendation: () =>
			"Look whether there are fewer visits, fewer orders per visit, or smaller orders: each has another cause.",
	},
	revenue_spike: {
		group: "More revenue",
		title: ({ change }) => `Revenue rose by ${change}`,
		description: (told) => `Revenue: ${weeks(told)}`,
		recommendation: () => "See which sources brought it, and whether a few large orders did.",
	},
	bounce_rate_rise: {
		group: "Higher bounce rate",
		title: ({ change }) => `The bounce rate rose by ${change}`,
		description: (told) => `Visits with a single page: ${weeks(told)}`,
		recommendation: () =>
			"Look at the landing pages with the most visits: do they load fast and say what was promised?",
	},
	channel_drop: {
		group: "Channels with fewer visits",
		title: ({ entity, change }) => `${entity}: ${change} fewer visits`,
		description: (told) => `Visits from the channel ${told.entity}: ${weeks(told)}`,
		recommendation: ({ entity }) => `Check what changed in ${entity}: budgets, rankings, links, tagging.`,
	},
	campaign_drop: {
		group: "Campaigns with fewer visits",
		title: ({ entity, change }) => `Campaign ${entity}: ${change} fewer visits`,
		description: (told) => `Visits from the campaign ${told.entity}: ${weeks(told)}`,
		recommendation: () => "Check that the campaign still runs, has budget left, and that its links carry their tags.",
	},
	country_shift: {
		group: "Countries whose share changed",
		title: ({ entity, value, baseline }) => `${entity}: ${value} of the visits, ${baseline} before`,
		description: (told) => `Share of the visits from ${told.entity}: ${weeks(told)}`,
		recommendation: ({ isRise }) =>
			isRise
				? "See which source brings these visits, and whether they are people whom you can serve."
				: "See which source lost these visits: a campaign for this country may have ended.",
	},
	device_gap: {
		group: "Devices that convert less",
		title: ({ entity, other }) => `${entity} converts at less than half the rate of ${other}`,
		description: ({ entity, other, value, baseline }) =>
			`Conversions per visit: ${value} on ${entity}, ${baseline} on ${other}.`,
		recommendation: ({ entity }) => `Buy something on ${entity} yourself: forms, payment and speed differ most.`,
	},
	landing_page_bounce: {
		group: "Landing pages with a higher bounce rate",
		title: ({ entity, change }) => `${entity}: the bounce rate rose by ${change}`,
		description: (told) => `Visits that begin at ${told.entity} and see no second page: ${weeks(told)}`,
		recommendation: () => "Open the page as its visitors do: is it whole, fast, and what the link to it promises?",
	},
	concentration_risk: {
		group: "Sources that most visits hang on",
		title: ({ entity, value }) => `${value} of the visits come from ${entity}`,
		description: ({ entity, limit }) => `Should ${entity} change, most visits go with it. Up to ${limit} is usual.`,
		recommendation: () => "Build up a second source: a newsletter, search, or partners.",
	},
	data_health: {
		group: "Refused hits",
		title: ({ value }) => `${value} of the hits were refused`,
		description: ({ value, limit }) =>
			`In the last 24 hours ${value} of the hits were not counted; up to ${limit} is usual.`,
		recommendation: () =>
			"The installation page names the reasons and the hosts: a domain that is missing there is the most frequent one.",
	},
	bot_share: {
		group: "Bots",
		title: ({ value }) => `${value} of the hits look like bots`,
		description: ({ value, baseline }) => `Suspicious hits: ${value} in the last 7 days, ${baseline} in the 7 before.`,
		recommendation: () => "Look at the scores, and lower the threshold of the site when some of them are counted.",
	},
};

const weeksInSpanish = ({ value, baseline }: Told) =>
	`${value} en los últimos 7 días, ${baseline} en los 7 anteriores.`;

const insightsInSpanish: InsightTexts = {
	tracking_broken: {
		group: "Medición",
		title: () => "Ningún hit en 24 horas",
		description: ({ baseline }) => `No llega nada desde ayer; lo habitual son ${baseline} hits al día.`,
		recommendation: () =>
			"Comprueba que el sitio funciona y que sus páginas siguen cargando el código: puede haberlo quitado una plantilla nueva, un aviso de consentimiento o una política de contenido.",
	},
	traffic_drop: {
		group: "Menos visitas",
		title: ({ change }) => `Las visitas bajaron un ${change}`,
		description: (told) => `Visitas: ${weeksInSpanish(told)}`,
		recommendation: () =>
			"Mira qué fuentes y páginas de entrada perdieron visitas. Si fueron todas, comprueba que cada página conserva el código.",
	},
	traffic_spike: {
		group: "Más visitas",
		title: ({ change }) => `Las visitas subieron un ${change}`,
		description: (told) => `Visitas: ${weeksInSpanish(told)}`,
		recommendation: () => "Mira de dónde vienen las visitas nuevas y si convierten: lo que funciona se puede repetir.",
	},
	conversion_drop: {
		group: "Tasa de conversión más baja",
		title: ({ change }) => `La tasa de conversión bajó un ${change}`,
		description: (told) => `Conversiones por visita: ${weeksInSpanish(told)}`,
		recommendation: () =>
			"Haz tú el proceso de compra, también en un móvil, y mira qué cambió en sus páginas estos días.",
	},
	conversion_spike: {
		group: "Tasa de conversión más alta",
		title: ({ change }) => `La tasa de conversión subió un ${change}`,
		description: (told) => `Conversiones por visita: ${weeksInSpanish(told)}`,
		recommendation: () => "Averigua qué cambió y lleva más visitas a las páginas que ganaron.",
	},
	revenue_drop: {
		group: "Menos ingresos",
		title: ({ change }) => `Los ingresos bajaron un ${change}`,
		description: (told) => `Ingresos: ${weeksInSpanish(told)}`,
		recommendation: () =>
			"Mira si hay menos visitas, menos pedidos por visita o pedidos más pequeños: cada caso tiene otra causa.",
	},
	revenue_spike: {
		group: "Más ingresos",
		title: ({ change }) => `Los ingresos subieron un ${change}`,
		description: (told) => `Ingresos: ${weeksInSpanish(told)}`,
		recommendation: () => "Mira qué fuentes los trajeron y si se deben a unos pocos pedidos grandes.",
	},
	bounce_rate_rise: {
		group: "Tasa de rebote más alta",
		title: ({ change }) => `La tasa de rebote subió un ${change}`,
		description: (told) => `Visitas de una sola página: ${weeksInSpanish(told)}`,
		recommendation: () => "Mira las páginas de entrada con más visitas: ¿cargan rápido y dicen lo que se prometió?",
	},
	channel_drop: {
		group: "Canales con menos visitas",
		title: ({ entity, change }) => `${entity}: ${change} menos de visitas`,
		description: (told) => `Visitas del canal ${told.entity}: ${weeksInSpanish(told)}`,
		recommendation: ({ entity }) => `Comprueba qué cambió en ${entity}: presupuestos, posiciones, enlaces, etiquetas.`,
	},
	campaign_drop: {
		group: "Campañas con menos visitas",
		title: ({ entity, change }) => `Campaña ${entity}: ${change} menos de visitas`,
		description: (told) => `Visitas de la campaña ${told.entity}: ${weeksInSpanish(told)}`,
		recommendation: () =>
			"Comprueba que la campaña sigue en marcha, que le queda presupuesto y que sus enlaces llevan sus etiquetas.",
	},
	country_shift: {
		group: "Países cuya parte cambió",
		title: ({ entity, value, baseline }) => `${entity}: ${value} de las visitas, antes ${baseline}`,
		description: (told) => `Parte de las visitas desde ${told.entity}: ${weeksInSpanish(told)}`,
		recommendation: ({ isRise }) =>
			isRise
				? "Mira qué fuente trae estas visitas y si son personas a las que puedes atender."
				: "Mira qué fuente perdió estas visitas: puede haber terminado una campaña para este país.",
	},
	device_gap: {
		group: "Dispositivos que convierten menos",
		title: ({ entity, other }) => `${entity} convierte menos de la mitad que ${other}`,
		description: ({ entity, other, value, baseline }) =>
			`Conversiones por visita: ${value} en ${entity}, ${baseline} en ${other}.`,
		recommendation: ({ entity }) =>
			`Compra tú algo en ${entity}: los formularios, el pago y la velocidad son lo que más cambia.`,
	},
	landing_page_bounce: {
		group: "Páginas de entrada con más rebote",
		title: ({ entity, change }) => `${entity}: la tasa de rebote subió un ${change}`,
		description: (told) =>
			`Visitas que empiezan en ${told.entity} y no ven una segunda página: ${weeksInSpanish(told)}`,
		recommendation: () =>
			"Abre la página como sus visitantes: ¿está completa, es rápida y es lo que promete el enlace?",
	},
	concentration_risk: {
		group: "Fuentes de las que depende casi todo",
		title: ({ entity, value }) => `${value} de las visitas vienen de ${entity}`,
		description: ({ entity, limit }) =>
			`Si ${entity} cambia, se va con ella la mayoría de las visitas. Hasta ${limit} es habitual.`,
		recommendation: () => "Crea una segunda fuente: un boletín, buscadores o socios.",
	},
	data_health: {
		group: "Hits rechazados",
		title: ({ value }) => `Se rechazó el ${value} de los hits`,
		description: ({ value, limit }) =>
			`En las últimas 24 horas no se contó el ${value} de los hits; hasta ${limit} es habitual.`,
		recommendation: () =>
			"La página de instalación nombra los motivos y los hosts: lo más frecuente es que falte un dominio.",
	},
	bot_share: {
		group: "Bots",
		title: ({ value }) => `El ${value} de los hits parecen bots`,
		description: ({ value, baseline }) =>
			`Hits sospechosos: ${value} en los últimos 7 días, ${baseline} en los 7 anteriores.`,
		recommendation: () => "Mira las puntuaciones y baja el umbral del sitio si algunos se cuentan.",
	},
};

const texts: Readonly<Record<Language, InsightTexts>> = { en: insightsInEnglish, es: insightsInSpanish };

export function wordsOf(finding: Finding, language: Language, currency: string) {
	const numbers = numbersIn(language, currency);
	const told: Told = {
		entity:
			finding.rule === "country_shift" ? numbers.country(finding.entity ?? "") : readablePath(finding.entity ?? ""),
		other: finding.other ?? "",
		value: numbers.value(finding.value, finding.unit),
		baseline: numbers.value(finding.baseline ?? 0, finding.unit),
		change: numbers.percent(finding.change ?? 0),
		isRise: (finding.change ?? 0) > 0,
		limit: numbers.percent(finding.threshold),
	};
	const { title, description, recommendation } = texts[language][finding.rule];
	return { title: title(told), description: description(told), recommendation: recommendation(told) };
}

export const groupTitle = (rule: RuleName, language: Language): string => texts[language][rule].group;
