import { readablePath } from "../../../../analytics/attribution/canonical-path.ts";
import type { Finding, RuleName } from "../rules/finding.ts";
import { type Language, numbersIn } from "./numbers.ts";

/** Texts of a rule, with the names of values in braces, and the name of the group of its insights. */
type RuleWords = readonly [
	group: string,
	title: string,
	description: string,
	recommendation: string,
	/** For a fall, where it is another. */
	ofFall?: string,
];

interface InsightTexts {
	/** Stands for `{weeks}`. */
	readonly weeks: string;
	readonly rules: Readonly<Record<RuleName, RuleWords>>;
}

const english: InsightTexts["rules"] = {
	tracking_broken: [
		"Tracking",
		"No hits for 24 hours",
		"Nothing has arrived since yesterday; {baseline} hits a day are usual.",
		"Check that the site is up and that its pages still load the snippet: a new template, a consent banner or a content policy may have taken it away.",
	],
	traffic_drop: [
		"Fewer visits",
		"Visits fell by {change}",
		"Visits: {weeks}",
		"See which sources and landing pages lost visits. When all of them did, check that every page still has the snippet.",
	],
	traffic_spike: [
		"More visits",
		"Visits rose by {change}",
		"Visits: {weeks}",
		"See where the new visits come from and whether they convert: what works can be done again.",
	],
	conversion_drop: [
		"Lower conversion rate",
		"The conversion rate fell by {change}",
		"Conversions per visit: {weeks}",
		"Go through the checkout yourself, on a phone too, and look at what changed on its pages in these days.",
	],
	conversion_spike: [
		"Higher conversion rate",
		"The conversion rate rose by {change}",
		"Conversions per visit: {weeks}",
		"Find out what changed, and send more visits to the pages that gained.",
	],
	revenue_drop: [
		"Less revenue",
		"Revenue fell by {change}",
		"Revenue: {weeks}",
		"Look whether there are fewer visits, fewer orders per visit, or smaller orders: each has another cause.",
	],
	revenue_spike: [
		"More revenue",
		"Revenue rose by {change}",
		"Revenue: {weeks}",
		"See which sources brought it, and whether a few large orders did.",
	],
	bounce_rate_rise: [
		"Higher bounce rate",
		"The bounce rate rose by {change}",
		"Visits with a single page: {weeks}",
		"Look at the landing pages with the most visits: do they load fast and say what was promised?",
	],
	channel_drop: [
		"Channels with fewer visits",
		"{entity}: {change} fewer visits",
		"Visits from the channel {entity}: {weeks}",
		"Check what changed in {entity}: budgets, rankings, links, tagging.",
	],
	campaign_drop: [
		"Campaigns with fewer visits",
		"Campaign {entity}: {change} fewer visits",
		"Visits from the campaign {entity}: {weeks}",
		"Check that the campaign still runs, has budget left, and that its links carry their tags.",
	],
	country_shift: [
		"Countries whose share changed",
		"{entity}: {value} of the visits, {baseline} before",
		"Share of the visits from {entity}: {weeks}",
		"See which source brings these visits, and whether they are people whom you can serve.",
		"See which source lost these visits: a campaign for this country may have ended.",
	],
	device_gap: [
		"Devices that convert less",
		"Visits on {entity} convert at less than half the rate of those on {other}",
		"Conversions per visit: {value} on {entity}, {baseline} on {other}.",
		"Buy something on {entity} yourself: forms, payment and speed differ most.",
	],
	landing_page_bounce: [
		"Landing pages with a higher bounce rate",
		"{entity}: the bounce rate rose by {change}",
		"Visits that begin at {entity} and see no second page: {weeks}",
		"Open the page as its visitors do: is it whole, fast, and what the link to it promises?",
	],
	concentration_risk: [
		"Sources that most visits hang on",
		"{value} of the visits come from {entity}",
		"Should {entity} change, most visits go with it. Up to {limit} is usual.",
		"Build up a second source: a newsletter, search, or partners.",
	],
	data_health: [
		"Refused hits",
		"{value} of the hits were refused",
		"In the last 24 hours {value} of the hits were not counted; up to {limit} is usual.",
		"The installation page names the reasons and the hosts: a domain that is missing there is the most frequent one.",
	],
	bot_share: [
		"Bots",
		"{value} of the hits look like bots",
		"Suspicious hits: {value} in the last 7 days, {baseline} in the 7 before.",
		"Look at the scores, and lower the threshold of the site when some of them are counted.",
	],
};

