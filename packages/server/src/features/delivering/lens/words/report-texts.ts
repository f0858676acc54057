import type { Language } from "./numbers.ts";

const english = {
	metrics: {
		revenue: "Revenue",
		conversions: "Conversions",
		entrances: "Visits",
		pageviews: "Page views",
		conversion_rate: "Conversion rate",
		bounce_rate: "Bounce rate",
		aov: "Average order",
	},
	was: (name: string, value: string) => `${name}: ${value}.`,
	rose: (name: string, value: string, change: string) => `${name}: ${value}, ${change} more than before.`,
	fell: (name: string, value: string, change: string) => `${name}: ${value}, ${change} less than before.`,
	same: (name: string, value: string) => `${name}: ${value}, as before.`,
	nothing: "Nothing was counted in this period.",
	attention: (count: number) => (count === 1 ? "One insight wants attention." : `${count} insights want attention.`),
	calm: "No rule found anything that wants attention.",
	steps: ["Visits", "Visits with a second page", "Conversions"],
	topChannel: (name: string, share: string) => `${name} brought most visits: ${share}.`,
	declined: (name: string, change: string) => `${name} lost most: ${change} fewer visits.`,
	channelFell: (name: string) => `Check what changed in ${name}: budgets, rankings, links, tagging.`,
	channelRose: (name: string) => `See what works in ${name}, and do more of it.`,
	leak: (step: string, share: string) => `Most visits are lost before "${step}": ${share} do not get there.`,
	leakAdvice: (step: string) => `Look at the pages before "${step}": what people expect there, and what holds them up.`,
	shift: (value: string, share: string, before: string) => `${value}: ${share} of the visits, ${before} before`,
	shiftMore: "More visits of this kind; check that they find what they came for.",
	shiftLess: "Fewer visits of this kind; check which source lost them.",
};

export type KeyMetricName = keyof typeof english.metrics;

const spanish: typeof english = {
	metrics: {
		revenue: "Ingresos",
		conversions: "Conversiones",
		entrances: "Visitas",
		pageviews: "Páginas vistas",
		conversion_rate: "Tasa de conversión",
		bounce_rate: "Tasa de rebote",
		aov: "Pedido medio",
	},
	was: (name, value) => `${name}: ${value}.`,
	rose: (name, value, change) => `${name}: ${value}, un ${change} más que antes.`,
	fell: (name, value, change) => `${name}: ${value}, un ${change} menos que antes.`,
	same: (name, value) => `${name}: ${value}, como antes.`,
	nothing: "En este periodo no se contó nada.",
	attention: (count) => (count === 1 ? "Una observación pide atención." : `${count} observaciones piden atención.`),
	calm: "Ninguna regla encontró nada que pida atención.",
	steps: ["Visitas", "Visitas con una segunda página", "Conversiones"],
	topChannel: (name, share) => `${name} trajo la mayor parte de las visitas: ${share}.`,
	declined: (name, change) => `${name} es lo que más perdió: ${change} menos de visitas.`,
	channelFell: (name) => `Comprueba qué cambió en ${name}: presupuestos, posiciones, enlaces, etiquetas.`,
	channelRose: (name) => `Mira qué funciona en ${name} y haz más de ello.`,
	leak: (step, share) => `La mayor pérdida está antes de «${step}»: ${share} no llega.`,
	leakAdvice: (step) => `Mira las páginas anteriores a «${step}»: qué se espera allí y qué frena.`,
	shift: (value, share, before) => `${value}: ${share} de las visitas, antes ${before}`,
	shiftMore: "Más visitas de este tipo; comprueba que encuentran lo que buscan.",
	shiftLess: "Menos visitas de este tipo; comprueba qué fuente las perdió.",
};

export const reportTexts: Readonly<Record<Language, typeof english>> = { en: english, es: spanish };