const spanish: InsightTexts["rules"] = {
	tracking_broken: [
		"Medición",
		"Ningún hit en 24 horas",
		"No llega nada desde ayer; lo habitual son {baseline} hits al día.",
		"Comprueba que el sitio funciona y que sus páginas siguen cargando el código: puede haberlo quitado una plantilla nueva, un aviso de consentimiento o una política de contenido.",
	],
	traffic_drop: [
		"Menos visitas",
		"Las visitas bajaron un {change}",
		"Visitas: {weeks}",
		"Mira qué fuentes y páginas de entrada perdieron visitas. Si fueron todas, comprueba que cada página conserva el código.",
	],
	traffic_spike: [
		"Más visitas",
		"Las visitas subieron un {change}",
		"Visitas: {weeks}",
		"Mira de dónde vienen las visitas nuevas y si convierten: lo que funciona se puede repetir.",
	],
	conversion_drop: [
		"Tasa de conversión más baja",
		"La tasa de conversión bajó un {change}",
		"Conversiones por visita: {weeks}",
		"Haz tú el proceso de compra, también en un móvil, y mira qué cambió en sus páginas estos días.",
	],
	conversion_spike: [
		"Tasa de conversión más alta",
		"La tasa de conversión subió un {change}",
		"Conversiones por visita: {weeks}",
		"Averigua qué cambió y lleva más visitas a las páginas que ganaron.",
	],
	revenue_drop: [
		"Menos ingresos",
		"Los ingresos bajaron un {change}",
		"Ingresos: {weeks}",
		"Mira si hay menos visitas, menos pedidos por visita o pedidos más pequeños: cada caso tiene otra causa.",
	],
	revenue_spike: [
		"Más ingresos",
		"Los ingresos subieron un {change}",
		"Ingresos: {weeks}",
		"Mira qué fuentes los trajeron y si se deben a unos pocos pedidos grandes.",
	],
	bounce_rate_rise: [
		"Tasa de rebote más alta",
		"La tasa de rebote subió un {change}",
		"Visitas de una sola página: {weeks}",
		"Mira las páginas de entrada con más visitas: ¿cargan rápido y dicen lo que se prometió?",
	],
	channel_drop: [
		"Canales con menos visitas",
		"{entity}: {change} menos de visitas",
		"Visitas del canal {entity}: {weeks}",
		"Comprueba qué cambió en {entity}: presupuestos, posiciones, enlaces, etiquetas.",
	],
	campaign_drop: [
		"Campañas con menos visitas",
		"Campaña {entity}: {change} menos de visitas",
		"Visitas de la campaña {entity}: {weeks}",
		"Comprueba que la campaña sigue en marcha, que le queda presupuesto y que sus enlaces llevan sus etiquetas.",
	],
	country_shift: [
		"Países cuya parte cambió",
		"{entity}: {value} de las visitas, antes {baseline}",
		"Parte de las visitas desde {entity}: {weeks}",
		"Mira qué fuente trae estas visitas y si son personas a las que puedes atender.",
		"Mira qué fuente perdió estas visitas: puede haber terminado una campaña para este país.",
	],
	device_gap: [
		"Dispositivos que convierten menos",
		"Las visitas en {entity} convierten menos de la mitad que en {other}",
		"Conversiones por visita: {value} en {entity}, {baseline} en {other}.",
		"Compra tú algo en {entity}: los formularios, el pago y la velocidad son lo que más cambia.",
	],
	landing_page_bounce: [
		"Páginas de entrada con más rebote",
		"{entity}: la tasa de rebote subió un {change}",
		"Visitas que empiezan en {entity} y no ven una segunda página: {weeks}",
		"Abre la página como sus visitantes: ¿está completa, es rápida y es lo que promete el enlace?",
	],
	concentration_risk: [
		"Fuentes de las que depende casi todo",
		"{value} de las visitas vienen de {entity}",
		"Si {entity} cambia, se va con ella la mayoría de las visitas. Hasta {limit} es habitual.",
		"Crea una segunda fuente: un boletín, buscadores o socios.",
	],
	data_health: [
		"Hits rechazados",
		"Se rechazó el {value} de los hits",
		"En las últimas 24 horas no se contó el {value} de los hits; hasta {limit} es habitual.",
		"La página de instalación nombra los motivos y los hosts: lo más frecuente es que falte un dominio.",
	],
	bot_share: [
		"Bots",
		"El {value} de los hits parecen bots",
		"Hits sospechosos: {value} en los últimos 7 días, {baseline} en los 7 anteriores.",
		"Mira las puntuaciones y baja el umbral del sitio si algunos se cuentan.",
	],
};

const texts: Readonly<Record<Language, InsightTexts>> = {
	en: { weeks: "{value} in the last 7 days, {baseline} in the 7 before.", rules: english },
	es: { weeks: "{value} en los últimos 7 días, {baseline} en los 7 anteriores.", rules: spanish },
};

export function wordsOf(finding: Finding, language: Language, currency: string) {
	const numbers = numbersIn(language, currency);
	const { weeks, rules } = texts[language];
	const entity = finding.entity ?? "";
	const names: Readonly<Partial<Record<RuleName, (value: string) => string>>> = {
		country_shift: numbers.country,
		device_gap: numbers.device,
	};
	const values: Readonly<Record<string, string>> = {
		entity: names[finding.rule]?.(entity) ?? readablePath(entity),
		other: numbers.device(finding.other ?? ""),
		value: numbers.value(finding.value, finding.unit),
		baseline: numbers.value(finding.baseline ?? 0, finding.unit),
		/** Without its sign. */
		change: numbers.percent(finding.change ?? 0),
		limit: numbers.percent(finding.threshold),
	};
	const filled = (text: string) =>
		text.replace("{weeks}", weeks).replaceAll(/\{(\w+)\}/g, (known, name) => values[name] ?? known);
	const [, title, description, ofRise, ofFall = ofRise] = rules[finding.rule];
	const recommendation = (finding.change ?? 0) > 0 ? ofRise : ofFall;
	return { title: filled(title), description: filled(description), recommendation: filled(recommendation) };
}

export const groupTitle = (rule: RuleName, language: Language): string => texts[language].rules[rule][0];
